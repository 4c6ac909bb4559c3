"""The chart of the sandboxes, for the documentation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.ways import WAYS

CHART = Path(__file__).parents[1] / "docs" / "img" / "sandbox.svg"
COLOURS = ("#9ecae1", "#4292c6", "#08519c")
PANELS = (
    ("lives_per_second", None, "lives per second", "more is better"),
    ("exec_p50", "exec_p99", "one command in ms: median, line to p99", "less is better"),
    ("cpu_per_life", None, "CPU seconds per life, whole machine", "less is better"),
)


def draw(rows: Sequence[Row], file: Path = CHART) -> bool:
    """Writes the chart; false, with a message, where matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("no chart: pip install -e '.[bench]'")
        return False
    matplotlib.use("svg")
    from matplotlib import pyplot

    style: Any = {
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 9,
        "svg.hashsalt": "clawgym",  # equal figures make equal files
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with pyplot.rc_context(style):
        figure, axes = pyplot.subplots(1, len(PANELS), figsize=(12, 5.2), sharey=True)
        for axis, panel in zip(axes, PANELS, strict=True):
            _panel(axis, rows, *panel)
        names = _names(rows)
        axes[0].set_yticks(range(len(names)), names)
        axes[0].set_ylim(len(names) - 0.45, -0.55)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
        figure.tight_layout(rect=(0, 0.06, 1, 1))
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, facecolor="white", metadata={"Date": None})
        pyplot.close(figure)
    return True


def _names(rows: Sequence[Row]) -> list[str]:
    there = {row.what for row in rows}
    return [name for name in WAYS if name in there]


def _panel(
    axis: Any, rows: Sequence[Row], metric: str, far: str | None, title: str, better: str
) -> None:
    """Bars from the left, one group per way, a shade per concurrency; the thin line is the spread
    of the rounds, or reaches to the `far` metric."""
    names = _names(rows)
    levels = sorted({row.concurrency for row in rows})
    height = 0.8 / len(levels)
    found = {(r.what, r.concurrency): r for r in rows if r.metric == metric}
    ends = {(r.what, r.concurrency): r.value for r in rows if r.metric == far}
    largest = max([*(row.max for row in found.values()), *ends.values()])
    least = min((row.value for row in found.values() if row.value > 0), default=1e-3)
    axis.set_xscale("log")
    axis.set_xlim(least / 2.5, max(largest, least) * 4)
    for number, level in enumerate(levels):
        for place, name in enumerate(names):
            row = found.get((name, level))
            if row is None:
                continue
            at = place + (number - (len(levels) - 1) / 2) * height
            colour = COLOURS[(number + (len(COLOURS) - len(levels))) % len(COLOURS)]
            label = f"{level} at a time" if place == 0 else None
            axis.barh(at, row.value, height * 0.92, color=colour, label=label)
            low = row.value if far else row.min
            high = ends.get((name, level), row.max)
            axis.plot([low, high], [at, at], color="#444444", linewidth=0.8)
            axis.annotate(
                plain(row.value),
                (max(row.value, high), at),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
            )
    axis.xaxis.set_major_formatter(lambda value, _: plain(value))
    axis.minorticks_off()
    axis.set_title(f"{title}\n", fontsize=10, loc="left")
    axis.text(
        0, 1.01, f"{better}; logarithmic", transform=axis.transAxes, fontsize=8, color="#666666"
    )
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)


def plain(value: float) -> str:
    """Three significant digits without an exponent."""
    return f"{float(f'{value:.3g}'):,.10g}"
