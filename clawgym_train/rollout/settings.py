"""What may be chosen about rollouts. Time and turn limits come from the task."""

from typing import Literal

from pydantic import Field

from clawgym_bench.checks.base import StrictModel


class RolloutSettings(StrictModel):
    """`turn_tokens` bounds one answer of the policy, `tokens` prompt and completion together."""

    turn_tokens: int = Field(default=1_024, ge=1)
    tokens: int = Field(default=65_536, ge=16)
    parallel: int = Field(default=64, ge=1)
    """Episodes, and so sandboxes, at a time."""
    attempts: int = Field(default=3, ge=1)
    """How often a rollout is tried when infrastructure fails, before it leaves its group."""
    reward: Literal["score", "success"] = "score"
    judge: str | None = None
    """An Inspect model that judges rubrics; without one, checks alone reward."""
    wall_factor: float = Field(default=6.0, ge=1)
    """An episode may take this many times the task's seconds, for waits on the policy."""
