"""The audit as one self-contained HTML page: totals, charts, one line per task."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from clawgym_bench.audit.junk import BOUND
from clawgym_bench.audit.summary import Summary

JUNK_BINS = 20
PAGE_LINES = 2_000
WANTED = 0.8


@dataclass(frozen=True)
class Bar:
    """One bar: `share` of the full width, in [0, 1]."""

    label: str
    share: float
    text: str
    good: bool


def write_page(summary: Summary, gates: Sequence[str], file: Path) -> None:
    """Writes the report to `file`. Everything from tasks is escaped."""
    environment = Environment(
        loader=PackageLoader("clawgym_bench.audit", "."), autoescape=True, undefined=StrictUndefined
    )
    lines = sorted(summary.lines, key=lambda line: (line.passed, line.task))
    text = environment.get_template("page.html.j2").render(
        total=len(lines),
        passed=summary.passed,
        gates=gates,
        gate_bars=gate_bars(summary, gates),
        junk_bars=junk_bars(summary),
        mutant_bars=mutant_bars(summary),
        form_bars=form_bars(summary),
        lines=lines[:PAGE_LINES],
        left_out=max(0, len(lines) - PAGE_LINES),
        bound=BOUND,
    )
    file.write_text(text, encoding="utf-8")


def gate_bars(summary: Summary, gates: Sequence[str]) -> list[Bar]:
    """Per gate the share of tasks that passed it, of those it applies to."""
    bars = []
    for gate in gates:
        statuses = [line.statuses.get(gate) for line in summary.lines]
        applies = [status for status in statuses if status not in {None, "not applicable"}]
        passed = sum(status == "passed" for status in applies)
        share = passed / len(applies) if applies else 0.0
        bars.append(Bar(gate, share, f"{passed} of {len(applies)}", passed == len(applies)))
    return bars


def junk_bars(summary: Summary) -> list[Bar]:
    """How many tasks have their best-paid junk agent in each band of scores."""
    agents = list(summary.of("junk").values())
    best = [max(scores) for scores in zip(*agents, strict=False)] if agents else []
    counts = [0] * JUNK_BINS
    for score in best:
        counts[min(int(score * JUNK_BINS), JUNK_BINS - 1)] += 1
    top = max(counts, default=0) or 1
    width = 1 / JUNK_BINS
    return [
        Bar(
            f"{number * width:.2f}–{(number + 1) * width:.2f}",
            count / top,
            str(count),
            (number + 1) * width <= BOUND + 1e-9,
        )
        for number, count in enumerate(counts)
        if count
    ]


def form_bars(summary: Summary) -> list[Bar]:
    """Per derived form the mean share accepted over the tasks where it was tried."""
    bars = []
    for name, shares in sorted(summary.of("variants").items()):
        if name.startswith("form "):
            share = sum(shares) / len(shares)
            text = f"{share:.0%} of {len(shares)} tasks"
            bars.append(Bar(name.removeprefix("form "), share, text, share >= 1))
    return bars


def mutant_bars(summary: Summary) -> list[Bar]:
    """Per kind of seeded error the share caught."""
    figures = summary.of("mutants")
    bars = []
    for name in sorted(figures):
        kind, _, role = name.rpartition(" ")
        if role == "tried" and sum(figures[name]) > 0:
            done = sum(figures.get(f"{kind} caught", []))
            share = done / sum(figures[name])
            text = f"{done:.0f} of {sum(figures[name]):.0f} ({share:.0%})"
            bars.append(Bar(kind, share, text, share >= WANTED))
    return bars
