"""The deliberately bad tasks: sound ones of `tests/fixtures/audit`, bent as `bad.yaml` says."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from clawgym_bench.sandbox import File
from clawgym_bench.task import Task, scan_tasks
from clawgym_bench.task.model import fields_of
from clawgym_bench.task.store import make_task

FOLDER = Path(__file__).parents[2] / "fixtures" / "audit"


@dataclass(frozen=True)
class Bad:
    """One way of being bad: which gate must fail, what it must say, and which others may fail."""

    id: str
    base: str
    gate: str
    says: str
    set: dict[str, Any] = field(default_factory=dict)
    edit: dict[str, dict[str, str]] = field(default_factory=dict)
    files: dict[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()

    def task(self, sound: dict[str, Task]) -> Task:
        """The bent task; raises `TaskInvalid` where it is too bad to be loaded."""
        base = sound[self.base]
        fields, files = fields_of(base), dict(base.files)
        for path, value in self.set.items():
            _put(fields, path.split("."), value)
        for target, changes in self.edit.items():
            for old, new in changes.items():
                if target in files:
                    text = _replaced(files[target].content.decode(), old, new)
                    files[target] = File(text.encode(), files[target].mode)
                else:
                    _put(fields, target.split("."), _replaced(_get(fields, target), old, new))
        for path, given in self.files.items():
            if given is None:
                del files[path]
            else:
                files[path] = File(_content(given, files), 0o644)
        return make_task({**fields, "id": self.id}, files, self.id)


def sound_tasks() -> dict[str, Task]:
    tasks = list(scan_tasks(FOLDER / "sound"))
    assert all(isinstance(task, Task) for task in tasks), tasks
    return {task.id: task for task in tasks if isinstance(task, Task)}


def bad_tasks() -> list[Bad]:
    entries = yaml.safe_load((FOLDER / "bad.yaml").read_text(encoding="utf-8"))
    return [Bad(**entry) for entry in entries]


def _content(given: Any, files: dict[str, File]) -> bytes:
    """A text, one repeated many times, or the same as another file."""
    if isinstance(given, str):
        return given.encode()
    if "same" in given:
        return files[given["same"]].content
    return bytes(given["repeat"].encode() * given["times"])


def _replaced(text: str, old: str, new: str) -> str:
    assert old in text, f"{old!r} is not in {text!r}"
    return text.replace(old, new)


def _step(value: Any, name: str) -> Any:
    """The key of a mapping; the index in a list of what has this id or path, or this number."""
    if isinstance(value, dict):
        return name
    named = [at for at, one in enumerate(value) if name in (one.get("id"), one.get("path"))]
    return named[0] if named else int(name) - 1 if name.isdigit() else len(value)


def _get(fields: Any, path: str) -> Any:
    for name in path.split("."):
        fields = fields[_step(fields, name)]
    return fields


def _put(fields: Any, names: list[str], value: Any) -> None:
    for name in names[:-1]:
        fields = fields[_step(fields, name)]
    at = _step(fields, names[-1])
    if value is None:
        del fields[at]
    elif isinstance(fields, list) and at >= len(fields):
        fields.append(value)
    else:
        fields[at] = value
