"""Chooses the small part of a task set that a pull request is tried on: `choose(tasks)`.

The choice looks like the whole set: categories, difficulties, hybrid tasks and those of several
sessions have their shares, and no family is there twice before all are. Among tasks that serve
that equally, it takes those that tell most: where runs are given, the tasks whose scores vary most
between runs and epochs. A task that everybody solves, or nobody, says nothing about a change.
The same tasks and runs give the same choice.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clawgym_bench.agents.reference import REFERENCE_AGENTS
from clawgym_bench.board.result import RunResult
from clawgym_bench.errors import InputError
from clawgym_bench.task import Task

SIZE = 24
WEIGHTS = {"category": 3.0, "difficulty": 1.5, "hybrid": 1.0, "sessions": 1.0, "cell": 0.5}
"""How much a share that is not filled yet counts; `cell` is category × difficulty."""
INFORMATION = 1.5


@dataclass(frozen=True)
class Traits:
    """What of a task the choice looks at. `information` lies in [0, 1]."""

    id: str
    family: str
    values: Mapping[str, str]
    information: float
    order: str
    """Decides where all else is equal: a hash of the id."""


def choose(
    tasks: Mapping[str, Task], size: int = SIZE, runs: Sequence[RunResult] = ()
) -> list[str]:
    """Ids of at most `size` tasks and at most half of a small set, sorted.

    Raises `InputError` when there are fewer than two tasks.
    """
    if len(tasks) < 2:
        raise InputError("a part of a task set needs a set of at least two tasks")
    told = information(runs)
    left = [traits(task, told.get(task.id, 0.0)) for task in tasks.values()]
    size = min(size, math.ceil(len(left) / 2))
    shares = Counter(pair for task in left for pair in task.values.items())
    wanted = {pair: size * count / len(left) for pair, count in shares.items()}
    chosen: list[Traits] = []
    have: Counter[tuple[str, str]] = Counter()
    families: Counter[str] = Counter()
    while len(chosen) < size:
        best = max(
            left,
            key=lambda task: (-families[task.family], _worth(task, wanted, have), task.order),
        )
        left.remove(best)
        chosen.append(best)
        families[best.family] += 1
        have.update(best.values.items())
    return sorted(task.id for task in chosen)


def _worth(
    task: Traits, wanted: Mapping[tuple[str, str], float], have: Mapping[tuple[str, str], int]
) -> float:
    lack = sum(
        WEIGHTS[name] * (wanted[name, value] - have.get((name, value), 0)) / wanted[name, value]
        for name, value in task.values.items()
    )
    return round(lack + INFORMATION * task.information, 9)


def traits(task: Task, told: float) -> Traits:
    difficulty = task.difficulty or "unknown"
    return Traits(
        id=task.id,
        family=task.provenance.skeleton or task.id,
        values={
            "category": task.category,
            "difficulty": difficulty,
            "hybrid": str(task.hybrid),
            "sessions": str(len(task.sessions) > 1),
            "cell": f"{task.category}, {difficulty}",
        },
        information=told,
        order=hashlib.sha256(task.id.encode()).hexdigest(),
    )


def information(runs: Sequence[RunResult]) -> dict[str, float]:
    """By task the variance of its scores over runs and epochs, as a share of the largest.

    Reference agents do not count: they vary by design.
    """
    scores: dict[str, list[float]] = {}
    for run in runs:
        if run.agent not in REFERENCE_AGENTS:
            for task in run.tasks:
                found = [trial.score for trial in task.scored if trial.score is not None]
                scores.setdefault(task.id, []).extend(found)
    spread = {name: float(np.var(found)) for name, found in scores.items() if len(found) > 1}
    most = max(spread.values(), default=0.0)
    return {name: value / most for name, value in spread.items()} if most > 0 else {}
