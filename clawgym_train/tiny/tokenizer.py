"""A byte-level BPE tokenizer, trained on the texts that the model will see."""

from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

END, PAD = "<|end|>", "<|pad|>"
SPECIAL = (PAD, END, "<|user|>", "<|assistant|>", "<|tool|>")
MARKERS = ('<tool_call>{"name": "', '", "arguments": {"', '": "', '", "', '"}}</tool_call>')
"""Pieces of a tool call, each one token. Not special: they stay when tokens become text."""

RESPONSE_TEMPLATE: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|assistant|>",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": r"</tool_call>\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"<\|end\|>", "content": "text"},
    },
}


def chat_template() -> str:
    return resources.files("clawgym_train.tiny").joinpath("chat_template.jinja").read_text()


def train_tokenizer(
    texts: Iterable[str],
    vocabulary: int = 512,
    *,
    special: Sequence[str] = SPECIAL,
    markers: Sequence[str] = MARKERS,
    template: str | None = None,
    end: str = END,
    pad: str = PAD,
) -> PreTrainedTokenizerFast:
    """A tokenizer of at most `vocabulary` tokens. Digits stay single, so that numbers can be
    copied; words are cut before their space, so that a word is the same tokens everywhere.

    `template`: a chat template other than the short one; then `special`, `end` and `pad` are its.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\p{L}+|\p{N}|."), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(special) - len(markers),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=end, pad_token=pad, clean_up_tokenization_spaces=False
    )
    rest = [token for token in special if token not in (end, pad)]
    wrapped.add_special_tokens({"additional_special_tokens": rest})
    wrapped.add_tokens([AddedToken(marker, special=False, normalized=False) for marker in markers])
    wrapped.chat_template = template or chat_template()
    if template is None:
        wrapped.response_template = RESPONSE_TEMPLATE
    return wrapped
