"""What the model is told: texts in `prompts`, filled with what was drawn for an attempt."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
)

from clawgym_data.compose.skill import OPERATIONS
from clawgym_data.pipeline.engine import Feedback

NAMES = ("system", "form", "persona", "skill", "revise", "enrich")
FINDINGS = 20
FINDING_CHARACTERS = 600


@cache
def template(name: str) -> str:
    return resources.files("clawgym_data.write").joinpath(f"prompts/{name}.md").read_text("utf-8")


@cache
def prompts_hash() -> str:
    """Changes with any of the texts: other texts make another set."""
    digest = hashlib.sha256("\0".join(template(name) for name in NAMES).encode())
    return digest.hexdigest()[:16]


def filled(name: str, **values: str) -> str:
    """Values are put in once; what looks like a place in them stays."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template(name)).strip()


def nonce(*texts: str) -> str:
    """Depends on all the material, so that no material can hold it."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:20]


def conversation(ask: str, feedback: Feedback | None) -> list[ChatMessage]:
    """The first request or, with feedback, the last draft and what was found in it."""
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=template("system").strip()),
        ChatMessageUser(content=ask),
    ]
    if feedback is None:
        return messages
    findings = shown(feedback.findings)
    return [
        *messages,
        ChatMessageAssistant(content=feedback.line or "(no draft)"),
        ChatMessageUser(content=filled("revise", findings=findings)),
    ]


def shown(findings: Sequence[str]) -> str:
    lines = [f"- {' '.join(text.split())[:FINDING_CHARACTERS]}" for text in findings[:FINDINGS]]
    if len(findings) > FINDINGS:
        lines.append(f"- and {len(findings) - FINDINGS} more")
    return "\n".join(lines) or "- no reason was given"


def form() -> str:
    return filled("form", operations=", ".join(sorted(OPERATIONS)))
