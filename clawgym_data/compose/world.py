"""The world of one task: whose request it is, where, when, and a source of chance.

Everything random in a task comes from `World.random`, and that from the task's seed, so a task
depends on its seed alone.
"""

import random
import re
from dataclasses import dataclass, field
from datetime import date, timedelta

from clawgym_bench.task import Persona


@dataclass
class World:
    """`today` is the day of the request. `paths` are workspace paths already in use."""

    random: random.Random
    persona: Persona
    name: str
    """Of the person who asks."""
    organisation: str
    people: tuple[str, ...]
    """Colleagues, customers: full names."""
    places: tuple[str, ...]
    """Cities, streets, sites."""
    today: date
    register: str = "friendly"
    """How the person writes; see `request.REGISTERS`."""
    currency: str = "EUR"
    paths: set[str] = field(default_factory=set)

    def path(self, stem: str, suffix: str, *folders: str) -> str:
        """A workspace path not in use yet, in one of `folders` ("" is the root)."""
        stem = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "file"
        folder = self.random.choice(folders) if folders else ""
        for number in range(1, 100):
            name = f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
            path = f"{folder}/{name}" if folder else name
            if path not in self.paths:
                self.paths.add(path)
                return path
        raise ValueError(f"no free path for {stem}{suffix}")

    def day(self, first: int, last: int) -> date:
        """A day between `first` and `last` days before today (negative: after)."""
        return self.today - timedelta(days=self.random.randint(min(first, last), max(first, last)))
