"""Grades a folder on this machine: what a task's author, or another harness, has at hand.

The folder is read like an export of a sandbox: regular files only, bounded, links recorded and
never followed. Nothing of it is run here; checks that run something do so in a sandbox.
"""

import asyncio
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from clawgym_bench.errors import InputError
from clawgym_bench.evidence import evidence_of
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.grading import Grade, grade
from clawgym_bench.sandbox import Snapshot, open_backend
from clawgym_bench.sandbox.backends import BackendName
from clawgym_bench.sandbox.snapshot import SnapshotLimits
from clawgym_bench.task import Task


def read_workspace(folder: Path, limits: SnapshotLimits | None = None) -> Snapshot:
    """The snapshot of a folder; raises `InputError` when there is none."""
    limits = limits or SnapshotLimits()
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the workspace that the agent left")
    files: dict[str, bytes] = {}
    folders: set[str] = set()
    refused: dict[str, str] = {}
    total, cut = 0, ""
    waiting = [(folder, "", 0)]
    while waiting and not cut:
        here, prefix, depth = waiting.pop()
        for entry in sorted(os.scandir(here), key=lambda found: found.name):
            path = prefix + entry.name
            mode = entry.stat(follow_symlinks=False).st_mode
            if not path.isprintable() or len(os.fsencode(path)) > limits.path_length:
                refused[ascii(path)] = "has a name that is not accepted"
            elif stat.S_ISDIR(mode):
                folders.add(path)
                if depth < limits.depth:
                    waiting.append((Path(entry.path), path + "/", depth + 1))
                else:
                    refused[path] = "lies too deep"
            elif not stat.S_ISREG(mode):
                refused[path] = "is a link" if stat.S_ISLNK(mode) else "is not a regular file"
            elif entry.stat(follow_symlinks=False).st_size > limits.file_size:
                refused[path] = f"is larger than {limits.file_size:,} bytes"
            else:
                content = Path(entry.path).read_bytes()[: limits.file_size]
                total += len(content)
                if len(files) >= limits.files or total > limits.total_size:
                    cut = "the workspace has too many files or bytes"
                    break
                files[path] = content
    return Snapshot(files, frozenset(folders), refused, cut)


def grade_workspace(
    task: Task,
    folder: str | Path,
    messages: Sequence[str] = (),
    sandbox: BackendName = "bwrap",
) -> Grade:
    """Grades what lies in `folder` by the task's checks. `messages`: the agent's last of each
    session. Raises `SandboxUnavailable` when a check has to run something and cannot."""
    snapshot = read_workspace(Path(folder))
    padded = [*messages, *[""] * (len(task.sessions) - len(messages))]
    evidence = evidence_of(task, snapshot, padded, [])
    if not runs_something(task):
        return grade(task, evidence)

    async def outcomes() -> Grade:
        backend = open_backend(sandbox)
        try:
            commands = await run_commands(task, snapshot, backend, padded)
        finally:
            await backend.close()
        return grade(task, evidence, commands)

    return asyncio.run(outcomes())
