"""One audit of a task set in a process of its own.

python -m benchmarks.one_audit FILE JOBS [GATE...]

Prints one line of JSON, `Measured` as fields.
"""

import json
import sys
import threading
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass

import psutil  # type: ignore[import-untyped]

from benchmarks.cost import Meter

SAMPLE_SECONDS = 0.25


@dataclass(frozen=True)
class Measured:
    """`memory_peak` in MB: this process and its workers together, without sandboxes. `gates`:
    seconds spent in each, over all tasks. `reasons`: why tasks did not pass, with their number."""

    tasks: int
    passed: int
    wall: float
    machine: float
    settled: float
    memory_peak: float
    gates: dict[str, float]
    reasons: dict[str, int]


class Memory:
    """Samples the size of this process and its direct children."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        own = psutil.Process()
        while not self._over.wait(SAMPLE_SECONDS):
            total = 0
            for process in [own, *own.children()]:
                try:
                    total += process.memory_info().rss
                except psutil.Error:  # it has just ended
                    continue
            self.peak = max(self.peak, total / 2**20)


def main() -> None:
    from clawgym_bench.audit.run import Settings, audit_set

    file, jobs, gates = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    seconds: dict[str, float] = defaultdict(float)
    reasons: Counter[str] = Counter()
    tasks = passed = 0
    with Memory() as memory:
        meter = Meter()
        for audit in audit_set([file], Settings(gates=gates, jobs=jobs)):
            tasks += 1
            failed = [gate.gate for gate in audit.gates if gate.status == "failed"]
            passed += not failed
            reasons.update(failed)
            for gate in audit.gates:
                seconds[gate.gate] += gate.seconds
        cost = meter.stop()
    measured = Measured(
        tasks,
        passed,
        cost.wall,
        cost.machine,
        cost.settled,
        memory.peak,
        {name: round(value, 2) for name, value in seconds.items()},
        dict(reasons),
    )
    print(json.dumps(asdict(measured)))


if __name__ == "__main__":
    main()
