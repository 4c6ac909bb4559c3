"""Finds what must not be published: keys, tokens, home folders, e-mail addresses.

Nothing that stands in the task itself counts: its files are public. Addresses of domains that are
reserved for examples do not count either.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

NAMED_LIKE_SECRETS = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
SECRET_LENGTH = 12
MOST = 100
HOME = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})([A-Za-z0-9][\w.-]{0,63})")
NOBODY = frozenset(
    {"agent", "grader", "me", "name", "runner", "shared", "public", "user", "username", "you"}
)
"""Names of home folders that tell nothing: the sandbox's own, a CI machine's, and examples."""
LOCAL_PART = re.compile(r"[A-Za-z0-9._%+-]{1,64}$")
DOMAIN = re.compile(r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.([A-Za-z]{2,24})\b")
RESERVED = ("example", "test", "invalid", "localhost", "local", "internal")
EXAMPLES = ("example.com", "example.org", "example.net")


@dataclass(frozen=True)
class Leak:
    """`text` is the match itself: never print it, print `shown`."""

    kind: str
    where: str
    text: str

    @property
    def secret(self) -> bool:
        """Whether it gives access to something, and so is never accepted."""
        return self.kind not in ("home folder", "e-mail address")

    @property
    def shown(self) -> str:
        """Enough to find it again, and not to use it."""
        if not self.secret:
            return self.text
        return f"{self.text[:4]}… ({len(self.text)} characters)"

    def __str__(self) -> str:
        return f"{self.where}: {self.kind} {self.shown}"


@dataclass(frozen=True)
class Shape:
    kind: str
    hint: str
    pattern: re.Pattern[str]


@cache
def shapes() -> tuple[Shape, ...]:
    text = resources.files("clawgym_bench.board").joinpath("leaks.yaml").read_text("utf-8")
    return tuple(
        Shape(item["kind"], item["hint"], re.compile(item["pattern"]))
        for item in yaml.safe_load(text)
    )


def own_secrets() -> tuple[str, ...]:
    """Values of this machine's variables that are named like secrets, to look for them."""
    values = {
        value
        for name, value in os.environ.items()
        if NAMED_LIKE_SECRETS.search(name.upper()) and len(value) >= SECRET_LENGTH
    }
    return tuple(sorted(values))


def own_home() -> str:
    """The home folder of whoever runs this, when its name tells something."""
    home = str(Path.home())
    return home if len(Path(home).parts) > 2 and Path(home).name not in NOBODY else ""


def leaks_in(
    text: str, where: str, known: str = "", own: Collection[str] = (), home: str = ""
) -> Iterator[Leak]:
    """What leaks from one text. `known`: the task's own text, which is public already. `own`:
    values to find as they are; `home`: a folder to find besides the usual ones."""
    for shape in shapes():
        if shape.hint in text:
            for match in shape.pattern.finditer(text):
                if match[0] not in known:
                    yield Leak(shape.kind, where, match[0])
    for value in own:
        if value in text and value not in known:
            yield Leak("value of a secret variable of this machine", where, value)
    if "/home/" in text or "Users" in text:
        for match in HOME.finditer(text):
            if match[1].lower() not in NOBODY and match[0] not in known:
                yield Leak("home folder", where, match[0])
    if home and home in text and not HOME.match(home):
        yield Leak("home folder", where, home)
    yield from (
        Leak("e-mail address", where, address)
        for address in addresses(text)
        if address.lower() not in _lowered(known)
    )


@lru_cache(maxsize=4)
def _lowered(text: str) -> str:
    return text.lower()


def addresses(text: str) -> Iterator[str]:
    """E-mail addresses of real domains."""
    at = text.find("@")
    while at >= 0:
        before = LOCAL_PART.search(text[max(0, at - 64) : at])
        after = DOMAIN.match(text[at + 1 : at + 255])
        if before and after:
            domain = after[0].lower()
            if after[1].lower() not in RESERVED and not _example(domain):
                yield f"{before[0]}@{after[0]}"
        at = text.find("@", at + 1)


def _example(domain: str) -> bool:
    return any(domain == name or domain.endswith("." + name) for name in EXAMPLES)


def texts(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every text of JSON data, keys too, with where it stands."""
    waiting = [(value, where)]
    while waiting:
        found, place = waiting.pop()
        if isinstance(found, str):
            yield found, place
        elif isinstance(found, Mapping):
            for name, inner in found.items():
                yield str(name), place
                waiting.append((inner, f"{place}.{name}" if len(str(name)) < 60 else place))
        elif isinstance(found, list):
            waiting.extend((inner, f"{place}[{number}]") for number, inner in enumerate(found))


def find_leaks(
    parts: Iterable[tuple[str, str]], known: str = "", own: Collection[str] = (), home: str = ""
) -> list[Leak]:
    """Leaks in texts with their places; the same thing is named where it stands first.
    Ends after `MOST`."""
    found: dict[tuple[str, str], Leak] = {}
    for text, where in parts:
        if len(text) > 5:
            for leak in leaks_in(text, where, known, own, home):
                found.setdefault((leak.kind, leak.text), leak)
                if len(found) >= MOST:
                    return list(found.values())
    return list(found.values())


def unique(leaks: Iterable[Leak]) -> list[Leak]:
    """The same thing once, where it stands first."""
    found: dict[tuple[str, str], Leak] = {}
    for leak in leaks:
        found.setdefault((leak.kind, leak.text), leak)
    return list(found.values())
