"""Grades a task from evidence alone: `grade(task, evidence) -> Grade`, a pure function.

- Inputs that the task does not declare editable must be intact: a gate, by SHA-256.
- A check that the untouched workspace already satisfies earns nothing; it is a gate.
- `checks` is the weighted mean of the earning checks, 0 when a gate fails.
- `score` is `checks`, or for hybrid tasks with verdicts the weighted mean of checks and rubric
  (0 when a gate fails).
- `success` is strict: every check passed, no gate failed, no rubric level below 0.5.
- What cannot be graded through no fault of the agent is `unscored`, with the reason.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from clawgym_bench.checks import Check, CommandOutcome, Evidence, Finding
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.task.model import Task
from clawgym_bench.task.rules import matches

MEMORY = ["MEMORY.md", "memory/*"]
"""What an agent keeps between sessions on its own account; it may always change."""

RUNS_SOMETHING = frozenset({"command", "reward"})

Commands = Mapping[str, Sequence[CommandOutcome]]


@dataclass(frozen=True)
class Verdict:
    """The judge's answer on one criterion: a level in [0, 1], with quotes from what it read."""

    criterion: str
    level: float
    reason: str = ""
    quotes: Sequence[str] = ()


@dataclass(frozen=True)
class CheckResult:
    """One check's outcome. `gate` says that it earned nothing; `weight` is 0 then."""

    id: str
    kind: str
    passed: bool
    score: float
    weight: float
    gate: bool
    findings: Sequence[Finding]

    @property
    def reason(self) -> str:
        """The first thing that went wrong, or the first that was found."""
        failed = [finding.reason for finding in self.findings if not finding.ok]
        if failed:
            more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
            return failed[0] + more
        return self.findings[0].reason if self.findings else ""


@dataclass(frozen=True)
class Grade:
    """What a sample earned. `score`, `checks` and `rubric` are in [0, 1] or None.

    `rubric_status`: "none" (no rubric in the task), "scored", "no judge" (the task has a rubric
    but nobody judged: `score` is that of the checks alone).
    """

    status: Literal["scored", "unscored"]
    reason: str = ""
    score: float | None = None
    checks: float | None = None
    rubric: float | None = None
    success: bool = False
    rubric_status: Literal["none", "scored", "no judge"] = "none"
    results: Sequence[CheckResult] = ()
    verdicts: Sequence[Verdict] = ()
    failed_gates: Sequence[str] = field(default_factory=tuple)


def unscored(reason: str) -> Grade:
    return Grade(status="unscored", reason=reason)


def grade(
    task: Task,
    evidence: Evidence,
    commands: Commands | None = None,
    verdicts: Sequence[Verdict] | None = None,
) -> Grade:
    """Grades what an agent left. `commands`: outcomes of checks that run something, by check id.
    `verdicts`: one per rubric criterion, or None when nobody judged."""
    if not task.checks:
        return unscored("no checker")
    untouched = untouched_checks(task)
    try:
        results = [intact_inputs(task, evidence.snapshot)] if _guarded(task) else []
        for check in task.checks:
            outcomes = (commands or {}).get(check.id, ())
            findings = check.body.run(replace(evidence, outcomes=outcomes))
            results.append(_result(check, findings, gate=check.gate or check.id in untouched))
    except TaskFault as fault:
        return unscored(str(fault))
    earning = [result for result in results if not result.gate]
    failed = tuple(result.id for result in results if result.gate and not result.passed)
    total = sum(result.weight for result in earning)
    earned = sum(result.score * result.weight for result in earning)
    checks = 0.0 if failed or not total else earned / total
    passed = not failed and all(result.passed for result in results) and bool(earning)
    if not task.rubric:
        return Grade(
            "scored", "", checks, checks, None, passed, "none", results, (), failed
        )  # fmt: skip
    if verdicts is None:
        return Grade(
            "scored", "", checks, checks, None, passed, "no judge", results, (), failed
        )  # fmt: skip
    levels = {verdict.criterion: verdict.level for verdict in verdicts}
    lacking = [criterion.id for criterion in task.rubric if criterion.id not in levels]
    if lacking:
        return unscored(f"no verdict on {', '.join(lacking)}")
    weight = sum(criterion.weight for criterion in task.rubric)
    rubric = sum(levels[criterion.id] * criterion.weight for criterion in task.rubric) / weight
    shares = task.shares
    score = 0.0 if failed else shares.checks * checks + shares.rubric * rubric
    success = passed and all(level >= 0.5 for level in levels.values())
    return Grade(
        "scored", "", score, checks, rubric, success, "scored", results, tuple(verdicts), failed
    )


def _result(check: Check, findings: Sequence[Finding], *, gate: bool) -> CheckResult:
    passed = bool(findings) and all(finding.ok for finding in findings)
    score = 1.0 if passed else 0.0
    blocked = any(finding.required and not finding.ok for finding in findings)
    if check.partial and not blocked:
        counted = [finding for finding in findings if not finding.required]
        shares = [
            finding.share if finding.share is not None else float(finding.ok) for finding in counted
        ]
        score = sum(shares) / len(shares) if shares else score
    return CheckResult(
        id=check.id,
        kind=check.kind,
        passed=passed,
        score=score,
        weight=0.0 if gate else check.weight,
        gate=gate,
        findings=tuple(findings),
    )


def _guarded(task: Task) -> bool:
    return any(not matches(path, [*task.editable, *MEMORY]) for path in task.inputs)


def intact_inputs(task: Task, snapshot: Snapshot) -> CheckResult:
    """The automatic gate: every input outside `editable` is there with the bytes it had."""
    findings: list[Finding] = []
    given = {p: c for p, c in task.inputs.items() if not matches(p, [*task.editable, *MEMORY])}
    for path, content in given.items():
        now = snapshot.files.get(path)
        if now is None:
            why = snapshot.refused.get(path, "it is gone")
            findings.append(Finding(False, f"the input {path} was to stay as it is: {why}"))
        elif hashlib.sha256(now).digest() != hashlib.sha256(content).digest():
            findings.append(Finding(False, f"the input {path} was changed"))
    if not findings:
        findings.append(Finding(True, f"all {len(given)} protected inputs are intact"))
    passed = all(finding.ok for finding in findings)
    return CheckResult("inputs-intact", "inputs", passed, float(passed), 0.0, True, findings)


def untouched_evidence(task: Task) -> Evidence:
    """The evidence of an agent that did and said nothing."""
    folders = {"/".join(p.split("/")[:n]) for p in task.inputs for n in range(1, p.count("/") + 1)}
    return Evidence(
        snapshot=Snapshot(files=task.inputs, directories=frozenset(folders)),
        inputs=task.inputs,
        hidden=task.hidden,
        messages=tuple("" for _ in task.sessions),
        workspace=task.workspace_path,
    )


def untouched_checks(task: Task) -> frozenset[str]:
    """Checks that hold before anybody did anything. Those that run something are the audit's."""
    if task._untouched is None:
        evidence = untouched_evidence(task)
        task._untouched = frozenset(
            check.id
            for check in task.checks
            if check.kind not in RUNS_SOMETHING
            and all(finding.ok for finding in check.body.run(evidence))
        )
    return task._untouched
