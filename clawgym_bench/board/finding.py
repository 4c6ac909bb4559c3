"""What a verification finds, and how it ends."""

from collections.abc import Sequence
from typing import Literal

from clawgym_bench.checks.base import StrictModel

SHOWN = 5


Kind = Literal[
    "score", "workspace", "completeness", "infrastructure", "task-set", "task", "limits",
    "agent", "harness", "hidden-read", "answers", "leak", "result", "rubric", "replay",
]  # fmt: skip
NOTES = frozenset({"infrastructure", "rubric", "replay"})


class Finding(StrictModel):
    """One thing that was found. A `note` does not refuse."""

    kind: Kind
    detail: str
    task: str = ""
    epoch: int | None = None
    note: bool = False

    def __str__(self) -> str:
        where = f"{self.task}, epoch {self.epoch}: " if self.task else ""
        return f"{self.kind}: {where}{self.detail}"


class Verification(StrictModel):
    """The outcome for one run, as `--json` writes it."""

    schema_version: Literal[1] = 1
    run: str
    status: Literal["verified", "refused"]
    model: str = ""
    agent: str = ""
    task_set_hash: str = ""
    samples: int = 0
    graded_again: int = 0
    replayed: int = 0
    score: float | None = None
    """The mean over the tasks that the grading again gives."""
    findings: list[Finding] = []
    clawgym: str = ""

    @property
    def reasons(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.note]


def named(names: Sequence[str]) -> str:
    """The first few of them."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def shown(score: float | None) -> str:
    return "no score" if score is None else f"{score:.3f}"
