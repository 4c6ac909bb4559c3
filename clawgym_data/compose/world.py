"""The world of one task: whose request it is, where, when, and a source of chance.

Everything random in a task comes from `World.random`, and that from the task's seed, so a task
depends on its seed alone.
"""

import random
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date, timedelta

from clawgym_bench.task import Persona

REGISTERS = (
    "formal",
    "friendly",
    "terse",
    "hurried",
    "methodical",
    "chatty",
    "second-language-plain",
)
"""How people write; `request` has the grammar of each."""


@dataclass(frozen=True)
class HouseStyle:
    """Habits of the house. `dates` are written so in letters and notes: `iso` 2026-04-09, `dotted`
    09.04.2026, `written` 9 April 2026. `separator` joins the words of file names."""

    dates: str = "iso"
    decimal_comma: bool = False
    separator: str = "-"


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
    locale: str = "en"
    """Where the house is: `de`, `en-gb`, …. Everybody writes English."""
    team: str = "office"
    """Of the person who asks ("front office")."""
    teams: tuple[str, ...] = ("office",)
    """In the house, that of the person among them."""
    mail_domain: str = "example.org"
    """A reserved one, after the organisation."""
    style: HouseStyle = field(default_factory=HouseStyle)

    def email(self, name: str) -> str:
        """The address of a person of the house: `first.last@…`."""
        words = slug(name).split("-")
        return f"{words[0]}.{''.join(words[1:])}@{self.mail_domain}".replace(".@", "@")

    @property
    def emails(self) -> dict[str, str]:
        """Everybody's address by full name, the person who asks first."""
        return {name: self.email(name) for name in (self.name, *self.people)}

    def path(self, stem: str, suffix: str, *folders: str) -> str:
        """A workspace path not in use yet, in one of `folders` ("" is the root)."""
        stem = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "file"
        stem = stem.replace("-", self.style.separator)
        folder = self.random.choice(folders) if folders else ""
        for number in range(1, 100):
            again = "" if number == 1 else f"{self.style.separator}{number}"
            name = f"{stem}{again}{suffix}"
            path = f"{folder}/{name}" if folder else name
            if path not in self.paths:
                self.paths.add(path)
                return path
        raise ValueError(f"no free path for {stem}{suffix}")

    def day(self, first: int, last: int) -> date:
        """A day between `first` and `last` days before today (negative: after)."""
        return self.today - timedelta(days=self.random.randint(min(first, last), max(first, last)))


LETTERS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ł": "l", "Ł": "L"})


def slug(text: str) -> str:
    """Small plain letters and digits, joined by hyphens: "Zoë Weiß" → "zoe-weiss"."""
    plain = unicodedata.normalize("NFKD", text.translate(LETTERS)).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "-", plain.decode().lower()).strip("-")
