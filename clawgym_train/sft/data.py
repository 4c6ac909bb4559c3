"""Conversations from JSON Lines to tokens with their loss mask.

One conversation a line: `messages` as chat templates take them, `tools` (function definitions, or
none), and optionally `skeleton` (or `family`, or `task`), by which held-out data is cut off.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import fsspec
from datasets import Dataset

from clawgym_bench.errors import InputError
from clawgym_train.rollout.chat import ChatFormat

FAMILY_FIELDS = ("skeleton", "family", "task")


@dataclass
class Counts:
    """Conversations that were used, left out as too long, and left out for want of a turn."""

    used: int = 0
    too_long: int = 0
    silent: int = 0
    held_out: int = 0
    tokens: int = field(default=0)
    learnt_tokens: int = field(default=0)


def read_conversations(path: str) -> Iterator[dict[str, Any]]:
    """Line by line, so that a large file needs little memory. Raises `InputError`."""
    try:
        with fsspec.open(path, "rt", encoding="utf-8", compression="infer") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(f"{path}:{number}", line)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _row(where: str, line: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: is not JSON: {error}") from None
    messages = row.get("messages") if isinstance(row, dict) else None
    if (
        not isinstance(messages, list)
        or not messages
        or not all(
            isinstance(message, dict) and isinstance(message.get("role"), str)
            for message in messages
        )
    ):
        raise InputError(f"{where}: needs `messages`, a list of messages that have a `role`")
    try:
        tools = row.get("tools") or []
        row["tools"] = json.loads(tools) if isinstance(tools, str) else tools
        for message in messages:
            for call in message.get("tool_calls") or []:
                arguments = call["function"].get("arguments")
                if isinstance(arguments, str):
                    call["function"]["arguments"] = json.loads(arguments)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: holds a tool call that cannot be read: {error!r}") from None
    return row


def held_out(row: dict[str, Any], share: float) -> bool:
    """By the hash of its skeleton: a skeleton stands on one side, whatever else is in the file."""
    name = next((str(row[key]) for key in FAMILY_FIELDS if row.get(key)), "")
    digest = hashlib.sha256(f"sft {name}".encode()).digest()
    return bool(share) and int.from_bytes(digest[:8], "big") / 2**64 < share


def tokenized(path: str, chat: ChatFormat, max_tokens: int, share: float = 0.0) -> "Tokenized":
    """The conversations of a file; raises `InputError` when none is left."""
    train: list[dict[str, list[int]]] = []
    evaluation: list[dict[str, list[int]]] = []
    counts = Counts()
    for row in read_conversations(path):
        ids, mask = chat.training_example(row["messages"], row["tools"])
        if len(ids) > max_tokens:
            counts.too_long += 1
        elif not any(mask):
            counts.silent += 1
        else:
            labels = [token if learnt else -100 for token, learnt in zip(ids, mask, strict=True)]
            aside = held_out(row, share)
            (evaluation if aside else train).append({"input_ids": ids, "labels": labels})
            counts.held_out += aside
            counts.used += not aside
            counts.tokens += len(ids)
            counts.learnt_tokens += sum(mask)
    if not train:
        raise InputError(
            f"{path}: no conversation is left to learn from ({counts.too_long} longer than "
            f"{max_tokens} tokens, {counts.silent} without an assistant's turn, "
            f"{counts.held_out} held out)"
        )
    aside_set = Dataset.from_list(evaluation) if evaluation else None
    return Tokenized(Dataset.from_list(train), aside_set, counts)


@dataclass(frozen=True)
class Tokenized:
    train: Dataset
    held_out: Dataset | None
    counts: Counts
