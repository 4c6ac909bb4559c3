"""A policy without a model: it says what a plan says, in the tokens of a chat template."""

from collections.abc import Callable, Sequence
from typing import Any

from clawgym_train.rollout import ChatFormat, Completion

Act = tuple[str, dict[str, Any]] | str
"""A tool call, or a text that ends the conversation."""


class ScriptedPolicy:
    """`plan(text so far, turn)` gives the next act; `asked` keeps every prompt."""

    def __init__(self, chat: ChatFormat, plan: Callable[[str, int], Act]) -> None:
        self._chat, self._plan = chat, plan
        self.asked: list[list[int]] = []

    async def sample(self, prompt: Sequence[int], *, max_tokens: int) -> Completion:
        self.asked.append(list(prompt))
        text = self._chat.tokenizer.decode(list(prompt))
        act = self._plan(text, text.count("<|tool|>"))
        message: dict[str, Any] = {"role": "assistant", "content": act}
        if not isinstance(act, str):
            call = {"type": "function", "function": {"name": act[0], "arguments": act[1]}}
            message = {"role": "assistant", "content": "", "tool_calls": [call]}
        ids, mask = self._chat.training_example([{"role": "user", "content": "x"}, message], ())
        spoken = tuple(token for token, learnt in zip(ids, mask, strict=True) if learnt)[
            :max_tokens
        ]
        return Completion(spoken, (-0.5,) * len(spoken), spoken[-1] in self._chat.stops)


def follow(*acts: Act) -> Callable[[str, int], Act]:
    return lambda text, done: acts[min(done, len(acts) - 1)]
