"""What a verification finds, and how it ends."""

import html
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator

from clawgym_bench.checks.base import StrictModel

SHOWN = 5
MOST_LINES = 50


Kind = Literal[
    "score", "workspace", "completeness", "infrastructure", "task-set", "task", "limits",
    "agent", "harness", "hidden-read", "answers", "leak", "result", "rubric", "replay",
]  # fmt: skip
NOTES = frozenset({"infrastructure", "rubric", "replay"})


DETAIL = 600


def plain(text: str) -> str:
    """What a stranger wrote, in one line that no terminal and no CI service takes for a command."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * DETAIL])
    shown = " ".join(shown.split())
    return shown if len(shown) <= DETAIL else shown[:DETAIL] + "…"


Plain = Annotated[str, AfterValidator(plain)]


class Finding(StrictModel):
    """One thing that was found. A `note` does not refuse."""

    kind: Kind
    detail: Plain
    task: Plain = ""
    epoch: int | None = None
    note: bool = False

    def __str__(self) -> str:
        where = f"{self.task}, epoch {self.epoch}: " if self.task else ""
        return f"{self.kind}: {where}{self.detail}"


class Verification(StrictModel):
    """The outcome for one run, as `--json` writes it."""

    schema_version: Literal[1] = 1
    run: Plain
    status: Literal["verified", "refused"]
    model: Plain = ""
    agent: Plain = ""
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


def markdown(outcome: Sequence[Verification]) -> str:
    """For a pull request: what was found, run by run. Nothing in it is taken for Markdown."""
    lines = []
    for run in outcome:
        score = "" if run.score is None else f", score {run.score:.4f}"
        lines += [
            f"### {escaped(run.run)}: {run.status}",
            "",
            f"{escaped(run.model)}, {escaped(run.agent)}{score}: {run.samples} samples, "
            f"{run.graded_again} graded again, {run.replayed} played again",
            "",
        ]
        found = [*run.reasons, *(finding for finding in run.findings if finding.note)]
        for finding in found[:MOST_LINES]:
            lines.append(f"- {'note, ' if finding.note else ''}{escaped(str(finding))}")
        if len(found) > MOST_LINES:
            lines.append(f"- … and {len(found) - MOST_LINES} more")
        lines.append("")
    return "\n".join(lines)


def escaped(text: str) -> str:
    return "".join(
        f"&#{ord(sign)};" if sign in "[]()*_`|!#~@" else sign for sign in html.escape(text)
    )
