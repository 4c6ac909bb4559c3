"""Tasks audited per minute with all gates in bwrap sandboxes, and how that grows.

python -m benchmarks.audit                       20 and 200 tasks, on 2 cores
python -m benchmarks.audit --sizes 20,200,2000   at 60 tasks a minute 40 minutes
python -m benchmarks.audit --sizes 20 --only lint --only junk

The sets are the shipped tasks over and over, each copy under another id and title, so that no two
are the same to whatever caches by content.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.cost import idle_load, machine
from benchmarks.harness import sizes
from benchmarks.one_audit import Measured
from benchmarks.rows import Row, find, median_row, write
from clawgym_bench.task import line_of
from clawgym_bench.taskset import load_bench

NAME = "audit"
SIZES = (20, 200)
JOBS = 2
PER_MINUTE, MEMORY_MB = 60, 500


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit")
    parser.add_argument("--sizes", type=sizes, default=SIZES, metavar="20,200,2000")
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--only", action="append", default=[], metavar="GATE", help="repeatable")
    settings = parser.parse_args()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    idle = idle_load(3.0)
    console.print(f"idle load: {idle:.2f} cores")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="clawgym-benchmark-") as folder:
        for count in settings.sizes:
            file = Path(folder, f"{count}.jsonl")
            write_copies(file, count)
            measured = measure(file, settings.jobs, settings.only)
            rows += rows_of(measured, settings.jobs, idle)
            console.print(
                f"{count} tasks: {measured.wall:.0f} s, "
                f"{60 * measured.tasks / measured.wall:.1f} a minute, "
                f"{measured.memory_peak:.0f} MB; {measured.passed} passed {measured.reasons or ''}"
            )
            console.print(f"  seconds in gates: {measured.gates}")
    facts = {**machine(), "idle_load": round(idle, 3), "gates": settings.only or "all"}
    console.print(f"written: {write(NAME, rows, facts)}")
    for line in verdicts(rows, settings.jobs):
        print(line)


def write_copies(file: Path, count: int) -> None:
    with file.open("w", encoding="utf-8") as out:
        for number, task in enumerate(itertools.islice(itertools.cycle(list(load_bench())), count)):
            changed = {"id": f"{task.id}-{number:05}", "title": f"{task.title} ({number})"}
            out.write(line_of(task.model_copy(update=changed)) + "\n")


def measure(file: Path, jobs: int, gates: Sequence[str]) -> Measured:
    command = [sys.executable, "-m", "benchmarks.one_audit", str(file), str(jobs), *gates]
    cores = sorted(os.sched_getaffinity(0))[:jobs]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    if done.returncode != 0:
        raise SystemExit("the audit failed")
    return Measured(**json.loads(done.stdout.strip().splitlines()[-1]))


def rows_of(measured: Measured, jobs: int, idle: float) -> list[Row]:
    what = f"audit, {measured.tasks} tasks"
    cpu = max(0.0, measured.machine - idle * measured.settled) / measured.tasks
    values = {
        ("tasks_per_minute", "1/min"): 60 * measured.tasks / measured.wall,
        ("cpu_per_task", "s"): cpu,
        ("peak_memory", "MB"): measured.memory_peak,
    }
    rows = [median_row(what, jobs, *key, [value]) for key, value in values.items()]
    for gate, seconds in measured.gates.items():
        rows.append(median_row(what, jobs, f"seconds_in_{gate}", "s", [seconds / measured.tasks]))
    return rows


def verdicts(rows: Sequence[Row], jobs: int) -> list[str]:
    lines = []
    sets = list(dict.fromkeys(row.what for row in rows))
    for what in sets:
        speed, memory = (
            find(rows, what, jobs, m) or 0 for m in ("tasks_per_minute", "peak_memory")
        )
        lines.append(
            f"{what}: {'✓' if speed >= PER_MINUTE else '✗'} {speed:.1f} a minute (at least "
            f"{PER_MINUTE}), {'✓' if memory <= MEMORY_MB else '✗'} {memory:.0f} MB (at most "
            f"{MEMORY_MB})"
        )
    return lines


if __name__ == "__main__":
    main()
