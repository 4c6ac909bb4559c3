"""Lives of sandboxes: ours, Inspect's `docker` provider, and the bare programs.

python -m benchmarks.sandbox                              everything, about 12 minutes on 2 cores
python -m benchmarks.sandbox --rounds 1 --only bwrap      only ways whose name contains "bwrap"
python -m benchmarks.sandbox --table                      the table and the chart of the last run

In each round every way is measured at every concurrency, each in a process of its own; ways take
turns, so that what disturbs the machine for a while disturbs all of them. Rows are medians over
the rounds.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from benchmarks.chart import CHART, draw
from benchmarks.cost import Cost, idle_load, machine
from benchmarks.one_round import Measured
from benchmarks.rows import RESULTS, Row, find, median_row, percentile, read, shortened, write
from benchmarks.ways import (
    BARE_BWRAP,
    BARE_DOCKER,
    INSPECT,
    OUR_BWRAP,
    OUR_COLD,
    OUR_DOCKER,
    WAYS,
    docker_facts,
)

NAME = "sandbox"
ROUNDS = 5
CONCURRENCY = (1, 8, 32)
LIVES = {
    OUR_BWRAP: (20, 64, 96),
    BARE_BWRAP: (20, 64, 96),
    OUR_DOCKER: (6, 24, 64),
    OUR_COLD: (3, 12, 32),
    BARE_DOCKER: (3, 12, 32),
    INSPECT: (1, 8, 32),
}
"""Lives per round at concurrency 1, 8 and 32 or their likes; never fewer than the concurrency."""
SLOW = (INSPECT, 32)
SLOW_ROUNDS = 2
"""Inspect's provider needs one and a half minutes for 32 lives."""
IDLE_SECONDS = 3.0
LIMIT_SECONDS = 600.0
QUIET = 0.1

Case = tuple[str, int]


