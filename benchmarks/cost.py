"""What a span of a program costs: CPU of the machine and of the process, and peak memory.

The work of a Docker daemon is done by processes that are nobody's children here, some of which
live for a moment only. What is comparable is therefore the whole machine's busy time in
/proc/stat, less what the machine does when nothing is measured (`idle_load`, measured right
before). That asks for a quiet machine, which `idle_load` also shows.
"""

import os
import platform
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
SETTLE_SECONDS = 0.5
"""CPU is read this long after the end of a span: daemons finish behind their callers' backs."""


@dataclass(frozen=True)
class Cost:
    """`wall`, and CPU in seconds: `machine` over `wall` and the time to settle after it,
    `own` of this process with all its threads. (Children are not told apart: some ways leave theirs
    to be reaped by others.) Memory of the process in MB, at the start and at its highest."""

    wall: float
    settled: float
    machine: float
    own: float
    memory_before: float
    memory_peak: float


class Meter:
    """Measures from its making to `stop`."""

    def __init__(self) -> None:
        # Memory first: resetting the peak is work too.
        Path("/proc/self/clear_refs").write_text("5")
        self._before = _status("VmRSS")
        self._own = time.process_time()
        self._machine, self._start = busy(), time.perf_counter()

    def stop(self) -> Cost:
        """Blocks for a moment, so that what goes on elsewhere is counted."""
        wall = time.perf_counter() - self._start
        own = time.process_time() - self._own
        peak = _status("VmHWM")
        time.sleep(SETTLE_SECONDS)
        return Cost(
            wall,
            time.perf_counter() - self._start,
            busy() - self._machine,
            own,
            self._before,
            peak,
        )


def busy() -> float:
    """Seconds that the machine's cores have worked since its start."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
    user, nice, system, _idle, _iowait, irq, softirq = fields[:7]
    return (user + nice + system + irq + softirq) / TICKS


def idle_load(seconds: float) -> float:
    """How many cores are busy while nothing is measured."""
    start, begin = busy(), time.perf_counter()
    time.sleep(seconds)
    return (busy() - start) / (time.perf_counter() - begin)


def _status(name: str) -> float:
    """A size of this process in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    return 0.0


def machine() -> dict[str, object]:
    """What a reader needs to place the figures."""
    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cores": os.cpu_count(),
        "cpu": model[0] if model else platform.machine(),
        "memory_gb": round(pages / 2**30),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "inspect_ai": metadata.version("inspect-ai"),
        "root": os.getuid() == 0,
    }
