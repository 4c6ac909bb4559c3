"""How hard a task is: by its structure, or by how often agents have done it."""

import math
import re
from collections.abc import Mapping
from typing import Literal

from clawgym_bench.task import Task

Difficulty = Literal["easy", "medium", "hard"]
MEDIUM, HARD = 6.3, 8.9
"""From how many points on."""
EASY_RATE, HARD_RATE = 0.7, 0.3
_DOCUMENT = re.compile(r"\.(md|txt|eml|docx|html)$")


def by_structure(task: Task) -> Difficulty:
    points = points_of(task)
    return "hard" if points >= HARD else "medium" if points >= MEDIUM else "easy"


def points_of(task: Task) -> float:
    """One point for each operation; less for each further file to read, file to deliver and check;
    documents that hold rules, later sessions and much to read make it harder."""
    paths = task.inputs
    rules = sum(1 for path in paths if _DOCUMENT.search(path))
    size = sum(len(content) for content in paths.values())
    return (
        len(task.operations)
        + 0.8 * math.log2(1 + len(paths))
        + 0.5 * max(0, len(task.outputs) - 1)
        + 0.15 * len(task.checks)
        + 0.4 * min(rules, 4)
        + 2.0 * (len(task.sessions) - 1)
        + 0.2 * math.log2(1 + size / 1024)
    )


def by_pass_rates(rates: Mapping[str, float]) -> dict[str, Difficulty]:
    """Difficulty by the share of attempts that succeeded, by task id."""
    return {
        name: "easy" if rate >= EASY_RATE else "hard" if rate <= HARD_RATE else "medium"
        for name, rate in rates.items()
    }
