"""Runs something the agent made, in a new sandbox on a copy of the snapshot.

The sandbox only computes: what is expected stays on the host and is compared there, so that
hostile code has nothing to read and no verdict to forge. Each case gets a sandbox of its own. The
run itself happens before grading, in `clawgym_bench.execution`; this module judges its outcome.
"""

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field, field_validator, model_validator

from clawgym_bench.checks.artefact import ArtefactCheck
from clawgym_bench.checks.base import CheckBody, CommandOutcome, Evidence, Finding, StrictModel
from clawgym_bench.errors import TaskFault

STDOUT = "@stdout"
STDERR = "@stderr"
GRADING_FOLDER = "/tmp/grading"


class Case(StrictModel):
    """One run. `args` are added to the command; `files` maps a workspace path to a hidden file.

    `expect` holds checks on the workspace after the run, where the run's output can be read as
    the files `@stdout` and `@stderr`.
    """

    args: list[str] = []
    stdin: str = ""
    files: dict[str, str] = {}
    exit_code: int = 0
    expect: list[ArtefactCheck] = []


class CommandCheck(CheckBody):
    """`run` (in Python `run_command`) is an argument vector, started in the workspace folder `cwd`.

    `hidden` lists hidden files brought along; they lie in the folder that `{hidden}` in `run`
    stands for, outside the workspace, by the name they have below `hidden/`.
    """

    kind: ClassVar[str] = "command"

    run_command: list[str] = Field(min_length=1, alias="run")
    cwd: str = "."
    hidden: list[str] = []
    seconds: float = Field(default=30.0, gt=0, le=600)
    cases: list[Case] = Field(min_length=1)

    @field_validator("hidden")
    @classmethod
    def _hidden(cls, value: list[str]) -> list[str]:
        for path in value:
            if not path.startswith("hidden/"):
                raise ValueError(
                    f"{path!r} is not below hidden/: expected results never enter a sandbox, "
                    "put what the command needs into hidden/ and compare with `expect`"
                )
        return value

    @model_validator(mode="after")
    def _files(self) -> "CommandCheck":
        for case in self.cases:
            for path in case.files.values():
                if not path.startswith("hidden/"):
                    raise ValueError(f"case file {path!r} is not below hidden/")
        return self

    def affirms(self) -> bool:
        return any(check.body.affirms() for case in self.cases for check in case.expect)

    def hidden_files(self) -> frozenset[str]:
        paths = set(self.hidden)
        for case in self.cases:
            paths |= set(case.files.values())
            for check in case.expect:
                paths |= check.body.hidden_files()
        return frozenset(paths)

    def literals(self) -> Sequence[str]:
        return [
            text for case in self.cases for check in case.expect for text in check.body.literals()
        ]

    def run(self, evidence: Evidence) -> list[Finding]:
        """All cases together; one that fails does not void the others when `partial` is set."""
        findings: list[Finding] = []
        for case, outcome in zip(
            self.cases, outcomes_of(self.kind, evidence, len(self.cases)), strict=True
        ):
            for finding in self._judge(case, outcome, evidence):
                if not (finding.ok and finding.required):
                    findings.append(dataclasses.replace(finding, required=False))
        return findings

    def _judge(self, case: Case, outcome: CommandOutcome, evidence: Evidence) -> list[Finding]:
        name = " ".join([*self.run_command, *case.args])[:120]
        if outcome.timed_out:
            return [Finding(False, f"`{name}` was still running after {self.seconds:g} s")]
        if outcome.exit_code != case.exit_code:
            last = outcome.stderr.decode(errors="replace").strip().splitlines()[-1:]
            said = f": {last[0][:200]}" if last else ""
            reason = f"`{name}` ended with {outcome.exit_code}, not {case.exit_code}{said}"
            return [Finding(False, reason)]
        files = {**outcome.files.files, STDOUT: outcome.stdout, STDERR: outcome.stderr}
        after = dataclasses.replace(
            evidence, snapshot=dataclasses.replace(outcome.files, files=files)
        )
        findings = [
            dataclasses.replace(finding, reason=f"after `{name}`: {finding.reason}")
            for check in case.expect
            for finding in check.body.run(after)
        ]
        return findings or [Finding(True, f"`{name}` ended with {case.exit_code}")]


def outcomes_of(kind: str, evidence: Evidence, count: int) -> Sequence[CommandOutcome]:
    """The outcomes of the check at hand; raises `TaskFault` when its run failed."""
    if len(evidence.outcomes) != count:
        raise TaskFault(f"a {kind} check was to run something and was not run")
    for outcome in evidence.outcomes:
        if outcome.failure:
            raise TaskFault(outcome.failure)
    return evidence.outcomes
