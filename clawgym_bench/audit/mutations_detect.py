"""Whether an error in the reference's outputs costs points, with as little grading as possible.

A check is graded alone, those that look at the spoilt file first, until one gives less than it
gave the reference. What runs something comes last, case by case, within a budget: first the case
that noticed the last error in this file, then those that bring the fewest files of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from clawgym_bench.audit.mutations_subjects import reads
from clawgym_bench.checks import Check, Evidence
from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.execution import run_commands
from clawgym_bench.grading import RUNS_SOMETHING, CheckResult, Grade, grade
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task


class BudgetSpent(Exception):
    """No more commands may be run for this question."""


@dataclass
class Detector:
    """`reference` is the grade that the untouched reference got."""

    task: Task
    backend: Backend
    reference: Grade
    _alone: dict[str, Task] = field(default_factory=dict)
    _cases: dict[str, list[tuple[Check, int]]] = field(default_factory=dict)

    async def loses(
        self, evidence: Evidence, path: str = "", session: int = 0, budget: int = 0
    ) -> tuple[bool, int]:
        """Whether `evidence` earns less than the reference, and what is left of the budget.

        `path` or `session` says where it differs. Raises `BudgetSpent` when only commands could
        tell and none is left.
        """
        if self.noticed(evidence, path, session):
            return True, budget
        for number, (check, case) in enumerate(self._running(path)):
            if budget <= 0:
                raise BudgetSpent
            budget -= 1
            one = self._one(check, case)
            outcomes = await run_commands(one, evidence.snapshot, self.backend, evidence.messages)
            if self._worse(check.id, grade(one, evidence, outcomes)):
                self._running(path).insert(0, self._running(path).pop(number))
                return True, budget
        return False, budget

    def noticed(self, evidence: Evidence, path: str = "", session: int = 0) -> bool:
        """Whether a check that runs nothing gives `evidence` less than the reference."""
        return any(
            self._worse(check.id, grade(self._one(check), evidence))
            for check in self._ordered(path, session)
        )

    def declared(self, path: str, session: int = 0) -> bool:
        """Whether a check that runs nothing looks at this file or message."""
        return any(reads(check, path, session, len(self.task.sessions)) for check in self._plain())

    @property
    def runs_something(self) -> bool:
        return len(self._plain()) < len(self.task.checks)

    def _plain(self) -> list[Check]:
        return [check for check in self.task.checks if check.kind not in RUNS_SOMETHING]

    def _ordered(self, path: str, session: int) -> Sequence[Check]:
        last = len(self.task.sessions)
        return sorted(self._plain(), key=lambda check: not reads(check, path, session, last))

    def _running(self, path: str) -> list[tuple[Check, int]]:
        if path not in self._cases:
            cases = [
                (check, case)
                for check in self.task.checks
                if check.kind in RUNS_SOMETHING
                for case in range(self._case_count(check))
            ]
            self._cases[path] = sorted(cases, key=_own_files)
        return self._cases[path]

    def _case_count(self, check: Check) -> int:
        """Cases are told apart only where the reference passed all of them."""
        whole = not isinstance(check.body, CommandCheck) or not self._result(check.id).passed
        return 1 if whole else len(check.body.cases)  # type: ignore[attr-defined]

    def _one(self, check: Check, case: int | None = None) -> Task:
        """The task with this check alone, or with one case of it; no input is protected."""
        key = f"{check.id}/{case}"
        if key not in self._alone:
            one = check
            body = check.body
            if isinstance(body, CommandCheck) and case is not None and self._case_count(check) > 1:
                part = body.model_copy(update={"cases": [body.cases[case]]})
                one = check.model_copy(update={"command": part})
            self._alone[key] = self.task.model_copy(
                update={"checks": [one], "editable": ["*"], "rubric": [], "weights": None}
            )
        return self._alone[key]

    def _result(self, id: str) -> CheckResult:
        return next(result for result in self.reference.results if result.id == id)

    def _worse(self, id: str, now: Grade) -> bool:
        if now.status == "unscored":
            return False
        before, after = self._result(id), now.results[-1]
        return after.score < before.score - 1e-12 or (before.passed and not after.passed)


def _own_files(of: tuple[Check, int]) -> int:
    check, case = of
    return len(check.body.cases[case].files) if isinstance(check.body, CommandCheck) else 0
