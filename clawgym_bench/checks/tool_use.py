"""What the agent did on the way: calls that it may not make, must make, must make first."""

import json
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field, field_validator, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, StrictModel, ToolCall
from clawgym_bench.checks.limits import ARGUMENT_CHARACTERS, Refused
from clawgym_bench.checks.text import excerpt, search_text, valid_pattern


class Call(StrictModel):
    """Calls of a tool (or of one of several), whose arguments match, in one session or in any.

    `matches` is searched in the arguments as JSON with sorted keys, a space after : and comma,
    and non-ASCII characters as they are; upper and lower case are the same.
    """

    tool: str | list[str] | None = None
    matches: str | None = None
    session: int | None = Field(default=None, ge=1)

    @field_validator("matches")
    @classmethod
    def _pattern(cls, value: str | None) -> str | None:
        return None if value is None else valid_pattern(value)

    @model_validator(mode="after")
    def _sensible(self) -> "Call":
        if not self.tool and self.matches is None:
            raise ValueError("a call needs `tool`, `matches` or both")
        if isinstance(self.tool, list) and not all(self.tool):
            raise ValueError("a tool's name may not be blank")
        return self

    def fits(self, call: ToolCall) -> bool:
        """Raises `Refused` when the search takes too long."""
        names = [self.tool] if isinstance(self.tool, str) else self.tool or [call.tool]
        if call.tool not in names or self.session not in (None, call.session):
            return False
        return self.matches is None or search_text(self.matches, arguments(call)) is not None

    def __str__(self) -> str:
        names = self.tool if isinstance(self.tool, str) else " or ".join(self.tool or ["any tool"])
        about = f" with {excerpt(self.matches, 40)}" if self.matches else ""
        return f"{names}{about}" + (f" in session {self.session}" if self.session else "")


class Order(StrictModel):
    """Every call of `then` comes after some call of `first` that did not fail."""

    first: Call
    then: Call


def arguments(call: ToolCall) -> str:
    """The arguments in one form, cut in the middle where they are very long."""
    try:
        text = json.dumps(dict(call.arguments), sort_keys=True, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = ", ".join(f"{name}" for name in call.arguments)
    half = ARGUMENT_CHARACTERS // 2
    return text if len(text) <= 2 * half else f"{text[:half]} … {text[-half:]}"


class ToolUseCheck(CheckBody):
    """Constraints on the tool calls of all sessions, in order.

    `never`: no such call is even tried. `before`: see `Order`; without a `then` call nothing is
    wrong. `required`: each of these is made and does not fail. What a shell command does counts
    by its text, so a constraint on files should also be checked on the files.
    """

    kind: ClassVar[str] = "tool_use"

    never: list[Call] = Field(default_factory=list)
    before: list[Order] = Field(default_factory=list)
    required: list[Call] = Field(default_factory=list)

    @model_validator(mode="after")
    def _sensible(self) -> "ToolUseCheck":
        if not (self.never or self.before or self.required):
            raise ValueError("nothing is asserted: give never, before or required")
        return self

    def affirms(self) -> bool:
        return bool(self.required)

    def run(self, evidence: Evidence) -> list[Finding]:
        try:
            return [
                *(_never(call, evidence.calls) for call in self.never),
                *(_before(order, evidence.calls) for order in self.before),
                *(_required(call, evidence.calls) for call in self.required),
            ]
        except Refused as refused:
            return [Finding(False, f"tool calls: {refused}", required=True)]


def _shown(call: ToolCall) -> str:
    return f"{call.tool[:40]} in session {call.session}: {excerpt(arguments(call), 80)}"


def _never(forbidden: Call, calls: Sequence[ToolCall]) -> Finding:
    for call in calls:
        if forbidden.fits(call):
            return Finding(False, f"a forbidden call was made: {_shown(call)}")
    return Finding(True, f"no call of {forbidden} was made", required=True)


def _before(order: Order, calls: Sequence[ToolCall]) -> Finding:
    for call in calls:
        # `then` is looked at first: one call cannot come before itself.
        if order.then.fits(call):
            return Finding(False, f"{_shown(call)} came before any {order.first}")
        if not call.error and order.first.fits(call):
            return Finding(True, f"{order.first} came first", required=True)
    return Finding(True, f"no call of {order.then} was made", required=True)


def _required(wanted: Call, calls: Sequence[ToolCall]) -> Finding:
    failed = None
    for call in calls:
        if wanted.fits(call):
            if not call.error:
                return Finding(True, f"it was called: {_shown(call)}")
            failed = call
    if failed is not None:
        return Finding(False, f"{wanted} only failed: {failed.error[:80]}")
    return Finding(False, f"no call of {wanted} was made")
