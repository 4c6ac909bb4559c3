"""Rollouts: a policy plays tasks in sandboxes, and the benchmark's own `grade()` rewards it.

Tokens in, tokens out: what was sampled is what is trained on, never tokenised again.

engine = RolloutEngine(policy, chat, open_backend("bwrap"), RolloutSettings())
rollouts = await engine.play([task] * 8)
"""

from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.rollout.engine import RolloutEngine
from clawgym_train.rollout.group import Group, GroupCounts, count_groups, groups_of
from clawgym_train.rollout.policy import Completion, Policy
from clawgym_train.rollout.record import Conversation, Rollout
from clawgym_train.rollout.settings import RolloutSettings

__all__ = [
    "ChatFormat",
    "Completion",
    "Conversation",
    "Group",
    "GroupCounts",
    "Policy",
    "Rollout",
    "RolloutEngine",
    "RolloutSettings",
    "count_groups",
    "groups_of",
]
