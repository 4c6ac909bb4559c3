"""Which traces teach: filters by what a summary tells, and by what was said."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from clawgym_bench.board.leaks import leaks_in, own_secrets
from clawgym_bench.errors import InputError
from clawgym_train.traces.logs import Entry
from clawgym_train.traces.trace import Trace

OPENING = 400
"""Characters of an answer in which a refusal is looked for."""


@dataclass(frozen=True)
class Filters:
    """What is kept. A limit of None is none. Decontamination is no option: see `overlap`.

    `max_tokens` counts a whole trace; `max_tool_errors` is a share of its calls.
    """

    min_score: float = 0.5
    strict: bool = False
    """Only strict successes."""
    finished: bool = False
    """Only traces whose every session ended with an answer."""
    max_tokens: int | None = None
    max_rounds: int | None = None
    max_tool_errors: float | None = 0.5
    refusals: bool = False
    """Keep them."""

    def __post_init__(self) -> None:
        for name, value in (
            ("min-score", self.min_score),
            ("max-tool-errors", self.max_tool_errors),
        ):
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"--{name} {value}: give a number from 0 to 1")
        for name, count in (("max-tokens", self.max_tokens), ("max-rounds", self.max_rounds)):
            if count is not None and count < 1:
                raise InputError(f"--{name} {count}: give a number above 0")

    def by_summary(self, entry: Entry) -> str:
        """Why a sample is left out unread; "" when it is not."""
        if entry.error:
            return "ended with an error"
        if entry.score is None:
            return "unscored"
        if entry.score < self.min_score:
            return "score"
        if self.strict and not entry.success:
            return "no strict success"
        return ""

    def by_content(self, trace: Trace, tokens: int) -> str:
        talks = trace.conversations
        if not trace.rounds or any(not talk.turns for talk in talks):
            return "nothing said"
        if any(talk.media for talk in talks):
            return "not only text"
        if any(talk.cut_off for talk in talks):
            return "answer cut off"
        if self.finished and not all(talk.finished for talk in talks):
            return "not finished"
        if self.max_tokens is not None and tokens > self.max_tokens:
            return "too many tokens"
        if self.max_rounds is not None and trace.rounds > self.max_rounds:
            return "too many rounds"
        if (
            self.max_tool_errors is not None
            and trace.tool_errors > self.max_tool_errors * trace.tool_calls
        ):
            return "tool errors"
        if not self.refusals and any(talk.refused for talk in talks):
            return "refusal"
        if not self.refusals and any(refuses(str(talk.messages[-1]["content"])) for talk in talks):
            return "refusal"
        return "secret" if holds_secret(trace) else ""


def refuses(answer: str) -> bool:
    """Whether an answer says that it will not be done."""
    return any(pattern.search(answer[:OPENING]) for pattern in _refusals())


def holds_secret(trace: Trace) -> bool:
    """Whether a key or token stands in it, by its shape or as a value of this machine.

    Keys that a task's own files hold count too: a log does not tell them apart.
    """
    own = own_secrets()
    return any(
        leak.secret
        for conversation in trace.conversations
        for text in conversation.texts()
        for leak in leaks_in(text, "", own=own)
    )


@cache
def _refusals() -> tuple[re.Pattern[str], ...]:
    text = resources.files("clawgym_train.traces").joinpath("refusals.yaml").read_text("utf-8")
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in yaml.safe_load(text))
