"""A model without weights: it follows a plan of acts, each chosen from the conversation so far."""

from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)

Act = tuple[str, dict[str, Any]] | str
"""A tool call, or a text that ends the conversation."""
Plan = Callable[[Sequence[ChatMessage], int], Act]
"""From the conversation and the number of acts already done in it to the next act."""


def scripted_model(plan: Plan) -> Model:
    def respond(input: list[ChatMessage], *_: Any) -> ModelOutput:
        done = sum(isinstance(message, ChatMessageAssistant) for message in input)
        act = plan(input, done)
        if isinstance(act, str):
            output = ModelOutput.from_content("mockllm", act)
        else:
            output = ModelOutput.for_tool_call("mockllm", act[0], act[1])
        # Without usage Inspect counts tokens with an encoding that it would have to download.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=respond, memoize=False)


def follow(acts: Sequence[Act]) -> Plan:
    """The same acts in every conversation."""
    return lambda conversation, done: acts[min(done, len(acts) - 1)]
