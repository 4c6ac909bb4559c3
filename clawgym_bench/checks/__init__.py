"""The deterministic checks, one module per kind of artefact."""

from clawgym_bench.checks.base import CheckBody, CommandOutcome, Evidence, Finding, ToolCall
from clawgym_bench.checks.check import CHECKS, Check

__all__ = ["CHECKS", "Check", "CheckBody", "CommandOutcome", "Evidence", "Finding", "ToolCall"]
