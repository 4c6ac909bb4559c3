"""clawgym_train learns from tasks. Today it gives the tool schemas that agents are trained on."""

from clawgym_train.schemas import tool_schemas

__all__ = ["tool_schemas"]
