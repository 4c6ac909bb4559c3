"""An audit of many tasks, kept small: one line per task and the figures behind the charts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from clawgym_bench.audit.finding import TaskAudit

REASON_CHARACTERS = 240


@dataclass(frozen=True)
class Line:
    """One task: the status of each gate by name, and why it did not pass ("" when it did)."""

    task: str
    statuses: dict[str, str]
    passed: bool
    reason: str


@dataclass
class Summary:
    """Grows by some hundred bytes a task. `figures` holds all values by (gate, figure)."""

    lines: list[Line] = field(default_factory=list)
    figures: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, audit: TaskAudit) -> Line:
        statuses = {gate.gate: gate.status for gate in audit.gates}
        line = Line(audit.task, {**statuses}, audit.passed, "" if audit.passed else reason(audit))
        self.lines.append(line)
        for gate in audit.gates:
            self.seconds[gate.gate] += gate.seconds
            for name, value in gate.figures.items():
                self.figures[gate.gate, name].append(value)
        return line

    @property
    def passed(self) -> int:
        return sum(line.passed for line in self.lines)

    def of(self, gate: str) -> dict[str, Sequence[float]]:
        """The figures of a gate: values over all tasks by name."""
        return {name: values for (owner, name), values in self.figures.items() if owner == gate}


def reason(audit: TaskAudit) -> str:
    """The first error of the first failed gate, else what there was no evidence for."""
    for gate in audit.gates:
        for finding in gate.findings if gate.status == "failed" else ():
            if finding.severity == "error":
                return f"{gate.gate}: {finding.evidence}"[:REASON_CHARACTERS]
    for gate in audit.gates:
        if gate.status == "no evidence":
            said = gate.findings[0].evidence if gate.findings else "no evidence"
            return f"{gate.gate}: {said}"[:REASON_CHARACTERS]
    return ""
