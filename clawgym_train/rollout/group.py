"""Groups of rollouts of one task, for advantages relative to the group (GRPO).

Lost rollouts leave their group. A group whose rewards are all equal, or that has fewer than two
left, teaches nothing: it is skipped, and counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from clawgym_train.rollout.record import Rollout

SPREAD = 1e-6


@dataclass(frozen=True)
class Group:
    """The rollouts of one task. `rewards` are None where a rollout was lost."""

    rollouts: Sequence[Rollout]
    rewards: Sequence[float | None]

    @property
    def kept(self) -> list[float]:
        return [reward for reward in self.rewards if reward is not None]

    @property
    def teaches(self) -> bool:
        return len(self.kept) > 1 and max(self.kept) - min(self.kept) > SPREAD

    def advantages(self) -> list[float | None]:
        """Rewards less their mean, in standard deviations, over those that are left; None for a
        lost rollout, and for all of a group that teaches nothing."""
        if not self.teaches:
            return [None] * len(self.rewards)
        mean, deviation = fmean(self.kept), pstdev(self.kept)
        return [
            None if reward is None else (reward - mean) / (deviation + 1e-4)
            for reward in self.rewards
        ]


@dataclass(frozen=True)
class GroupCounts:
    """Of one batch: groups, those skipped for want of spread, rollouts, and those lost."""

    groups: int
    skipped: int
    rollouts: int
    lost: int


def groups_of(rollouts: Sequence[Rollout], size: int, reward: str = "score") -> list[Group]:
    """Consecutive groups of `size`; raises `ValueError` when they are not of one task each."""
    if len(rollouts) % size:
        raise ValueError(f"{len(rollouts)} rollouts do not make groups of {size}")
    groups = []
    for start in range(0, len(rollouts), size):
        part = rollouts[start : start + size]
        if len({rollout.task_id for rollout in part}) != 1:
            raise ValueError("a group holds rollouts of several tasks")
        groups.append(Group(part, [rollout.reward(reward) for rollout in part]))
    return groups


def count_groups(groups: Sequence[Group]) -> GroupCounts:
    return GroupCounts(
        groups=len(groups),
        skipped=sum(not group.teaches for group in groups),
        rollouts=sum(len(group.rewards) for group in groups),
        lost=sum(reward is None for group in groups for reward in group.rewards),
    )
