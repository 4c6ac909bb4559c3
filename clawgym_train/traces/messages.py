"""Inspect's chat messages as chat templates take them."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ContentReasoning,
    ContentText,
)
from inspect_ai.tool import ToolInfo

from clawgym_train.traces.trace import Message


def plain(message: ChatMessage, reasoning: bool) -> Message:
    """One message. A refused tool call's result is the error's text: what the model saw."""
    if isinstance(message, ChatMessageTool):
        text = message.error.message if message.error is not None else _text(message)
        found: Message = {"role": "tool", "content": text}
        if message.function:
            found["name"] = message.function
        if message.tool_call_id:
            found["tool_call_id"] = message.tool_call_id
        return found
    found = {"role": str(message.role), "content": _text(message)}
    if isinstance(message, ChatMessageAssistant):
        thought = _reasoning(message) if reasoning else ""
        if thought:
            found["reasoning_content"] = thought
        if message.tool_calls:
            found["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.function, "arguments": call.arguments},
                }
                for call in message.tool_calls
            ]
    return found


def tool_schema(info: ToolInfo) -> dict[str, Any]:
    """An OpenAI function definition of what was offered to the model."""
    return {
        "type": "function",
        "function": {
            "name": info.name,
            "description": info.description,
            "parameters": info.parameters.model_dump(exclude_none=True, by_alias=True),
        },
    }


def has_media(messages: Sequence[ChatMessage]) -> bool:
    return any(
        not isinstance(part, ContentText | ContentReasoning)
        for message in messages
        if not isinstance(message.content, str)
        for part in message.content
    )


def failed_calls(messages: Sequence[ChatMessage]) -> frozenset[str]:
    """Calls that a tool refused, or whose arguments could not be read."""
    refused = {
        message.tool_call_id or ""
        for message in messages
        if isinstance(message, ChatMessageTool) and message.error is not None
    }
    unread = {
        call.id
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
        if call.parse_error
    }
    return frozenset(refused | unread)


def _text(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return "".join(part.text for part in message.content if isinstance(part, ContentText))


def _reasoning(message: ChatMessageAssistant) -> str:
    """Readable reasoning; what a provider has encrypted teaches nothing."""
    if isinstance(message.content, str):
        return ""
    parts = [part for part in message.content if isinstance(part, ContentReasoning)]
    readable = [(part.summary or "") if part.redacted else part.reasoning for part in parts]
    return "\n".join(text for text in readable if text)
