"""What a conversation in Inspect's terms holds for grading: final messages and tool calls."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.solver import TaskState

from clawgym_bench.checks import ToolCall

STARTS_KEY, ENDED_KEY = "Conversations:starts", "Conversations:ended"


class Conversations:
    """Where each session begins in the sample's messages, kept by agents that play sessions.

    A view of the sample's store; plain keys, for Inspect's `StoreModel` costs more than a session.
    """

    def __init__(self, state: TaskState) -> None:
        self._store = state.store

    @property
    def starts(self) -> list[int]:
        return list(self._store.get(STARTS_KEY, []))

    @property
    def ended(self) -> list[str]:
        """How each session ended: "done", or the limit that ended it."""
        return list(self._store.get(ENDED_KEY, []))

    def start(self, message: int) -> None:
        """A session begins with the message at this index."""
        self._store.set(STARTS_KEY, [*self.starts, message])

    def end(self, how: str) -> None:
        self._store.set(ENDED_KEY, [*self.ended, how])


def conversation_of(state: TaskState, sessions: int) -> tuple[list[str], list[ToolCall]]:
    """Final message per session ("" when it has none) and all tool calls in order.

    An agent that does not record sessions has had one conversation.
    """
    starts = Conversations(state).starts or [0]
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
