"""What an evaluation costs besides its sandboxes, against a bare Inspect task, and how it grows.

python -m benchmarks.harness                     5 rounds of 500 samples, then 100 to 10,000
python -m benchmarks.harness --rounds 1 --growth 100,1000
python -m benchmarks.harness --growth none       only the comparison

The comparison runs one sample at a time, so that what happens inside and outside of a sandbox can
be told apart; the growth runs eight at a time.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence

from rich.console import Console

from benchmarks.cost import idle_load, machine
from benchmarks.one_eval import Measured
from benchmarks.rows import Row, find, median_row, write

NAME = "harness"
ROUNDS, SAMPLES = 5, 500
SIZES = (100, 1_000, 10_000)
AT_A_TIME = 8
CLAW, BARE = "claw", "bare"
TARGET = 1.15


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.harness")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--growth", type=sizes, default=SIZES, metavar="100,1000,10000")
    parser.add_argument("--bare-growth", action="store_true", help="the bare task's growth too")
    settings = parser.parse_args()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    idle = idle_load(3.0)
    console.print(f"idle load: {idle:.2f} cores")
    rows = compare(settings.rounds, settings.samples, console)
    kinds = (CLAW, BARE) if settings.bare_growth else (CLAW,)
    for kind in kinds:
        rows += grow(kind, settings.growth, console)
    console.print(f"written: {write(NAME, rows, {**machine(), 'idle_load': round(idle, 3)})}")
    for line in [*ratios(rows), *growth(rows)]:
        print(line)


def sizes(text: str) -> tuple[int, ...]:
    return () if text == "none" else tuple(int(part) for part in text.split(","))


def compare(rounds: int, samples: int, console: Console) -> list[Row]:
    found: dict[str, list[Measured]] = {CLAW: [], BARE: []}
    for number in range(1, rounds + 1):
        for kind in (CLAW, BARE) if number % 2 else (BARE, CLAW):
            measured = measure(kind, samples, 1)
            found[kind].append(measured)
            console.print(
                f"round {number}/{rounds}  {kind}: {measured.wall:.1f} s, of which "
                f"{measured.wall_inside:.1f} in sandboxes; own CPU {measured.cpu:.1f} s, "
                f"{measured.cpu_inside:.1f} for sandboxes"
            )
    rows = []
    for kind, all_rounds in found.items():

        def row(metric: str, values: Sequence[float], unit: str = "ms", kind: str = kind) -> Row:
            return median_row(kind, 1, metric, unit, values)

        def each(seconds: float) -> float:
            return 1000 * seconds / samples

        rows += [
            row("wall_outside_sandbox", [each(m.wall - m.wall_inside) for m in all_rounds]),
            row("cpu_outside_sandbox", [each(m.cpu - m.cpu_inside) for m in all_rounds]),
            row("wall", [each(m.wall) for m in all_rounds]),
            row("cpu", [each(m.cpu) for m in all_rounds]),
            row("peak_memory", [m.memory_peak for m in all_rounds], "MB"),
        ]
    return rows


def grow(kind: str, counts: Sequence[int], console: Console) -> list[Row]:
    """Rows whose `what` names the size: "claw, 1000 samples"."""
    rows = []
    for count in counts:
        measured = measure(kind, count, AT_A_TIME)
        console.print(
            f"{kind}, {count} samples: {measured.wall:.1f} s, own CPU {measured.cpu:.1f} s, "
            f"memory {measured.memory_before:.0f} to {measured.memory_peak:.0f} MB, "
            f"log {measured.log_mb:.1f} MB"
        )
        what = f"{kind}, {count} samples"
        rows += [
            median_row(what, AT_A_TIME, metric, unit, [value])
            for metric, unit, value in (
                ("wall_per_sample", "ms", 1000 * measured.wall / count),
                ("cpu_per_sample", "ms", 1000 * measured.cpu / count),
                ("peak_memory", "MB", measured.memory_peak),
                ("log_per_sample", "KB", 1000 * measured.log_mb / count),
            )
        ]
    return rows


def measure(kind: str, samples: int, at_a_time: int) -> Measured:
    command = [sys.executable, "-m", "benchmarks.one_eval", kind, str(samples), str(at_a_time)]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        last = " | ".join(done.stderr.strip().splitlines()[-5:])
        raise SystemExit(f"{kind} failed after {time.monotonic() - begin:.0f} s: {last}")
    return Measured(**json.loads(done.stdout.strip().splitlines()[-1]))


def ratios(rows: Sequence[Row]) -> list[str]:
    lines = []
    for metric in ("wall_outside_sandbox", "cpu_outside_sandbox"):
        ours, bare = find(rows, CLAW, 1, metric), find(rows, BARE, 1, metric)
        if ours is None or not bare:
            continue
        mark = "✓" if ours / bare <= TARGET else "✗"
        lines.append(
            f"{mark} {metric} per sample: {ours:.1f} ms, bare task {bare:.1f} ms: "
            f"{ours / bare:.2f}x (at most {TARGET})"
        )
    return lines


def growth(rows: Sequence[Row]) -> list[str]:
    """How the cost of one sample and the memory change from the smallest size to the largest."""
    lines = []
    for kind in (CLAW, BARE):
        here = [row for row in rows if row.what.startswith(f"{kind}, ")]
        for metric in ("wall_per_sample", "cpu_per_sample", "peak_memory"):
            series = [row for row in here if row.metric == metric]
            if len(series) > 1:
                values = " → ".join(f"{row.value:.4g}" for row in series)
                change = series[-1].value / series[0].value
                lines.append(f"{kind}, {metric} ({series[0].unit}): {values} ({change:.2f}x)")
    return lines


if __name__ == "__main__":
    main()