def main() -> None:
    settings = arguments()
    if settings.table:
        show(read(NAME))
        return
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    measured, loads, unusable = run(settings, console)
    rows = [row for case, found in measured.items() for row in rows_of(case, found)]
    if not rows:
        raise SystemExit("nothing was measured")
    facts = {
        **machine(),
        **docker_facts(),
        "rounds": settings.rounds,
        "idle_load": [shortened(load) for load in loads],
        "not_measured": unusable,
    }
    console.print(f"written: {write(NAME, rows, facts)}")
    show(rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--concurrency", type=numbers, default=CONCURRENCY, metavar="1,8,32")
    parser.add_argument("--only", action="append", metavar="PART OF A NAME", help="repeatable")
    parser.add_argument(
        "--all-rounds",
        action="store_true",
        help=f"{SLOW[0]} at {SLOW[1]} in every round, not only in {SLOW_ROUNDS} (4 more minutes)",
    )
    parser.add_argument("--table", action="store_true", help="show the last run, measure nothing")
    return parser.parse_args()


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


@dataclass(frozen=True)
class Turn:
    """One measurement, and how busy the machine was before its round."""

    measured: Measured
    idle: float

    @property
    def lives_per_second(self) -> float:
        return self.measured.lives / self.measured.cost.wall

    @property
    def machine_seconds(self) -> float:
        cost = self.measured.cost
        return max(0.0, cost.machine - self.idle * cost.settled) / self.measured.lives


def run(
    settings: argparse.Namespace, console: Console
) -> tuple[dict[Case, list[Turn]], list[float], dict[str, str]]:
    """All turns by case, the idle load before each round, and why ways could not be gone."""
    wanted = settings.only or [""]
    names = [name for name in WAYS if any(part in name for part in wanted)]
    if not names:
        raise SystemExit(f"no way is called like that; there are {', '.join(WAYS)}")
    cases = [(name, concurrency) for concurrency in settings.concurrency for name in names]
    found: dict[Case, list[Turn]] = {case: [] for case in cases}
    loads: list[float] = []
    unusable: dict[str, str] = {}
    spent: dict[Case, float] = defaultdict(float)
    for number in range(1, settings.rounds + 1):
        idle = idle_load(IDLE_SECONDS)
        loads.append(idle)
        if idle > QUIET:
            console.print(f"[yellow]not quiet: {idle:.2f} cores are busy with something else[/]")
        # Another order in each round, so that nobody always follows the same one.
        shift = (number - 1) * (len(names) + 1) % len(cases)
        for case in cases[shift:] + cases[:shift]:
            name, concurrency = case
            if name in unusable:
                continue
            if case == SLOW and number > SLOW_ROUNDS and not settings.all_rounds:
                continue
            begin = time.monotonic()
            outcome = measure(name, concurrency)
            spent[case] += time.monotonic() - begin
            if isinstance(outcome, str):
                unusable[name] = outcome
                console.print(f"[yellow]{name} is left out: {outcome}[/]")
                continue
            turn = Turn(outcome, idle)
            found[case].append(turn)
            console.print(
                f"round {number}/{settings.rounds}  {name:21} x{concurrency:<3} "
                f"{turn.lives_per_second:7.2f} lives/s  {turn.machine_seconds:6.3f} CPU s/life  "
                f"exec {1000 * statistics.median(outcome.execs):6.1f} ms  "
                f"[dim]{time.monotonic() - begin:.0f} s[/]"
            )
    console.print("seconds per way: " + ", ".join(
        f"{name} {sum(spent[case] for case in cases if case[0] == name):.0f}" for name in names
    ))  # fmt: skip
    return {case: turns for case, turns in found.items() if turns}, loads, unusable


def measure(name: str, concurrency: int) -> Measured | str:
    """One round of one way in a process of its own; or why it cannot be gone."""
    lives = max(concurrency, LIVES[name][0 if concurrency < 4 else 1 if concurrency < 16 else 2])
    command = [sys.executable, "-m", "benchmarks.one_round", name, str(concurrency), str(lives)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"not done after {LIMIT_SECONDS:.0f} s"
    if done.returncode != 0:
        return "failed: " + " | ".join(done.stderr.strip().splitlines()[-3:])
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    if "unusable" in answer:
        return str(answer["unusable"])
    return Measured(answer["lives"], answer["execs"], Cost(**answer["cost"]))


def rows_of(case: Case, turns: Sequence[Turn]) -> list[Row]:
    """The exec times' p99 is that of all rounds together; a single round has too few for one."""
    name, concurrency = case

    def row(metric: str, unit: str, values: Sequence[float]) -> Row:
        return median_row(name, concurrency, metric, unit, values)

    costs = [turn.measured.cost for turn in turns]
    execs = [[1000 * second for second in turn.measured.execs] for turn in turns]
    together = [second for times in execs for second in times]
    p99 = [percentile(times, 0.99) for times in execs]
    return [
        row("lives_per_second", "1/s", [turn.lives_per_second for turn in turns]),
        row("exec_p50", "ms", [percentile(times, 0.5) for times in execs]),
        Row(
            name, concurrency, "exec_p99", shortened(percentile(together, 0.99)), "ms",
            len(together), shortened(min(p99)), shortened(max(p99)),
        ),
        row("cpu_per_life", "s", [turn.machine_seconds for turn in turns]),
        row("harness_cpu_per_life", "s", [t.measured.cost.own / t.measured.lives for t in turns]),
        row("harness_peak_memory", "MB", [cost.memory_peak for cost in costs]),
        row("harness_memory_growth", "MB", [c.memory_peak - c.memory_before for c in costs]),
    ]  # fmt: skip


def show(rows: Sequence[Row]) -> None:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(figures(rows))
    for line in verdicts(rows):
        console.print(line)
    if draw(rows):
        console.print(f"chart: {CHART}; rows: {RESULTS / NAME}.json")


def figures(rows: Sequence[Row]) -> Table:
    """A line per way and concurrency, with ratios to the two that ours are compared with."""
    table = Table(box=None, pad_edge=False)
    for heading in ("way", "x", "lives/s", "min–max", "vs inspect", "vs bare bwrap", "exec p50 ms",
                    "p99", "CPU s/life", "vs inspect", "peak MB"):  # fmt: skip
        table.add_column(heading, justify="left" if heading == "way" else "right")
    cases = sorted({(row.concurrency, list(WAYS).index(row.what), row.what) for row in rows})
    last = None
    for concurrency, _, name in cases:
        here = {r.metric: r for r in rows if (r.what, r.concurrency) == (name, concurrency)}
        lives, cpu = here["lives_per_second"], here["cpu_per_life"]
        if last not in (None, concurrency):
            table.add_section()
        last = concurrency
        table.add_row(
            name,
            str(concurrency),
            f"{lives.value:.3g}",
            f"{lives.min:.3g}–{lives.max:.3g}",
            times(lives.value, find(rows, INSPECT, concurrency, "lives_per_second")),
            times(lives.value, find(rows, BARE_BWRAP, concurrency, "lives_per_second")),
            f"{here['exec_p50'].value:.1f}",
            f"{here['exec_p99'].value:.1f}",
            f"{cpu.value:.3f}",
            times(cpu.value, find(rows, INSPECT, concurrency, "cpu_per_life")),
            f"{here['harness_peak_memory'].value:.0f}",
        )
    return table


def times(value: float, base: float | None) -> str:
    return f"{value / base:.3g}x" if base else ""


def verdicts(rows: Sequence[Row]) -> list[str]:
    """What the project has set itself, and whether this run shows it."""

    def ratio(metric: str, ours: str, other: str, at: int = 8, base: int = 8) -> float | None:
        above, below = find(rows, ours, at, metric), find(rows, other, base, metric)
        return above / below if above is not None and below else None

    aims = [
        ("docker, lives/s against inspect's, x8", ratio("lives_per_second", OUR_DOCKER, INSPECT),
         8, None),
        ("docker, exec p50 in ms, x8", find(rows, OUR_DOCKER, 8, "exec_p50"), None, 10),
        ("docker, CPU per life against inspect's, x8", ratio("cpu_per_life", OUR_DOCKER, INSPECT),
         None, 0.1),
        ("bwrap, lives/s against inspect's, x8", ratio("lives_per_second", OUR_BWRAP, INSPECT),
         50, None),
        ("bwrap, lives/s against bare bwrap, x8",
         ratio("lives_per_second", OUR_BWRAP, BARE_BWRAP), 0.9, None),
        ("bwrap, CPU per life against inspect's, x8", ratio("cpu_per_life", OUR_BWRAP, INSPECT),
         None, 0.1),
        ("docker, lives/s at x32 against x8",
         ratio("lives_per_second", OUR_DOCKER, OUR_DOCKER, at=32), 1, None),
        ("bwrap, lives/s at x32 against x8",
         ratio("lives_per_second", OUR_BWRAP, OUR_BWRAP, at=32), 1, None),
    ]  # fmt: skip
    lines = []
    for what, value, least, most in aims:
        if value is None:
            lines.append(f"? {what}: not measured")
            continue
        met = (least is None or value >= least) and (most is None or value <= most)
        aim = f"at least {least}" if least is not None else f"at most {most}"
        lines.append(f"{'✓' if met else '✗'} {what}: {value:.3g} ({aim})")
    return lines


if __name__ == "__main__":
    main()
