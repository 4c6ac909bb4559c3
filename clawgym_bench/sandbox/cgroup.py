"""Limits for a bwrap sandbox as a whole, where this process may make cgroups.

Version 2 needs a delegated subtree (`systemd-run --user --scope -p Delegate=yes ...`); version 1
needs root. Without either, the supervisor watches memory and RLIMIT_NPROC limits processes.
"""

import asyncio
import contextlib
import os
import secrets
from pathlib import Path

from clawgym_bench.sandbox.labels import PREFIX, this_run
from clawgym_bench.sandbox.protocol import Resources

MOUNT = Path("/sys/fs/cgroup")
PERIOD = 100_000
NEARLY = 0.95


class Cgroup:
    """The folders that hold one sandbox's processes."""

    def __init__(self, kind: str, folders: list[Path]) -> None:
        self.kind, self.folders = kind, folders

    @classmethod
    def around(cls, supervisor: int, resources: Resources) -> "Cgroup | None":
        """Moves a supervisor into a group of its own; None where no group can be made.

        Called before the first command, so that everything later is born inside.
        """
        name = f"{PREFIX}-{this_run()}-{secrets.token_hex(4)}"
        for kind, plan in (("v2", plan_v2(resources)), ("v1", plan_v1(resources))):
            folders: list[Path] = []
            try:
                for parent, limits in plan:
                    folder = parent / name
                    folder.mkdir()
                    folders.append(folder)
                    for file, value in limits.items():
                        with contextlib.suppress(FileNotFoundError):  # e.g. no swap accounting
                            (folder / file).write_text(value)
                    (folder / "cgroup.procs").write_text(str(supervisor))
            except OSError:
                discard(folders)
                continue
            if folders:
                return cls(kind, folders)
        return None

    def memory_kills(self) -> int:
        """How often the kernel has killed for memory in here."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with contextlib.suppress(OSError):
                    for line in (folder / name).read_text().splitlines():
                        if line.startswith("oom_kill "):
                            return int(line.split()[1])
        return 0

    def was_full(self) -> bool:
        """Whether this group has reached its own memory limit (the machine has one too)."""
        for folder in self.folders:
            for most, limit in (
                ("memory.peak", "memory.max"),
                ("memory.max_usage_in_bytes", "memory.limit_in_bytes"),
            ):
                with contextlib.suppress(OSError, ValueError):
                    reached = int((folder / most).read_text())
                    if reached >= NEARLY * int((folder / limit).read_text()):
                        return True
            with contextlib.suppress(OSError):  # kernels before 5.19 know no peak
                events = (folder / "memory.events").read_text().splitlines()
                if any(line.startswith("max ") and line != "max 0" for line in events):
                    return True
        return False

    async def remove(self) -> None:
        """The kernel lets go of a group a moment after its last process."""
        for _ in range(50):
            self.folders = discard(self.folders)
            if not self.folders:
                return
            await asyncio.sleep(0.01)


def run_of(name: str) -> str:
    """The run in the name of a group of ours; "" in any other name."""
    parts = name.split("-")
    return parts[1] if len(parts) == 3 and parts[0] == PREFIX else ""


def parents() -> list[Path]:
    """Where groups of ours can be."""
    plans = (*plan_v2(Resources()), *plan_v1(Resources()))
    return [parent for parent, _ in plans]


def discard(folders: list[Path]) -> list[Path]:
    left = []
    for folder in folders:
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            left.append(folder)
    return left


def plan_v2(resources: Resources) -> list[tuple[Path, dict[str, str]]]:
    """Beside our own group, when its parent is ours and passes the controllers on."""
    try:
        line = next(
            line for line in Path("/proc/self/cgroup").read_text().splitlines() if line[:3] == "0::"
        )
        parent = (MOUNT / line[3:].lstrip("/")).parent
        passed = (parent / "cgroup.subtree_control").read_text().split()
    except (OSError, StopIteration):
        return []
    if not {"memory", "pids"} <= set(passed) or not os.access(parent, os.W_OK):
        return []
    limits = {
        "memory.max": str(resources.memory_mb * 2**20),
        "memory.swap.max": "0",
        "pids.max": str(resources.processes),
        "cpu.max": f"{int(resources.cpus * PERIOD)} {PERIOD}",
    }
    return [(parent, limits)]


def plan_v1(resources: Resources) -> list[tuple[Path, dict[str, str]]]:
    memory = str(resources.memory_mb * 2**20)
    plan = [
        (
            MOUNT / "memory",
            {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory},
        ),
        (MOUNT / "pids", {"pids.max": str(resources.processes)}),
        (
            MOUNT / "cpu",
            {
                "cpu.cfs_period_us": str(PERIOD),
                "cpu.cfs_quota_us": str(int(resources.cpus * PERIOD)),
            },
        ),
    ]
    return [(parent, limits) for parent, limits in plan if os.access(parent, os.W_OK)]
