"""What a conversation in Inspect's terms holds for grading: final messages and tool calls."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.solver import TaskState
from inspect_ai.util import StoreModel
from pydantic import Field

from clawgym_bench.checks import ToolCall


class Conversations(StoreModel):
    """Where each session begins in the sample's messages, kept by agents that play sessions."""

    starts: list[int] = Field(default_factory=list)
    ended: list[str] = Field(default_factory=list)
    """How each session ended: "done", or the limit that ended it."""


def conversation_of(state: TaskState, sessions: int) -> tuple[list[str], list[ToolCall]]:
    """Final message per session ("" when it has none) and all tool calls in order.

    An agent that does not record sessions has had one conversation.
    """
    starts = state.store_as(Conversations).starts or [0]
    ends = [*starts[1:], len(state.messages)]
    messages: list[str] = []
    calls: list[ToolCall] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        part = state.messages[start:end]
        messages.append(_final(part))
        calls += _calls(part, number)
    messages += [""] * (sessions - len(messages))
    return messages, calls


def _final(messages: Sequence[ChatMessage]) -> str:
    """The last thing said, when the conversation ended with saying something."""
    last = messages[-1] if messages else None
    if isinstance(last, ChatMessageAssistant) and not last.tool_calls:
        return last.text
    return ""


def _calls(messages: Sequence[ChatMessage], session: int) -> list[ToolCall]:
    errors = {
        message.tool_call_id: message.error.message
        for message in messages
        if isinstance(message, ChatMessageTool) and message.error is not None
    }
    return [
        ToolCall(session, call.function, dict(call.arguments), errors.get(call.id, ""))
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    ]
