"""What a gate says: one schema for all of them, in JSON the same as here."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "note"]
Status = Literal["passed", "failed", "no evidence", "not applicable"]


@dataclass(frozen=True)
class Finding:
    """One thing found. Only an `error` fails a gate. `file` and `line` where there are some."""

    severity: Severity
    evidence: str
    remedy: str = ""
    file: str = ""
    line: int | None = None


@dataclass(frozen=True)
class GateResult:
    """A gate's verdict on a task.

    `figures` are numbers worth a chart, by name: scores of junk agents, detected and tried
    mutants by kind. "no evidence": the gate applies but there was nothing to go by (no reference,
    for example); a task with such a gate has not passed.
    """

    gate: str
    status: Status
    findings: Sequence[Finding] = ()
    figures: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


def verdict(
    gate: str, findings: Sequence[Finding], figures: dict[str, float] | None = None
) -> GateResult:
    """Failed when a finding is an error, passed otherwise."""
    failed = any(finding.severity == "error" for finding in findings)
    return GateResult(gate, "failed" if failed else "passed", tuple(findings), figures or {})


@dataclass(frozen=True)
class TaskAudit:
    """All gates on one task. `hash` is the task's content hash: the key of a resumed audit."""

    task: str
    hash: str
    gates: Sequence[GateResult]

    @property
    def passed(self) -> bool:
        return all(gate.status in {"passed", "not applicable"} for gate in self.gates)
