"""One evaluation of tiny tasks in a process of its own.

python -m benchmarks.one_eval claw|bare COUNT SAMPLES_AT_A_TIME

`claw`: our task with the oracle in bwrap sandboxes. `bare`: the least that Inspect needs for the
same thing on its `local` sandbox: the same messages and tool calls, and a scorer that compares one
file. Prints one line of JSON, `Measured` as fields.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

from benchmarks.bare_task import bare_task
from benchmarks.cost import Meter
from benchmarks.tiny_tasks import write_set
from clawgym_bench.evaluation import imported
from clawgym_bench.sandbox.bwrap import BwrapBackend
from clawgym_bench.sandbox.supervised import SupervisedSandbox

WARM_UP = 5


@dataclass(frozen=True)
class Measured:
    """Seconds. `inside`: while a call to a sandbox was open (creating and destroying too), which
    separates the two only when there is one sample at a time. CPU is this process's own, so that
    of sandboxes is in neither."""

    samples: int
    wall: float
    wall_inside: float
    cpu: float
    cpu_inside: float
    memory_before: float
    memory_peak: float
    log_mb: float


class Inside:
    """Adds up the time during which at least one call to a sandbox is open."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0
        self._open = 0
        self._since = (0.0, 0.0)

    def enter(self) -> None:
        if not self._open:
            self._since = time.perf_counter(), time.process_time()
        self._open += 1

    def leave(self) -> None:
        self._open -= 1
        if not self._open:
            self.wall += time.perf_counter() - self._since[0]
            self.cpu += time.process_time() - self._since[1]

    def watch(self, kind: type, *names: str) -> None:
        """Counts the coroutine methods `names` of a class."""
        for name in names:
            given = kind.__dict__[name]
            plain: Callable[..., Any] = getattr(given, "__func__", given)

            @wraps(plain)
            async def counted(*args: Any, plain: Callable[..., Any] = plain, **kwargs: Any) -> Any:
                self.enter()
                try:
                    return await plain(*args, **kwargs)
                finally:
                    self.leave()

            setattr(kind, name, classmethod(counted) if isinstance(given, classmethod) else counted)


def evaluate(task: Task, folder: Path, at_a_time: int) -> None:
    (log,) = eval(
        task,
        model="none",
        max_samples=at_a_time,
        display="none",
        log_dir=str(folder),
        log_header_only=True,  # as on the command line
    )
    if log.status != "success" or log.results is None:
        raise SystemExit(f"the evaluation failed: {log.error.message if log.error else log.status}")
    value = log.results.scores[0].metrics["mean"].value
    if value != 1.0:
        raise SystemExit(f"the evaluation scored {value}, not 1: {log.location}")


def main() -> None:
    kind, count, at_a_time = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    inside = Inside()
    calls = ("exec", "write", "read", "stop", "snapshot", "close")
    inside.watch(SupervisedSandbox, *calls)
    inside.watch(BwrapBackend, "create")
    inside.watch(
        LocalSandboxEnvironment,
        *("exec", "write_file", "read_file", "sample_init", "sample_cleanup"),
    )
    with tempfile.TemporaryDirectory(prefix="clawgym-benchmark-") as name:
        folder = Path(name)
        few, all_tasks = folder / "few.jsonl", folder / "all.jsonl"
        write_set(few, WARM_UP)
        write_set(all_tasks, count)

        def run(size: int, file: Path, logs: Path) -> None:
            if kind == "bare":
                evaluate(bare_task(size), logs, at_a_time)
            else:
                task = imported(str(file), agent="oracle", sandbox="bwrap")
                evaluate(task, logs, at_a_time)

        run(WARM_UP, few, folder / "warm-up")
        inside.wall = inside.cpu = 0.0
        meter = Meter()
        run(count, all_tasks, folder / "logs")
        cost = meter.stop()
        size = sum(path.stat().st_size for path in (folder / "logs").iterdir())
    measured = Measured(
        count,
        cost.wall,
        inside.wall,
        cost.own,
        inside.cpu,
        cost.memory_before,
        cost.memory_peak,
        size / 1e6,
    )
    print(json.dumps(asdict(measured)))


if __name__ == "__main__":
    main()
