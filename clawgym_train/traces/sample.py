"""A sample of a log as conversations.

Where the log holds the model's calls, they are the source: what the last call of a conversation
saw, and what it answered, is the conversation, with its system prompt and its tool schemas as they
were. Calls that failed, and branches that the agent left, are not in it. Calls with the same
beginning (system prompt and first request) are one conversation. Logs without calls (reference
agents, rollouts of training) are read by the sessions that they recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem

from clawgym_bench.conversation import STARTS_KEY
from clawgym_bench.tools.parameters import CLAW_TOOLS, WEB_TOOLS
from clawgym_train.schemas import tool_schemas
from clawgym_train.traces.messages import failed_calls, has_media, plain, tool_schema
from clawgym_train.traces.trace import Conversation


def conversations_of(sample: EvalSample, reasoning: bool = True) -> list[Conversation]:
    """In order of their beginning; each ends with a turn of the model."""
    calls = model_calls(sample.events)
    if calls:
        sessions = int((sample.metadata or {}).get("sessions") or 1)
        kept = {message.id for message in sample.messages if message.id}
        return [branch.conversation(kept, reasoning) for branch in _branches(calls, sessions)]
    return _recorded(sample, reasoning)


def model_calls(events: Sequence[Event]) -> list[ModelEvent]:
    """The agent's successful calls: not the judge's, not those that ended in an error."""
    scoring: set[str] = set()
    found: list[ModelEvent] = []
    for event in events:
        if isinstance(event, SpanBeginEvent):
            if event.type in ("scorer", "scorers") or (event.parent_id or "") in scoring:
                scoring.add(event.id)
        elif (
            isinstance(event, ModelEvent)
            and not event.pending
            and event.error is None
            and event.role is None
            and event.output.choices
            and (event.span_id or "") not in scoring
        ):
            found.append(event)
    return found


@dataclass
class _Branches:
    """All calls of one conversation, in order."""

    calls: list[ModelEvent]

    def conversation(self, kept: set[str], reasoning: bool) -> Conversation:
        """By the last call whose answer the agent kept; by the last one when it does not tell."""
        alive = [call for call in self.calls if call.output.message.id in kept]
        last = (alive or self.calls)[-1]
        messages = [*last.input, last.output.message]
        seen = {_key(message) for message in messages if isinstance(message, ChatMessageAssistant)}
        dead = sum(_key(call.output.message) not in seen for call in self.calls)
        return Conversation(
            messages=[plain(message, reasoning) for message in messages],
            tools=[tool_schema(info) for info in last.tools],
            dead=dead,
            refused=any(call.output.stop_reason == "content_filter" for call in self.calls),
            cut_off=last.output.stop_reason in ("max_tokens", "model_length"),
            media=has_media(messages),
            failed_calls=failed_calls(messages),
        )


def _branches(calls: Sequence[ModelEvent], sessions: int) -> list[_Branches]:
    """Calls by their conversation. A finished conversation whose beginning comes again is the next
    session when one is still missing, and a retry of the same one otherwise."""
    found: list[_Branches] = []
    latest: dict[tuple[str, ...], _Branches] = {}
    for call in calls:
        head = _head(call.input)
        branch = latest.get(head)
        afresh = not any(isinstance(message, ChatMessageAssistant) for message in call.input)
        if branch is not None and afresh and len(found) < sessions:
            ended = not branch.calls[-1].output.message.tool_calls
            branch = None if ended else branch
        if branch is None:
            branch = latest[head] = _Branches([])
            found.append(branch)
        branch.calls.append(call)
    return found


def _head(messages: Sequence[ChatMessage]) -> tuple[str, ...]:
    """What stands before the model's first turn."""
    head: list[str] = []
    for message in messages:
        head.append(f"{message.role}: {message.text}")
        if message.role == "user":
            break
    return tuple(head)


def _key(message: ChatMessageAssistant) -> str:
    calls = [(call.function, call.arguments) for call in message.tool_calls or []]
    return f"{message.text}\0{calls}"


def _recorded(sample: EvalSample, reasoning: bool) -> list[Conversation]:
    store, metadata = sample.store or {}, sample.metadata or {}
    starts = [int(start) for start in store.get(STARTS_KEY) or [0]]
    ends = [*starts[1:], len(sample.messages)]
    prompts = metadata.get("system") or []
    found = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        part: list[ChatMessage] = sample.messages[start:end]
        while part and not isinstance(part[-1], ChatMessageAssistant):
            part = part[:-1]
        if not part:
            continue
        if number < len(prompts) and prompts[number] and part[0].role != "system":
            part = [ChatMessageSystem(content=str(prompts[number])), *part]
        found.append(
            Conversation(
                messages=[plain(message, reasoning) for message in part],
                tools=_offered(part),
                media=has_media(part),
                failed_calls=failed_calls(part),
            )
        )
    return found


def _offered(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """The Claw tools: with those for the web where one of them was called."""
    used = {
        call.function
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    }
    return tool_schemas([*CLAW_TOOLS, *(WEB_TOOLS if used & set(WEB_TOOLS) else ())])
