"""Stage *split*: train, validation and test share neither a composition nor a persona.

The plan's skeleton decides by its hash, so that a task stays in its split when the set grows. A
persona that stands in another split already is refused: held-out means unseen.
"""

import hashlib

SPLITS = ("train", "validation", "test")


def split_of(plan_key: str, validation_share: float, test_share: float) -> str:
    digest = hashlib.sha256(f"split {plan_key}".encode()).digest()
    at = int.from_bytes(digest[:8], "big") / 2**64
    if at < test_share:
        return "test"
    return "validation" if at < test_share + validation_share else "train"


class Personas:
    """Which split each persona stands in."""

    def __init__(self) -> None:
        self._split: dict[int, str] = {}

    def elsewhere(self, persona: int | None, split: str) -> str | None:
        """Another split in which the persona stands."""
        found = None if persona is None else self._split.get(persona)
        return found if found != split else None

    def take(self, persona: int | None, split: str) -> None:
        if persona is not None:
            self._split[persona] = split
