"""Charts of a run from the figures that the trainer logged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt

History = Sequence[Mapping[str, Any]]
INK, LIGHT = "#1f4e79", "#c8601a"


def draw_history(history: History, panels: Mapping[str, Sequence[str]], path: Path) -> None:
    """One panel per title, one line per logged name; names that were never logged are left out.

    `path` ends in .png or .svg.
    """
    shown = {
        title: [name for name in names if any(name in row for row in history)]
        for title, names in panels.items()
    }
    shown = {title: names for title, names in shown.items() if names}
    columns = min(3, max(1, len(shown)))
    rows = -(-max(1, len(shown)) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.2 * columns, 2.9 * rows), squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(shown) :]:
        axis.set_visible(False)
    for axis, (title, names) in zip(axes.flat, shown.items(), strict=False):
        for name, colour in zip(names, (INK, LIGHT, "#3a7d44", "#7a4b9a"), strict=False):
            points = [(row["step"], row[name]) for row in history if name in row]
            steps, values = zip(*points, strict=True)
            mark = "o" if len(points) < 15 else ""
            axis.plot(steps, values, color=colour, marker=mark, markersize=3, label=name)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("step", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
        if len(names) > 1:
            axis.legend(fontsize=7, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)
