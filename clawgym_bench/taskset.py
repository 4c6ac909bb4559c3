"""A task set by id: what solver and scorer look tasks up in, and the set's identity."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path

from clawgym_bench.errors import InputError
from clawgym_bench.task import Task, read_tasks

BENCH_CATEGORIES = (
    "productivity-collaboration",
    "systems-automation",
    "analysis-reasoning",
    "content-domain",
    "planning-knowledge",
    "software-development",
)


class TaskSet(Mapping[str, Task]):
    """Tasks by id, in their order."""

    def __init__(self, tasks: Sequence[Task], source: str) -> None:
        self.source = source
        self._tasks = {task.id: task for task in tasks}
        if len(self._tasks) != len(tasks):
            ids = [task.id for task in tasks]
            twice = sorted({name for name in ids if ids.count(name) > 1})
            raise InputError(f"{source}: ids that are used twice: {', '.join(twice)}")

    def __getitem__(self, task_id: str) -> Task:
        return self._tasks[task_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def content_hash(self) -> str:
        """SHA-256 over the ids and contents of all tasks."""
        digest = hashlib.sha256()
        for task_id in sorted(self._tasks):
            digest.update(f"{task_id}\0{self._tasks[task_id].content_hash}\n".encode())
        return digest.hexdigest()

    def select(
        self,
        *,
        subset: str | None = None,
        ids: Sequence[str] = (),
        category: str | None = None,
    ) -> "TaskSet":
        """The tasks that carry the tag `subset`, have one of `ids`, and are in `category`.

        Raises `InputError` naming what there is when nothing is left.
        """
        unknown = [name for name in ids if name not in self._tasks]
        if unknown:
            raise InputError(
                f"{self.source}: no task {', '.join(unknown)}; "
                "`clawgym-bench tasks list` shows the ids"
            )
        tasks = [task for task in self._tasks.values() if not ids or task.id in ids]
        if category is not None:
            there = sorted({task.category for task in tasks})
            tasks = [task for task in tasks if task.category == category]
            if not tasks:
                raise InputError(f"no task in category {category!r}; there are {', '.join(there)}")
        if subset is not None:
            tags = sorted({tag for task in tasks for tag in task.tags})
            tasks = [task for task in tasks if subset in task.tags]
            if not tasks:
                known = ", ".join(tags) or "none"
                raise InputError(f"no task in subset {subset!r}; subsets here: {known}")
        return TaskSet(tasks, self.source)


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
        return TaskSet(list(load_bench()), "clawgym_bench")
    return TaskSet(list(read_tasks(path)), path)
