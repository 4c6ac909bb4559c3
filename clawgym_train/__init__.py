"""clawgym_train learns from tasks: traces of rollouts, fine-tuning, reinforcement."""

from clawgym_train.schemas import tool_schemas

__all__ = ["tool_schemas"]
