"""A checkpoint as an Inspect model, in this process: `inspect eval clawgym_bench --model
clawgym/FOLDER`.

It has the chat template and the tool parser that it was trained with, and samples that run at a
time are decoded together. For a large model use `vllm/FOLDER` on a GPU.
"""

import asyncio
import secrets
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from clawgym_train.checkpoint import load_model, load_tokenizer
from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.rollout.transformers_policy import TransformersPolicy

MAX_TOKENS = 1_024
CONNECTIONS = 32


class CheckpointAPI(ModelAPI):
    """Answers are drawn at `temperature` (1 when not given; 0 takes the most probable token)."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),
        **_: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._chat = ChatFormat(load_tokenizer(model_name))
        self._model = load_model(model_name)
        self._context = int(getattr(self._model.config, "max_position_embeddings", 2**31))
        self._policies: dict[tuple[int, float], TransformersPolicy] = {}

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        messages = [plain_message(message) for message in input]
        prompt = self._chat.prompt(messages, [_schema(tool) for tool in tools])
        room = self._context - len(prompt)
        if room <= 0:
            output = ModelOutput.from_content(self.model_name, "", stop_reason="model_length")
            output.usage = ModelUsage(input_tokens=len(prompt), total_tokens=len(prompt))
            return output
        temperature = 1.0 if config.temperature is None else config.temperature
        completion = await self._policy(temperature, config.seed).sample(
            prompt, max_tokens=min(room, config.max_tokens or MAX_TOKENS)
        )
        message = self._chat.parse(completion.ids)
        calls = [
            ToolCall(
                id=f"call_{secrets.token_hex(6)}",
                function=call["function"]["name"],
                arguments=call["function"]["arguments"],
            )
            for call in message.get("tool_calls") or []
        ]
        ended = "tool_calls" if calls else "stop"
        reason = ended if completion.finished else "max_tokens"
        said = ChatMessageAssistant(
            content=str(message.get("content") or ""),
            tool_calls=calls or None,
            model=self.model_name,
            source="generate",
        )
        read, spoken = len(prompt), len(completion.ids)
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=said, stop_reason=reason)],
            usage=ModelUsage(input_tokens=read, output_tokens=spoken, total_tokens=read + spoken),
        )

    def _policy(self, temperature: float, seed: int | None) -> TransformersPolicy:
        """One per event loop and temperature, so that what waits together is decoded together."""
        key = (id(asyncio.get_running_loop()), temperature)
        if key not in self._policies:
            self._policies[key] = TransformersPolicy(
                self._model,
                self._chat.stops,
                int(self._chat.tokenizer.pad_token_id),
                temperature=temperature,
                seed=seed,
            )
        return self._policies[key]

    def max_tokens(self) -> int | None:
        return MAX_TOKENS

    def max_connections(self) -> int:
        return CONNECTIONS

    async def count_text_tokens(self, text: str) -> int:
        return len(self._chat.tokenizer(text, add_special_tokens=False)["input_ids"])


def plain_message(message: ChatMessage) -> dict[str, Any]:
    """A message as chat templates take it; a refused call says why, as in training."""
    content = message.text
    if isinstance(message, ChatMessageTool):
        if message.error is not None:
            content = message.error.message
        return {"role": "tool", "name": message.function or "", "content": content}
    plain: dict[str, Any] = {"role": message.role, "content": content}
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        plain["tool_calls"] = [
            {
                "type": "function",
                "function": {"name": call.function, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    return plain


def _schema(tool: ToolInfo) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters.model_dump(exclude_none=True),
        },
    }
