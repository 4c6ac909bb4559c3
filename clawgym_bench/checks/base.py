"""What every check is made of: a strict model of what is asked, and a pure function on evidence.

A check yields *findings*. A finding that is `required` (the file exists, it parses, its columns
are there) must hold for anything to count and never earns by itself. The check's score is 1 when
all findings hold, else 0; with `partial: true` on the check it is the share of the counted
findings that hold, and 0 when a required one fails.

Everything in `Evidence` that came from the agent is hostile: parsers are bounded by
`clawgym_bench.checks.limits` and turn what they refuse into a failed finding with the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from clawgym_bench.sandbox.snapshot import Snapshot


class StrictModel(BaseModel):
    """Immutable, and unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for: whether it holds and, in words, what was found.

    `share`, in [0, 1], stands in for `ok` where a checker measured a degree.
    """

    ok: bool
    reason: str
    required: bool = False
    share: float | None = None


@dataclass(frozen=True)
class ToolCall:
    """A tool call of the agent, in order. `session` counts from 1."""

    session: int
    tool: str
    arguments: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True)
class CommandOutcome:
    """What a command check's run in the grading sandbox gave, one per case.

    `files` is the workspace after the run. `failure` is set when the grading sandbox itself
    failed: such a check cannot be graded and leaves the sample unscored.
    """

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    timed_out: bool
    files: Snapshot
    failure: str = ""


@dataclass(frozen=True)
class Evidence:
    """All that a check may look at.

    `inputs` are the files that the task gave the agent (all sessions), `hidden` those that it
    kept back (expected results), by relative path. `messages` holds the final message of each
    session. `outcomes` are those of the check at hand when it runs something, one per case.
    """

    snapshot: Snapshot
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    hidden: Mapping[str, bytes] = field(default_factory=dict)
    messages: Sequence[str] = ()
    calls: Sequence[ToolCall] = ()
    outcomes: Sequence[CommandOutcome] = ()
    workspace: str = "/workspace"


class CheckBody(StrictModel):
    """Base of all kinds. Subclasses are listed in `clawgym_bench.checks.CHECKS` by `kind`."""

    kind: ClassVar[str]

    def run(self, evidence: Evidence) -> list[Finding]:
        """Pure: same evidence, same findings; never raises for what the agent produced.

        Raises `TaskFault` when the check itself cannot be carried out (its command's sandbox
        failed, an imported checker crashed): the sample is then unscored.
        """
        raise NotImplementedError

    def affirms(self) -> bool:
        """Whether it asserts that something is there beyond bare existence.

        A check that only forbids, or only asks for existence, cannot earn: it must be a gate.
        """
        return True

    def hidden_files(self) -> frozenset[str]:
        """Hidden files that this check reads; a task with others is refused as unused."""
        return frozenset()

    def literals(self) -> Sequence[str]:
        """Names, keys, headings and phrases that the agent can only know from the request."""
        return ()


def file_content(evidence: Evidence, path: str) -> bytes | Finding:
    """The bytes of a file the agent left, or the required finding that says why there are none."""
    content = evidence.snapshot.files.get(path)
    if content is not None:
        return content
    if reason := evidence.snapshot.refused.get(path):
        return Finding(False, f"{path} was not accepted: {reason}", required=True)
    if path in evidence.snapshot.directories:
        return Finding(False, f"{path} is a directory, not a file", required=True)
    close = [found for found in evidence.snapshot.files if found.lower() == path.lower()]
    hint = f" (there is {close[0]})" if close else ""
    cut = f"; the export was cut: {evidence.snapshot.cut}" if evidence.snapshot.cut else ""
    return Finding(False, f"{path} does not exist{hint}{cut}", required=True)


def hidden_content(evidence: Evidence, path: str) -> bytes:
    """The bytes of a hidden file of the task. The loader has made sure that it exists."""
    return evidence.hidden[path]
