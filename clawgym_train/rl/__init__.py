"""Reinforcement learning on tasks, with TRL's GRPO and the rollouts of `clawgym_train.rollout`."""

from clawgym_train.rl.config import RlConfig

__all__ = ["RlConfig"]
