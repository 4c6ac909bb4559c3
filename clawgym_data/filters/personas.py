"""When two tasks are the same person's."""

import hashlib

from clawgym_bench.task import Task


def persona_key(text: str) -> int | None:
    """64 bits that stand for a persona; None for nobody in particular."""
    words = " ".join(text.lower().split())
    if not words:
        return None
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")


def persona_of(task: Task) -> int | None:
    """64 bits that stand for the task's persona; None for nobody in particular."""
    persona = task.persona
    return persona_key(f"{persona.role} {persona.context}") if persona else None
