"""A task set by id: what solver and scorer look tasks up in, and the set's identity."""

import hashlib
import sys
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import yaml

from clawgym_bench.errors import InputError, TaskInvalid
from clawgym_bench.setcard import SetCard
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.task.store import Place, Places, scan_places

SUBSETS = "subsets.yaml"
KEPT_TASKS = 128
"""So many tasks stay in memory: more than run at a time, and all of a small set."""

BENCH_CATEGORIES = (
    "productivity-collaboration",
    "systems-automation",
    "analysis-reasoning",
    "content-domain",
    "planning-knowledge",
    "software-development",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept in memory of every task: enough to select it and to read it again."""

    id: str
    category: str
    tags: tuple[str, ...]
    content_hash: bytes
    place: Place


class Shelf:
    """Tasks by their entries, read when they are wanted; those used last stay in memory."""

    def __init__(self) -> None:
        self._places = Places()
        self._kept: OrderedDict[str, Task] = OrderedDict()

    def keep(self, task: Task) -> None:
        self._kept[task.id] = task
        if len(self._kept) > KEPT_TASKS:
            self._kept.popitem(last=False)

    def take(self, entry: Entry) -> Task:
        """Raises `InputError` when the task is no longer what it was when the set was read."""
        task = self._kept.get(entry.id)
        if task is not None:
            self._kept.move_to_end(entry.id)
            return task
        task = self._places.read(entry.place)
        if task.id != entry.id or bytes.fromhex(task.content_hash) != entry.content_hash:
            raise InputError(f"{entry.place.where}: {entry.id} was changed while it was in use")
        self.keep(task)
        return task


class TaskSet(Mapping[str, Task]):
    """Tasks by id, in their order. They are read from disk when they are asked for."""

    def __init__(
        self,
        entries: Sequence[Entry],
        shelf: Shelf,
        source: str,
        subsets: Mapping[str, Sequence[str]] | None = None,
        card_version: str = "",
    ) -> None:
        self.source = source
        self.subsets = subsets or {}
        """Ids by the name of the part of the set that they make."""
        self.card_version = card_version
        """From the set's `bench.yaml`; ends in `-changed` when the tasks are not those that it
        lists, and is empty for a set without one."""
        self._shelf = shelf
        self._entries = {entry.id: entry for entry in entries}
        if len(self._entries) != len(entries):
            count = Counter(entry.id for entry in entries)
            twice = sorted(name for name, times in count.items() if times > 1)
            raise InputError(f"{source}: ids that are used twice: {', '.join(twice)}")

    @classmethod
    def read(cls, path: str | Path, source: str) -> "TaskSet":
        """The set at `path`; raises `InputError`, and `TaskInvalid` at the first invalid task."""
        shelf, entries = Shelf(), []
        for task, place in scan_places(path):
            if isinstance(task, TaskInvalid):
                raise task
            tags = tuple(sys.intern(tag) for tag in task.tags)
            digest = bytes.fromhex(task.content_hash)
            entries.append(Entry(task.id, sys.intern(task.category), tags, digest, place))
            shelf.keep(task)
        found = cls(entries, shelf, source, read_subsets(path))
        if card := SetCard.read(path):
            same = card.hash == found.content_hash
            found.card_version = card.version if same else f"{card.version}-changed"
        return found

    def __getitem__(self, task_id: str) -> Task:
        return self._shelf.take(self._entries[task_id])

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def version(self) -> str:
        """What logs call the set: its card's version, and a hash of the tasks chosen here."""
        return f"{self.card_version or '0.0.0'}+{self.content_hash[:12]}"

    @property
    def content_hash(self) -> str:
        """SHA-256 over the ids and contents of all tasks."""
        digest = hashlib.sha256()
        for task_id in sorted(self._entries):
            digest.update(f"{task_id}\0{self._entries[task_id].content_hash.hex()}\n".encode())
        return digest.hexdigest()

    def select(
        self,
        *,
        subset: str | None = None,
        ids: Sequence[str] = (),
        category: str | None = None,
    ) -> "TaskSet":
        """The tasks that belong to `subset`, have one of `ids`, and are in `category`.

        A subset is one that the set names, else a tag of its tasks. Raises `InputError`
        naming what there is when nothing is left.
        """
        unknown = [name for name in ids if name not in self._entries]
        if unknown:
            raise InputError(
                f"{self.source}: no task {', '.join(unknown)}; "
                "`clawgym-bench tasks list` shows the ids"
            )
        wanted = set(ids)
        tasks = [entry for entry in self._entries.values() if not ids or entry.id in wanted]
        if category is not None:
            there = sorted({task.category for task in tasks})
            tasks = [task for task in tasks if task.category == category]
            if not tasks:
                raise InputError(f"no task in category {category!r}; there are {', '.join(there)}")
        if subset is not None:
            tags = sorted({*self.subsets, *(tag for task in tasks for tag in task.tags)})
            if subset in self.subsets:
                wanted = set(self.subsets[subset])
                if gone := sorted(wanted - self._entries.keys()):
                    raise InputError(
                        f"{self.source}: {SUBSETS} names tasks for {subset!r} that are not there: "
                        f"{', '.join(gone)}; `clawgym-bench tasks subset --write` chooses anew"
                    )
                tasks = [task for task in tasks if task.id in wanted]
            else:
                tasks = [task for task in tasks if subset in task.tags]
            if not tasks:
                known = ", ".join(tags) or "none"
                raise InputError(f"no task in subset {subset!r}; subsets here: {known}")
        kept = {task.id for task in tasks}
        subsets = {name: [i for i in named if i in kept] for name, named in self.subsets.items()}
        return TaskSet(tasks, self._shelf, self.source, subsets, self.card_version)


def read_subsets(path: str | Path) -> dict[str, list[str]]:
    """What `subsets.yaml` in the folder of a set says: ids by name. Raises `InputError`."""
    file = Path(path) / SUBSETS
    if "://" in str(path) or not file.is_file():
        return {}
    try:
        found = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from error
    if not isinstance(found, dict) or not all(
        isinstance(ids, list) and all(isinstance(name, str) for name in ids)
        for ids in found.values()
    ):
        raise InputError(f"{file}: must be a mapping of names to lists of ids")
    return {str(name): ids for name, ids in found.items()}


def bench_folder() -> Path:
    """Where the shipped tasks lie."""
    return Path(str(resources.files("clawgym_bench").joinpath("tasks")))


def load_bench() -> Iterator[Task]:
    """The shipped tasks, lazily, in order of their ids."""
    return read_tasks(bench_folder())


@lru_cache(maxsize=4)
def task_set(path: str | None = None) -> TaskSet:
    """The shipped set, or the one at `path`; read once per process.

    Raises `InputError` and `TaskInvalid`.
    """
    if path is None:
        return TaskSet.read(bench_folder(), "clawgym_bench")
    return TaskSet.read(path, path)
