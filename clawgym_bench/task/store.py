"""Task sets on disk: a folder per task, or JSON Lines with the files inline. Both round-trip.

    folder      ID/task.yaml beside the files of the task
    JSON Lines  {"id": ..., ..., "files": {"workspace/a.csv": "text",
                 "workspace/b.xlsx": {"base64": "..."},
                 "workspace/run.sh": {"text": "...", "executable": true}}}

Sets are read as a stream, one task in memory at a time, from a local path or any fsspec URL.
"""

import base64
import binascii
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import fsspec
import yaml
from pydantic import ValidationError

from clawgym_bench.errors import InputError, Problem, TaskInvalid
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task.model import Task, fields_of
from clawgym_bench.task.paths import path_problem
from clawgym_bench.task.rules import problems

TASK_FILE = "task.yaml"
LINE_BYTES = 96 * 2**20
YAML_BYTES = 2 * 2**20
JSONL = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".jsonl.xz", ".jsonl.bz2")


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key given twice, and an alias, are errors; dates stay text."""

    def compose_node(self, parent: Any, index: int) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(None, None, "aliases are not allowed", mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, str | int | float | bool) and key in seen:
                raise yaml.MarkedYAMLError(
                    None, None, f"the key {key!r} stands here twice", key_node.start_mark
                )
            if isinstance(key, str | int | float | bool):
                seen.add(key)
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def make_task(
    fields: Mapping[str, Any], files: Mapping[str, File], source: str, found: Iterable[Problem] = ()
) -> Task:
    """Builds a task; raises `TaskInvalid` with every problem of the fields and of the files."""
    wrong = list(found)
    task: Task | None = None
    if "files" in fields:
        wrong.append(Problem("files", "unknown field", "files lie beside task.yaml"))
    try:
        task = Task.model_validate({**fields, "files": dict(files)})
    except ValidationError as error:
        wrong += [problem_of(detail) for detail in error.errors()]
    except RecursionError:
        wrong.append(Problem(TASK_FILE, "is nested too deeply"))
    if task is not None:
        wrong += problems(task)
    if wrong or task is None:
        raise TaskInvalid(source, list(dict.fromkeys(wrong)))
    return task


def problem_of(detail: Any) -> Problem:
    """One pydantic error as a problem with a remedy."""
    where = ""
    for part in detail["loc"]:
        where += f"[{part}]" if isinstance(part, int) else f".{part}" if where else str(part)
    kind, message = detail["type"], str(detail["msg"]).removeprefix("Value error, ")
    value = repr(detail.get("input"))
    shown = value if len(value) <= 80 else value[:77] + "..."
    if kind == "missing":
        return Problem(where, "is required and not there", "add it")
    if kind == "extra_forbidden":
        return Problem(where, f"unknown field (value {shown})", "remove it or correct its name")
    message = message[:1].lower() + message[1:]
    return Problem(where or TASK_FILE, f"{message} (value {shown})")


def read_folder(folder: Path) -> Task:
    """The task in `folder`; raises `TaskInvalid`."""
    found: list[Problem] = []
    files: dict[str, File] = {}
    for path, entry in _walk(folder, folder, found):
        if path == TASK_FILE:
            continue
        mode = 0o755 if entry.stat().st_mode & stat.S_IXUSR else 0o644
        files[path] = File(Path(entry.path).read_bytes(), mode)
    return make_task(_read_yaml(folder / TASK_FILE), files, str(folder), found)


def _walk(root: Path, folder: Path, found: list[Problem]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    for entry in entries:
        path = Path(entry.path).relative_to(root).as_posix()
        if entry.is_symlink():
            found.append(Problem("files", f"{path} is a link", "put the file itself there"))
        elif entry.is_dir():
            yield from _walk(root, Path(entry.path), found)
        elif entry.is_file():
            yield path, entry
        else:
            found.append(Problem("files", f"{path} is not a regular file", "remove it"))


def _read_yaml(path: Path) -> dict[str, Any]:
    source = str(path.parent)
    try:
        raw = path.read_bytes()
    except OSError as error:
        problem = Problem(TASK_FILE, f"cannot be read ({error.strerror})")
        raise TaskInvalid(source, [problem]) from error
    try:
        if len(raw) > YAML_BYTES:
            raise ValueError(f"is larger than {YAML_BYTES} bytes")
        fields = yaml.load(raw.decode("utf-8"), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{TASK_FILE}, line {mark.line + 1}" if mark else TASK_FILE
        raise TaskInvalid(source, [Problem(where, f"not YAML: {error.problem}")]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise TaskInvalid(source, [Problem(TASK_FILE, f"not YAML: {error}")]) from error
    if not isinstance(fields, dict) or not all(isinstance(key, str) for key in fields):
        raise TaskInvalid(source, [Problem(TASK_FILE, "is not a mapping of fields")])
    return fields


def read_line(line: str, source: str) -> Task:
    """The task of one JSON line; raises `TaskInvalid`."""
    try:
        if len(line) > LINE_BYTES:
            raise ValueError(f"longer than {LINE_BYTES} characters")
        fields = json.loads(line, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise TaskInvalid(source, [Problem("line", f"not JSON: {error}")]) from error
    if not isinstance(fields, dict):
        raise TaskInvalid(source, [Problem("line", "is not a JSON object")])
    found: list[Problem] = []
    inline = fields.pop("files", {})
    files: dict[str, File] = {}
    if not isinstance(inline, dict):
        found.append(Problem("files", "is not an object of path → content"))
        inline = {}
    for path, value in inline.items():
        try:
            files[path] = _file_of(value)
        except ValueError as error:
            found.append(Problem(f"files[{path}]", str(error)))
    return make_task(fields, files, source, found)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands there twice")
    return fields


def _file_of(value: Any) -> File:
    if isinstance(value, str):
        return File(value.encode("utf-8"), 0o644)
    if not isinstance(value, dict) or not set(value) <= {"text", "base64", "executable"}:
        raise ValueError('is neither a text nor {"text" | "base64": ..., "executable": ...}')
    mode = 0o755 if value.get("executable") is True else 0o644
    if isinstance(value.get("text"), str) and "base64" not in value:
        return File(value["text"].encode("utf-8"), mode)
    if isinstance(value.get("base64"), str) and "text" not in value:
        try:
            return File(base64.b64decode(value["base64"], validate=True), mode)
        except binascii.Error as error:
            raise ValueError(f"is not base64: {error}") from error
    raise ValueError("needs exactly one of `text` and `base64`")


def _inline(file: File) -> Any:
    try:
        text = file.content.decode("utf-8")
        value: dict[str, Any] = {"text": text}
        if "\0" in text:
            raise ValueError
    except ValueError:
        value = {"base64": base64.b64encode(file.content).decode()}
    if (file.mode or 0) & 0o100:
        value["executable"] = True
    return value["text"] if set(value) == {"text"} else value


def line_of(task: Task) -> str:
    """The task as one JSON line; `read_line` gives back an equal task."""
    fields = fields_of(task)
    fields["files"] = {path: _inline(file) for path, file in sorted(task.files.items())}
    return json.dumps(fields, ensure_ascii=False)


def write_folder(task: Task, parent: Path) -> Path:
    """Writes `parent/ID/`; `read_folder` gives back an equal task. Refuses to overwrite."""
    folder = parent / task.id
    if folder.exists():
        raise InputError(f"{folder} exists; choose another folder or remove it first")
    for path in task.files:
        if problem := path_problem(path):
            raise InputError(f"{task.id}: {path!r} {problem}")
    folder.mkdir(parents=True)
    text = yaml.safe_dump(fields_of(task), sort_keys=False, allow_unicode=True, width=100)
    (folder / TASK_FILE).write_text(text, encoding="utf-8")
    for path, file in task.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(file.mode or 0o644)
    return folder


def write_lines(tasks: Iterable[Task], url: str) -> int:
    """Writes a JSON Lines file (compressed by its suffix); returns the number of tasks."""
    count = 0
    with fsspec.open(url, "wt", encoding="utf-8", compression="infer") as out:
        for task in tasks:
            out.write(line_of(task) + "\n")
            count += 1
    return count


@dataclass(frozen=True, slots=True)
class Place:
    """Where a task of a set lies: a folder, or `length` bytes of a file of lines (unpacked)."""

    where: str
    offset: int = 0
    length: int = 0
    line: int = 0
    """Counted from 1; 0: a folder."""


class Places:
    """Reads tasks again from their places, one in memory at a time.

    Files of lines stay open, so that a file that is replaced meanwhile does no harm. A compressed
    or remote one is copied into a temporary file first: there is no way to enter it in the middle.
    """

    def __init__(self) -> None:
        self._files: dict[str, BinaryIO] = {}

    def read(self, place: Place) -> Task:
        """The task that `scan_places` gave with this place; raises `TaskInvalid`, `InputError`."""
        if not place.line:
            folder = Path(place.where)
            if read := _reader(folder):
                return read(folder)
            raise InputError(f"{place.where}: its task is gone")
        try:
            file = self._files.get(place.where) or self._open(place.where)
            file.seek(place.offset)
            line = file.read(place.length).decode("utf-8")
        except (OSError, ValueError, ImportError, EOFError) as error:
            raise InputError(f"{place.where}: cannot be read: {error}") from error
        return read_line(line, f"{place.where}, line {place.line}")

    def _open(self, url: str) -> BinaryIO:
        file: BinaryIO
        if "://" not in url and url.endswith(".jsonl"):
            file = open(url, "rb")  # noqa: SIM115 (closed with this object)
        else:
            file = TemporaryFile()  # noqa: SIM115
            with fsspec.open(url, "rb", compression="infer") as packed:
                shutil.copyfileobj(packed, file)
        self._files[url] = file
        return file


def scan_tasks(path: str | Path) -> Iterator[Task | TaskInvalid]:
    """Every task of a set in order, an invalid one as its error instead of an end.

    `path`: a task's folder, a folder of tasks, an imported ClawGym folder, a JSON Lines file, a
    folder of JSON Lines files, or an fsspec URL of a JSON Lines file. Raises `InputError` when
    there is no such set.
    """
    for task, _ in scan_places(path):
        yield task


def scan_places(path: str | Path) -> Iterator[tuple[Task | TaskInvalid, Place]]:
    """As `scan_tasks`, with the place that `Places.read` reads a task from again."""
    text = str(path)
    if "://" in text or text.endswith(JSONL):
        yield from _scan_lines(text)
        return
    folder = Path(path)
    if not folder.is_dir():
        raise InputError(
            f"{path}: no such task set; give a task's folder, a folder of tasks, "
            "or a .jsonl file (also .gz, .zst)"
        )
    if read := _reader(folder):
        yield _caught(read, folder), Place(str(folder))
        return
    some = False
    for child in sorted(folder.iterdir()):
        if read := _reader(child):
            some = True
            yield _caught(read, child), Place(str(child))
        elif child.name.endswith(JSONL):
            some = True
            yield from _scan_lines(str(child))
    if not some:
        raise InputError(
            f"{path}: holds no task; looked for {TASK_FILE}, data_entry.json, task.toml and "
            "*.jsonl in it and in its folders"
        )


def _reader(folder: Path) -> Callable[[Path], Task] | None:
    """What reads the one task in a folder: ours, a ClawGym task, a Harbor task."""
    from clawgym_bench.task.clawgym import ENTRY, read_clawgym
    from clawgym_bench.task.harbor import is_harbor, read_harbor

    if (folder / TASK_FILE).is_file():
        return read_folder
    if (folder / ENTRY).is_file():
        return read_clawgym
    return read_harbor if is_harbor(folder) else None


def _caught(read: Any, folder: Path) -> Task | TaskInvalid:
    try:
        task = read(folder)
        assert isinstance(task, Task)
        return task
    except TaskInvalid as error:
        return error


def _scan_lines(url: str) -> Iterator[tuple[Task | TaskInvalid, Place]]:
    offset = 0
    try:
        with fsspec.open(url, "rb", compression="infer") as lines:
            for number, raw in enumerate(lines, 1):
                place = Place(url, offset, len(raw), number)
                offset += len(raw)
                line = raw.decode("utf-8")
                if line.strip():
                    try:
                        yield read_line(line, f"{url}, line {number}"), place
                    except TaskInvalid as error:
                        yield error, place
    except (OSError, ValueError, ImportError, EOFError) as error:
        raise InputError(f"{url}: cannot be read: {error}") from error


def read_tasks(path: str | Path) -> Iterator[Task]:
    """Every task of a set, lazily and in order; raises `TaskInvalid` at the first invalid one."""
    for task in scan_tasks(path):
        if isinstance(task, TaskInvalid):
            raise task
        yield task
