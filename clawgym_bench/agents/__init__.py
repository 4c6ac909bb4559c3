"""Agents: `claw`, which plays a model, and the reference agents, which need none."""

from clawgym_bench.agents.reference import CONTENT_FREE, REFERENCE_AGENTS, script

__all__ = ["CONTENT_FREE", "REFERENCE_AGENTS", "script"]
