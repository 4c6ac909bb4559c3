"""How long a trace is, in tokens."""

import json
from collections.abc import Callable
from pathlib import Path

from clawgym_bench.errors import InputError
from clawgym_train.traces.trace import Trace

Count = Callable[[str], int]
BYTES_PER_TOKEN = 4


def counter(tokenizer: str | None) -> tuple[Count, str]:
    """Counts the tokens of a text, and says how. Without a tokenizer: four bytes are one.

    `tokenizer`: a tokenizer.json, or the folder of a model that holds one.
    """
    if tokenizer is None:
        return _estimate, f"estimated, {BYTES_PER_TOKEN} bytes are one"
    path = Path(tokenizer)
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise InputError("--tokenizer: needs `pip install tokenizers`") from None
    if not file.is_file():
        raise InputError(f"--tokenizer {tokenizer}: no tokenizer.json is there")
    try:
        found = Tokenizer.from_file(str(file))
    except Exception as error:
        raise InputError(f"--tokenizer {file}: cannot be read: {error}") from None

    def count(text: str) -> int:
        return len(found.encode(text, add_special_tokens=False).ids)

    return count, f"by the tokenizer {path.name}"


def _estimate(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def tokens_in(trace: Trace, count: Count) -> int:
    """Tokens of all messages of a trace: contents, reasoning and calls; without tool schemas and
    what a chat template puts around them."""
    total = 0
    for conversation in trace.conversations:
        for message in conversation.messages:
            total += count(str(message.get("content") or ""))
            total += count(str(message.get("reasoning_content") or ""))
        for call in conversation.calls():
            total += count(call["name"] + json.dumps(call["arguments"], ensure_ascii=False))
    return total
