"""Finds and removes what dead runs have left behind; see `labels.py` for what tells them.

Normally there is nothing: a sandbox leaves with the process that made it. What can be left are
containers that were never started, empty cgroups, records, a supervisor that hangs, and a bwrap
whose parent was killed before it let it go on.
"""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clawgym_bench.errors import SandboxUnavailable
from clawgym_bench.sandbox.cgroup import discard, parents, run_of
from clawgym_bench.sandbox.labels import (
    PREFIX,
    Label,
    Record,
    folders_of_runs,
    is_living,
    records,
    start_time,
)

REMOVERS = 8
PATIENCE = 50
"""Hundredths of a second for a cgroup to empty itself."""


@dataclass(frozen=True)
class Stray:
    """Something that was removed: "container", "sandbox" (bwrap) or "cgroup", and why."""

    kind: str
    name: str
    sample: str
    why: str


def clean(older_than: float | None = None) -> list[Stray]:
    """Removes what belongs to runs that are over or has passed its deadline; with `older_than`
    (seconds) also what is older than that, of living runs too. Nothing else is touched."""
    found = clean_processes(older_than)
    with contextlib.suppress(SandboxUnavailable):
        found += clean_containers(older_than)
    return found


def clean_containers(older_than: float | None = None) -> list[Stray]:
    """Raises `SandboxUnavailable` when no daemon answers."""
    from clawgym_bench.sandbox.container import remove
    from clawgym_bench.sandbox.image.build import connect

    client = connect()
    try:
        strays = []
        for found in client.api.containers(all=True, filters={"label": f"{PREFIX}=1"}):
            labels = {f"{PREFIX}.created": found["Created"], **found["Labels"]}
            why = Label.of(labels, f"{PREFIX}.").why_stray(older_than)
            if why and found.get("State") != "removing":
                sample = sample_of(found["Names"])
                strays.append(Stray("container", str(found["Id"])[:12], sample, why))
        with ThreadPoolExecutor(REMOVERS) as threads:
            list(threads.map(lambda stray: remove(client, stray.name), strays))
        return strays
    finally:
        client.close()


def sample_of(names: Sequence[str] | None) -> str:
    """The sample in a container's name ("clawgym-SAMPLE-ID"), where it has one."""
    name = (names or [""])[0].removeprefix("/")
    if not name.startswith(f"{PREFIX}-"):
        return ""
    return name.removeprefix(f"{PREFIX}-").rpartition("-")[0]


def clean_processes(older_than: float | None = None) -> list[Stray]:
    """bwrap sandboxes by their records, then the cgroups of runs that are over."""
    strays = []
    for record in records():
        why = record.label.why_stray(older_than)
        if why:
            end(record)
            name = f"process {record.supervisor}"
            strays.append(Stray("sandbox", name, record.label.sample, why))
    strays += [Stray("sandbox", f"process {pid}", "", "its run is over") for pid in end_unborn()]
    strays += [Stray("cgroup", name, "", "its run is over") for name in sweep_cgroups()]
    for folder in folders_of_runs():
        if is_living(folder.name) is False:
            shutil.rmtree(folder, ignore_errors=True)
    return strays


def end(record: Record) -> None:
    """Kills a supervisor, if the process with its number still is it, and clears up behind it."""
    if record.supervisor and record.started:
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(record.supervisor)
            try:
                if start_time(record.supervisor) == record.started:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)
    # Only what is one of our groups: a record may be damaged.
    groups = [Path(name) for name in record.cgroups]
    empty([path for path in groups if path.parent in parents() and run_of(path.name)])
    record.remove()


def unborn_name(run: str) -> str:
    """What a bwrap is called until it becomes the supervisor."""
    return f"{PREFIX}-bwrap-{run}"


def end_unborn() -> Iterator[int]:
    """Kills bwraps of runs that are over. One whose parent dies between making it and telling it
    to go on waits for ever, and has no record yet."""
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            try:
                called = (folder / "cmdline").read_bytes().partition(b"\0")[0]
                name = called.decode("ascii", "replace")
                run = name.removeprefix(unborn_name(""))
                if run != name and is_living(run) is False:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    yield pid
            finally:
                os.close(handle)


@cache
def sweep_once() -> None:
    """Before a run makes its first sandbox; once per process."""
    clean_processes()


def sweep_cgroups() -> Iterator[str]:
    """Removes groups of runs that are over, with what still runs in them."""
    for parent in parents():
        for folder in parent.glob(f"{PREFIX}-*"):
            if is_living(run_of(folder.name)) is False:
                empty([folder])
                yield str(folder)


def empty(folders: list[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError, ValueError):
            for pid in (folder / "cgroup.procs").read_text().split():
                os.kill(int(pid), signal.SIGKILL)
    for _ in range(PATIENCE):
        folders = discard(folders)
        if not folders:
            return
        time.sleep(0.01)
