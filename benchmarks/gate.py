"""How often the regression gate errs: equal candidates, and candidates that are worse.

    python -m benchmarks.gate [--pairs 1000]

Score distributions are those of a real kind of benchmark run: per task a mean score, many tasks
near 0 or 1, partial credit in between; epochs of one task scatter around it, more in the middle.
Drops are taken off every task's mean. Writes benchmarks/results/gate.json; `--plot` docs/img.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from clawgym_bench.board.regress import Pair, decide

TASKS, FAMILIES = 200, 160
RESULTS = Path(__file__).parent / "results" / "gate.json"


def means(chance: np.random.Generator) -> np.ndarray:
    """Mean scores of the tasks of one imaginary model."""
    kind = chance.choice(3, TASKS, p=(0.25, 0.45, 0.30))
    low, high = chance.beta(0.6, 6, TASKS), chance.beta(6, 0.8, TASKS)
    return np.choose(kind, (low, high, chance.uniform(0.1, 0.95, TASKS)))


def epochs(chance: np.random.Generator, true: np.ndarray, count: int) -> np.ndarray:
    """Scores, tasks × epochs: partial credit of six parts, whole failures now and then."""
    parts = chance.binomial(6, true[:, None], (TASKS, count)) / 6
    lost = chance.random((TASKS, count)) < 0.35 * (1 - true[:, None])
    return np.where(lost, parts * 0.3, np.maximum(parts, true[:, None] * 0.9).clip(0, 1))


def verdict(chance: np.random.Generator, drop: float, count: int) -> str:
    true = means(chance)
    families = chance.integers(0, FAMILIES, TASKS)
    before = epochs(chance, true, count)
    after = epochs(chance, np.clip(true - drop, 0, 1), count)
    pairs = [
        Pair(
            str(number),
            str(families[number]),
            "",
            float(before[number].mean()),
            float(after[number].mean()),
            bool((before[number] > 0.99).mean() > 0.5),
            bool((after[number] > 0.99).mean() > 0.5),
        )
        for number in range(TASKS)
    ]
    return decide(pairs, 0.02, 0.05).verdict.value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--plot", type=Path, default=None)
    options = parser.parse_args()
    rows = []
    for drop in (0.0, 0.02, 0.05, 0.10):
        for count in (1, 2, 4):
            chance = np.random.default_rng(7)
            seen = Counter(verdict(chance, drop, count) for _ in range(options.pairs))
            row = {"drop": drop, "epochs": count, "pairs": options.pairs}
            row |= {name: seen[name] / options.pairs for name in ("PASS", "FAIL", "INCONCLUSIVE")}
            rows.append(row)
            print(json.dumps(row), flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=2) + "\n")
    if options.plot:
        plot(rows, options.plot)


def plot(rows: list[dict[str, float]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.4), layout="constrained")
    for count in (1, 2, 4):
        found = [row for row in rows if row["epochs"] == count]
        axes.plot(
            [100 * row["drop"] for row in found],
            [100 * row["FAIL"] for row in found],
            marker="o",
            label=f"{count} epoch{'s' if count > 1 else ''}",
        )
    axes.set(xlabel="true drop in score, points", ylabel="verdict FAIL, %", ylim=(-2, 102))
    axes.grid(alpha=0.3)
    axes.legend(title="200 tasks", frameon=False)
    figure.savefig(path)


if __name__ == "__main__":
    main()
