"""How often the regression gate errs: equal candidates, and candidates that are worse.

    python -m benchmarks.gate                          # 1,000 pairs per case, writes gate.json
    python -m benchmarks.gate --only 0.05:2            # one case: a drop of 5 points, 2 epochs
    python -m benchmarks.gate --from logs/a.eval ...   # task means of real runs; prints only
    python -m benchmarks.gate --tasks 24 --margin 0.1  # another design; prints only
    python -m benchmarks.gate --table                  # the last run again, and its chart

200 tasks in 160 families. The true mean scores of the tasks are Beta-distributed around the mean
of a weak, a middling and a strong model in turn (0.35, 0.55, 0.75: where reported scores of
Claw-style benchmarks lie), and the scores of one task's epochs scatter around its mean so much
that half of the variance of all scores is between epochs, which is what repeated runs of a Claw
benchmark showed. A score has six parts. A drop lowers the true mean of every task; it is scaled
so that the true mean over all tasks falls by exactly that much, for a task at 0 cannot fall.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clawgym_bench.board.regress import Pair, decide

TASKS, FAMILIES, PARTS = 200, 0.8, 6
MODELS = (0.35, 0.55, 0.75)
BETWEEN, WITHIN = 2.0, 1.5
"""Concentrations: with 2 and 1.5 the variances between tasks and between epochs are equal."""
DROPS, EPOCHS = (0.0, 0.02, 0.05, 0.10), (1, 2, 3, 4)
MARGIN, ALPHA = 0.02, 0.05
RESULTS = Path(__file__).parent / "results" / "gate.json"
CHART = Path(__file__).parents[1] / "docs" / "img" / "gate.svg"
VERDICTS = ("PASS", "FAIL", "INCONCLUSIVE")


@dataclass(frozen=True)
class Design:
    """What is compared, and how strictly. `real`: task means to draw from, if any."""

    tasks: int = TASKS
    margin: float = MARGIN
    real: tuple[float, ...] = ()


def true_means(chance: np.random.Generator, mean: float, design: Design) -> np.ndarray:
    """Of the tasks: drawn around `mean`, or drawn from real ones."""
    if design.real:
        return chance.choice(np.asarray(design.real), design.tasks)
    return chance.beta(BETWEEN * mean, BETWEEN * (1 - mean), design.tasks)


def scores(chance: np.random.Generator, true: np.ndarray, epochs: int) -> np.ndarray:
    """Tasks × epochs, in sixths, with the true means as expectation."""
    sure = np.clip(true, 1e-6, 1 - 1e-6)[:, None]
    level = chance.beta(WITHIN * sure, WITHIN * (1 - sure), (len(true), epochs))
    return chance.binomial(PARTS, level) / PARTS


def lowered(true: np.ndarray, drop: float) -> np.ndarray:
    """Means that are lower by `drop` on average, none below 0; found by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        shift = (low + high) / 2
        fell = float(np.mean(true - np.clip(true - shift, 0, 1)))
        low, high = (shift, high) if fell < drop else (low, shift)
    return np.clip(true - high, 0, 1) if drop else true


def verdict(
    chance: np.random.Generator, mean: float, drop: float, epochs: int, design: Design
) -> str:
    """Of the gate, on one made-up pair of runs."""
    true = true_means(chance, mean, design)
    families = chance.integers(0, round(FAMILIES * design.tasks), design.tasks)
    before = scores(chance, true, epochs)
    after = scores(chance, lowered(true, drop), epochs)
    pairs = [
        Pair(
            id=str(number),
            family=str(families[number]),
            category="",
            baseline=float(before[number].mean()),
            candidate=float(after[number].mean()),
            succeeded=bool((before[number] == 1).mean() > 0.5),
            succeeds=bool((after[number] == 1).mean() > 0.5),
        )
        for number in range(design.tasks)
    ]
    return decide(pairs, design.margin, ALPHA).verdict.value


def case(drop: float, epochs: int, pairs: int, design: Design) -> dict[str, float]:
    chance = np.random.default_rng([7, round(drop * 100), epochs])
    seen = Counter(
        verdict(chance, MODELS[number % len(MODELS)], drop, epochs, design)
        for number in range(pairs)
    )
    row: dict[str, float] = {"drop": drop, "epochs": epochs, "pairs": pairs, "tasks": design.tasks}
    return row | {name: seen[name] / pairs for name in VERDICTS}


def real_means(files: Sequence[str]) -> tuple[float, ...]:
    """Mean scores of the tasks of runs."""
    from clawgym_bench.board import read_result

    found = [task.score for file in files for task in read_result(file).scored_tasks()]
    return tuple(score for score in found if score is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--only", default="", help="DROP:EPOCHS; the other rows stay as they are")
    parser.add_argument("--from", dest="files", nargs="*", default=[], help="logs, results")
    parser.add_argument("--table", action="store_true", help="print and draw, measure nothing")
    parser.add_argument("--tasks", type=int, default=TASKS)
    parser.add_argument("--margin", type=float, default=MARGIN)
    options = parser.parse_args()
    design = Design(options.tasks, options.margin, real_means(options.files))
    kept = design == Design()
    rows = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    if not options.table:
        cases = [(drop, count) for drop in DROPS for count in EPOCHS]
        if options.only:
            drop, _, count = options.only.partition(":")
            cases = [(float(drop), int(count))]
        for drop, count in cases:
            row = case(drop, count, options.pairs, design)
            print(json.dumps(row), flush=True)
            if not kept:
                continue
            rows = [old for old in rows if (old["drop"], old["epochs"]) != (drop, count)] + [row]
            rows.sort(key=lambda row: (row["drop"], row["epochs"]))
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps(rows, indent=2) + "\n")
    if kept:
        table(rows)
        if len(rows) == len(DROPS) * len(EPOCHS):
            chart(rows)


def table(rows: list[dict[str, float]]) -> None:
    """As Markdown."""
    print("| True drop | Epochs | FAIL | INCONCLUSIVE | PASS | of |\n|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        shares = [f"{100 * row[name]:.1f} %" for name in ("FAIL", "INCONCLUSIVE", "PASS")]
        drop = f"{100 * row['drop']:.0f} points" if row["drop"] else "none"
        print(f"| {drop} | {row['epochs']} | {' | '.join(shares)} | {row['pairs']:,} |")


def chart(rows: list[dict[str, float]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "clawgym"
    from matplotlib import pyplot

    colours = {"FAIL": "#b3261e", "INCONCLUSIVE": "#c9a227", "PASS": "#2e7d4f"}
    figure, panels = pyplot.subplots(
        1, len(DROPS), figsize=(8.4, 2.9), sharey=True, layout="constrained"
    )
    for axes, drop in zip(panels, DROPS, strict=True):
        found = [row for row in rows if row["drop"] == drop]
        floor = np.zeros(len(found))
        for name, colour in colours.items():
            values = np.array([100 * row[name] for row in found])
            bars = axes.bar(
                [str(row["epochs"]) for row in found], values, bottom=floor, color=colour,
                label=name, edgecolor="white", linewidth=0.6,
            )  # fmt: skip
            axes.bar_label(
                bars, [f"{value:.0f}" if value >= 8 else "" for value in values],
                label_type="center", color="white", fontsize=8,
            )  # fmt: skip
            floor += values
        axes.set_title(f"{100 * drop:.0f} points worse" if drop else "equal", fontsize=10)
        axes.set_xlabel("epochs")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set(ylabel="verdicts, %", ylim=(0, 100))
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    CHART.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(CHART, metadata={"Date": None})


if __name__ == "__main__":
    main()
