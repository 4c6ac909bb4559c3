"""How hard a composed task is, by its structure alone; pass rates may correct it later."""

from collections.abc import Sequence
from typing import Literal

from clawgym_data.compose.plan import Plan
from clawgym_data.compose.skill import Step

Difficulty = Literal["easy", "medium", "hard"]
MEDIUM, HARD = 5, 9
"""Points from which a task is no longer easy, and hard."""


def difficulty(plan: Plan, steps: Sequence[Step], sessions: int = 1) -> Difficulty:
    """A point per block, per rule that must be minded, half a point per prose criterion, and three
    per later session."""
    rules = sum(len(step.rules) for step in steps)
    criteria = sum(len(step.deliver.criteria) for step in steps if step.deliver)
    points = len(plan.nodes) + rules + criteria / 2 + 3 * (sessions - 1)
    return "easy" if points < MEDIUM else "medium" if points < HARD else "hard"
