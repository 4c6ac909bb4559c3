"""Figures of a board: intervals clustered by task family, ranks with ties, pass^k, paired
differences.

One set of resampled families serves all runs of a task set, so that 200 runs cost little more
than one, and the difference of two runs is taken on the same resampled tasks. It is the bootstrap
of the gate (clawgym_bench.board.regress): same factor for few families, same seed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clawgym_bench.board.regress import RESAMPLES, SEED
from clawgym_bench.board.result import TaskResult

Floats = npt.NDArray[np.float64]
LEVEL = 0.95
STRICT_LEVEL = 0.99
FEWEST = 8
"""Families. With fewer, resampling says too little: no interval, no rank, no mark."""


@dataclass(frozen=True)
class Interval:
    """A mean and the bounds of its 95 % interval; None with fewer than `FEWEST` families."""

    mean: float
    lower: float | None
    upper: float | None


@lru_cache(maxsize=8)
def family_draws(count: int, resamples: int = RESAMPLES) -> Floats:
    """How often each of `count` families is drawn; resamples x families."""
    generator = np.random.default_rng(SEED)
    return generator.multinomial(count, np.full(count, 1 / count), resamples).astype(np.float64)


def resampled_means(values: Floats, families: Sequence[str]) -> tuple[Floats, Floats]:
    """Means of every column over resampled families, and the plain means.

    `values`: tasks x runs, NaN where a task has no score; `families`: of the tasks. Returns arrays
    resamples x runs, and runs.
    """
    names = sorted(set(families))
    member = np.zeros((len(names), len(families)))
    place = {name: number for number, name in enumerate(names)}
    for task, family in enumerate(families):
        member[place[family], task] = 1
    there = ~np.isnan(values)
    sums, sizes = member @ np.where(there, values, 0.0), member @ there.astype(np.float64)
    draws = family_draws(len(names))
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = sums.sum(axis=0) / sizes.sum(axis=0)
        means = (draws @ sums) / (draws @ sizes)
    means = np.where(np.isnan(means), plain, means)
    wider = math.sqrt(len(names) / (len(names) - 1)) if len(names) > 1 else 1.0
    return plain + (means - plain) * wider, plain


def intervals(values: Floats, families: Sequence[str]) -> list[Interval | None]:
    """One per column of `values` (tasks x runs); None for a run without any score. Bounds are
    kept within [0, 1]."""
    means, plain = resampled_means(values, families)
    tail = (1 - LEVEL) / 2
    lower, upper = np.quantile(means, [tail, 1 - tail], axis=0)
    few = len(set(families)) < FEWEST
    return [
        None
        if math.isnan(mean)
        else Interval(
            float(mean),
            None if few else max(0.0, float(lower[run])),
            None if few else min(1.0, float(upper[run])),
        )
        for run, mean in enumerate(plain)
    ]


def ranks(found: Sequence[Interval | None]) -> list[int | None]:
    """1 + the number of runs that are certainly better: whose lower bound exceeds this one's
    upper bound. Equal ranks are ties. None where there is no interval."""
    bounds = [
        None if item is None or item.lower is None or item.upper is None
        else (item.lower, item.upper)
        for item in found
    ]  # fmt: skip
    lowers = np.sort([bound[0] for bound in bounds if bound is not None])
    return [
        None if bound is None
        else 1 + int(len(lowers) - np.searchsorted(lowers, bound[1], side="right"))
        for bound in bounds
    ]  # fmt: skip


def pass_hat_k(tasks: Sequence[TaskResult], k: int) -> float | None:
    """The chance that k of k attempts succeed: the mean over tasks of C(c, k) / C(n, k), unbiased,
    as Inspect's `pass_k`. Tasks with fewer than k scored epochs are left out; None when all are.
    """
    found = []
    for task in tasks:
        outcomes = [trial.success for trial in task.scored if trial.success is not None]
        if len(outcomes) >= k:
            found.append(math.comb(sum(outcomes), k) / math.comb(len(outcomes), k))
    return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class Pairwise:
    """Paired differences of runs, row minus column; runs x runs.

    `marks`: 0 where the 95 % interval holds zero, ±1 where it does not, ±2 where the 99 % interval
    does not either. Not corrected for the number of pairs.
    """

    difference: Floats
    marks: npt.NDArray[np.int8]


def pairwise(values: Floats, families: Sequence[str]) -> Pairwise:
    """Compares all runs (columns of `values`, tasks x runs) on the tasks that both have."""
    runs = values.shape[1]
    difference = np.zeros((runs, runs))
    marks = np.zeros((runs, runs), dtype=np.int8)
    few = len(set(families)) < FEWEST
    there = ~np.isnan(values)
    groups: dict[bytes, list[int]] = {}
    for run in range(runs):
        groups.setdefault(there[:, run].tobytes(), []).append(run)
    means = {key: resampled_means(values[:, which], families) for key, which in groups.items()}
    key_of = {run: (key, n) for key, which in groups.items() for n, run in enumerate(which)}
    for row in range(runs):
        for column in range(row):
            (key, one), (other, two) = key_of[row], key_of[column]
            if key == other:
                resampled, plain = means[key]
                spread, middle = resampled[:, one] - resampled[:, two], plain[one] - plain[two]
            else:
                both = values[:, [row]] - values[:, [column]]
                if np.isnan(both).all():
                    continue
                apart, found = resampled_means(both, families)
                spread, middle = apart[:, 0], found[0]
            mark = 0 if few else _mark(spread)
            difference[row, column], difference[column, row] = middle, -middle
            marks[row, column], marks[column, row] = mark, -mark
    return Pairwise(difference, marks)


def _mark(spread: Floats) -> int:
    above, below = float(np.mean(spread <= 0)), float(np.mean(spread >= 0))
    for size, level in ((2, STRICT_LEVEL), (1, LEVEL)):
        tail = (1 - level) / 2
        if above < tail:
            return size
        if below < tail:
            return -size
    return 0


def rounded(value: Any, digits: int = 4) -> Any:
    """A number for a page: rounded, None for what is not one."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return round(float(value), digits)
