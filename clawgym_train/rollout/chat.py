"""A tokenizer's chat template in both directions: messages to tokens, sampled tokens to a message.

What the policy sampled is never rendered again. After a turn only the *observation* is rendered:
everything between the token that ended the turn and the place where the next one begins.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from transformers import PreTrainedTokenizerBase
from trl.chat_template_utils import (
    add_response_schema,
    get_training_chat_template,
    has_generation_markers,
    parse_response,
)

from clawgym_bench.errors import InputError

SENTINEL = "SENTINEL"
KEPT = ("role", "content", "reasoning_content", "tool_calls", "name", "tool_call_id")
"""What a template sees of a message."""


class ChatFormat:
    """Raises `InputError` for a tokenizer whose template cannot be used.

    `stops`: the token ids that end a turn. The template is the training variant that TRL has for
    a known one: it renders a conversation's beginning the same however it goes on.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        name = tokenizer.name_or_path or "the tokenizer"
        if not tokenizer.chat_template:
            raise InputError(f"{name}: has no chat template; give a chat model")
        self.tokenizer = tokenizer
        self.template = _template(tokenizer)
        self._generation = has_generation_markers(self.template)
        if getattr(tokenizer, "response_template", None) is None:
            try:
                add_response_schema(tokenizer)
            except (ValueError, TypeError):
                raise InputError(
                    f"{name}: TRL does not know how to read tool calls of its chat template; "
                    "set `response_template` in tokenizer_config.json"
                ) from None
        self._header = self._rendered(self._ask(), (), generation=True)[
            len(self._rendered(self._ask(), ())) :
        ]
        self.turn_end = self._turn_end()
        self.stops = frozenset({self.turn_end, int(tokenizer.eos_token_id)})

    def prompt(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> list[int]:
        """The tokens up to where the policy begins to speak."""
        return self._ids(self._rendered(messages, tools, generation=True))

    def observation(self, answers: Sequence[Mapping[str, Any]]) -> list[int]:
        """The tokens from the end of a turn with tool calls to the beginning of the next turn."""
        calls = [_call(f"{SENTINEL}{number}") for number in range(len(answers))]
        # One call where the template has no room for several.
        for kept in (calls, calls[:1]):
            talk = [*self._ask(), {"role": "assistant", "content": "", "tool_calls": kept}]
            try:
                text = self._rendered([*talk, *answers], (), generation=True)
            except Exception as error:
                failure = error
                continue
            return self._ids(text)[self._after_turn(text) :]
        raise InputError(f"the chat template refuses tool answers: {failure}")

    def parse(self, ids: Sequence[int]) -> dict[str, Any]:
        """The message that sampled tokens say. What is no well-formed call is plain text."""
        spoken = list(ids)
        if spoken and spoken[-1] in self.stops:
            spoken[-1] = self.turn_end
        message: dict[str, Any] = parse_response(self.tokenizer, spoken, prefix=self._header)
        calls = message.get("tool_calls")
        if calls and all(_well_formed(call) for call in calls):
            return message
        if calls or "content" not in message:
            text = self.tokenizer.decode(spoken, skip_special_tokens=True)
            return {"role": "assistant", "content": text}
        return {key: value for key, value in message.items() if key != "tool_calls"}

    def training_example(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> tuple[list[int], list[int]]:
        """Tokens of a conversation, and per token 1 where the assistant speaks, else 0.

        Raises `InputError` where the template does not tell whose tokens are whose.
        """
        if self._generation:
            encoded = self.tokenizer.apply_chat_template(
                [_plain(message) for message in messages],
                tools=list(tools) or None,
                chat_template=self.template,
                tokenize=True,
                return_dict=True,
                return_assistant_tokens_mask=True,
            )
            ids = list(encoded["input_ids"])
            return ids, self._up_to_turn_ends(ids, encoded["assistant_masks"])
        text = self._rendered(messages, tools)
        spans = self._spans(text, messages, tools)
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        mask = [
            int(any(start >= first and end <= last for first, last in spans))
            for start, end in encoded["offset_mapping"]
        ]
        ids = list(encoded["input_ids"])
        return ids, self._up_to_turn_ends(ids, mask)

    def _up_to_turn_ends(self, ids: Sequence[int], mask: Sequence[int]) -> list[int]:
        """Without what templates write after the token that ends a turn: it is never sampled."""
        kept: list[int] = []
        ended = False
        for token, spoken in zip(ids, mask, strict=True):
            ended = ended and bool(spoken)
            kept.append(int(bool(spoken) and not ended))
            ended = ended or (bool(spoken) and token == self.turn_end)
        return kept

    def _spans(
        self, text: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> list[tuple[int, int]]:
        """Where the assistant speaks, for templates without generation marks."""
        spans = []
        for number, message in enumerate(messages):
            if message["role"] != "assistant":
                continue
            before = self._rendered(messages[:number], tools, generation=True)
            after = self._rendered(messages[: number + 1], tools)
            if not (text.startswith(after) and after.startswith(before)):
                raise InputError(
                    "the chat template renders earlier turns differently when later ones follow, "
                    "and has no {% generation %} marks: use one that TRL has a training variant of"
                )
            spans.append((len(before), len(after)))
        return spans

    # The template

    def _ask(self) -> list[dict[str, Any]]:
        return [{"role": "user", "content": "x"}]

    def _rendered(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        *,
        generation: bool = False,
    ) -> str:
        text = self.tokenizer.apply_chat_template(
            [_plain(message) for message in messages],
            tools=list(tools) or None,
            chat_template=self.template,
            tokenize=False,
            add_generation_prompt=generation,
        )
        return str(text)

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _after_turn(self, text: str) -> int:
        """The place, in tokens of `text`, after the special token that follows the last sentinel
        of the calls."""
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        spoken = text.rindex(f"{SENTINEL}0")
        special = set(self.tokenizer.all_special_ids)
        for place, (token, (start, _)) in enumerate(
            zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        ):
            if start >= spoken and token in special:
                return place + 1
        raise InputError("the chat template ends turns without a special token")

    def _turn_end(self) -> int:
        talk = [*self._ask(), {"role": "assistant", "content": f"{SENTINEL}0"}]
        text = self._rendered(talk, ())
        return self._ids(text)[self._after_turn(text) - 1]


def _template(tokenizer: PreTrainedTokenizerBase) -> str:
    try:
        variant = get_training_chat_template(tokenizer)
    except ValueError:
        variant = None
    own = tokenizer.chat_template
    return str(variant or (own["default"] if isinstance(own, dict) else own))


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    return {key: message[key] for key in KEPT if key in message}


def _call(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": {}}}


def _well_formed(call: Any) -> bool:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return False
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return False
        function["arguments"] = arguments
    return isinstance(arguments, dict)
