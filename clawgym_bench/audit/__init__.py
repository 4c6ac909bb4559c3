"""The audit: proves that a task is valid, by gates that each can be run alone."""

from clawgym_bench.audit.finding import Finding, GateResult, TaskAudit
from clawgym_bench.audit.run import Settings, audit_set, audit_task

__all__ = ["Finding", "GateResult", "Settings", "TaskAudit", "audit_set", "audit_task"]
