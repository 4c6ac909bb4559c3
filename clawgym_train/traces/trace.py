"""What a trace is: one sample's conversations, as messages and tool schemas."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
"""A chat message as chat templates take it: `role`, `content`, and where there are any
`reasoning_content`, `tool_calls` (arguments as an object), `tool_call_id`, `name`."""


@dataclass
class Conversation:
    """One session, from its system prompt to the last thing that the model said."""

    messages: list[Message]
    tools: list[dict[str, Any]]
    """Function definitions, as they were offered with the last call."""
    dead: int = 0
    """Turns of the model that led nowhere and were cut: other branches, failed retries."""
    refused: bool = False
    """A provider's filter stopped an answer."""
    cut_off: bool = False
    """The last answer ended at the token limit."""
    media: bool = False
    """Something in it is not text, and so is missing here."""
    failed_calls: frozenset[str] = frozenset()
    """Ids of the calls that a tool refused."""

    @property
    def turns(self) -> list[Message]:
        return [message for message in self.messages if message["role"] == "assistant"]

    @property
    def finished(self) -> bool:
        """Whether the model ended it by answering without a call."""
        return not self.messages[-1].get("tool_calls")

    def calls(self) -> Iterator[Mapping[str, Any]]:
        for message in self.turns:
            for call in message.get("tool_calls") or []:
                yield call["function"]

    def texts(self) -> Iterator[str]:
        """All that anybody said in it, calls included."""
        for message in self.messages:
            yield str(message.get("content") or "")
            yield str(message.get("reasoning_content") or "")
        for call in self.calls():
            yield from _strings(call["arguments"])


@dataclass
class Trace:
    """A sample's conversations in the order of its sessions, with what they earned."""

    task: str
    family: str
    """The skeleton that composed tasks share; the task's id otherwise."""
    category: str
    sample: str
    """Names the run of the sample: its uuid."""
    epoch: int
    log: str
    model: str
    agent: str
    agent_version: str
    score: float
    success: bool | None
    """None where the scorer does not say."""
    conversations: list[Conversation] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """Turns of the model."""
        return sum(len(conversation.turns) for conversation in self.conversations)

    @property
    def tool_calls(self) -> int:
        return sum(1 for conversation in self.conversations for _ in conversation.calls())

    @property
    def tool_errors(self) -> int:
        return sum(len(conversation.failed_calls) for conversation in self.conversations)


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            yield from map(str, found)
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
