"""Plays agents that only make files, without a sandbox: what they leave is known beforehand.

Nothing of a task is run. Where it is not certain that the tools would leave the same (odd paths, a
folder or a read-only file in the way, sizes near a limit, any other call), `NeedsSandbox` is raised
and the agent is played in a sandbox instead.
"""

import posixpath
from collections.abc import Mapping
from typing import Any

from clawgym_bench.agents.reference import Script, put_calls
from clawgym_bench.checks import Evidence, ToolCall
from clawgym_bench.evidence import evidence_of
from clawgym_bench.sandbox import File, Snapshot
from clawgym_bench.task import Task

EMPTIED = "find . -mindepth 1 -delete"
"""The one command that is known: it deletes the whole workspace."""
FILES = 2_000
BYTES = 16 * 2**20
PATH_LENGTH = 200
DEPTH = 16
WRITABLE = 0o200


class NeedsSandbox(Exception):
    """What the agent would leave is not certain without a sandbox."""


async def play_placed(task: Task, script: Script) -> Evidence:
    """What the script leaves behind, as `play` would tell. Raises `NeedsSandbox`."""
    folder = _Folder()
    messages = []
    for number in range(1, len(task.sessions) + 1):
        folder.session = number
        folder.bring(task.workspace if number == 1 else {})
        folder.bring(task.arrivals(number))
        messages.append(await script(task, number, folder))
    files = {path: file.content for path, file in folder.files.items()}
    snapshot = Snapshot(files, frozenset(folder.directories))
    return evidence_of(task, snapshot, messages, folder.calls)


class _Folder:
    """A workspace in memory; implements `Act` and `Places`."""

    def __init__(self) -> None:
        self.session = 1
        self.files: dict[str, File] = {}
        self.directories: set[str] = set()
        self.calls: list[ToolCall] = []

    async def __call__(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name != "exec" or dict(arguments) != {"command": EMPTIED}:
            raise NeedsSandbox
        self.calls.append(ToolCall(self.session, name, dict(arguments), ""))
        self.files, self.directories = {}, set()
        return ""

    def place(self, path: str, file: File) -> None:
        before = self.files.get(path)
        if before is not None and before.mode is not None and not before.mode & WRITABLE:
            raise NeedsSandbox
        self.bring({path: File(file.content, before.mode if before else None)})
        self.calls += [ToolCall(self.session, *call, "") for call in put_calls(path, file)]

    def bring(self, files: Mapping[str, File]) -> None:
        for path, file in files.items():
            above = _folders(path)
            if path in self.directories or any(folder in self.files for folder in above):
                raise NeedsSandbox
            self.directories.update(above)
            self.files[path] = file
        if len(self.files) > FILES or sum(len(f.content) for f in self.files.values()) > BYTES:
            raise NeedsSandbox


def _folders(path: str) -> list[str]:
    """The folders above a plain path."""
    parts = path.split("/")
    plain = path.isprintable() and posixpath.normpath(path) == path and not path.startswith("~")
    if not plain or path.startswith(("/", "..")) or path == "." or len(parts) > DEPTH:
        raise NeedsSandbox
    if len(path.encode(errors="replace")) > PATH_LENGTH:
        raise NeedsSandbox
    return ["/".join(parts[:count]) for count in range(1, len(parts))]
