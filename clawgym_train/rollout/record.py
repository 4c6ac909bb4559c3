"""What a rollout is: conversations as tokens and as messages, and the grade they earned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clawgym_bench.checks import ToolCall
from clawgym_bench.grading import Grade

Message = Mapping[str, Any]
"""A chat message as chat templates take it; `error: True` marks a refused tool call."""


@dataclass
class Conversation:
    """One session: a prompt, then what the policy and the environment said in turns.

    `completion_ids`, `mask` and `logprobs` have equal length. `mask` is 1 where the policy sampled
    and 0 where the environment spoke; `logprobs` are 0 there. `ended`: "done" (the policy
    answered without a call), "messages", "time", "tokens" (a limit), or "fault".
    """

    prompt_ids: list[int]
    completion_ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    ended: str = ""

    def sampled(self, ids: Sequence[int], logprobs: Sequence[float]) -> None:
        self.completion_ids += ids
        self.mask += [1] * len(ids)
        self.logprobs += logprobs

    def observed(self, ids: Sequence[int]) -> None:
        self.completion_ids += ids
        self.mask += [0] * len(ids)
        self.logprobs += [0.0] * len(ids)

    @property
    def length(self) -> int:
        return len(self.prompt_ids) + len(self.completion_ids)

    @property
    def turns(self) -> int:
        return sum(message["role"] == "assistant" for message in self.messages)


@dataclass
class Rollout:
    """One episode of a task. `grade` is None exactly when it was lost: `lost` says why.

    A lost rollout has no reward. It must leave its group; it is never a 0.
    """

    task_id: str
    conversations: list[Conversation] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    grade: Grade | None = None
    lost: str = ""
    attempts: int = 1
    seconds: float = 0.0
    environment_seconds: float = 0.0
    """Time spent on the sandbox and the grade, not on waiting for the policy."""
    evidence: Mapping[str, Any] | None = None
    """The changed files, as the benchmark's logs keep them."""

    @property
    def tool_errors(self) -> int:
        return sum(bool(call.error) for call in self.calls)

    def reward(self, kind: str = "score") -> float | None:
        """`score` in [0, 1], or `success` as 0 or 1; None when it was lost."""
        if self.grade is None or self.grade.score is None:
            return None
        return float(self.grade.success) if kind == "success" else self.grade.score
