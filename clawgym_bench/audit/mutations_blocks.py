"""Errors in calendars and address books: properties of an entry, and whole entries."""

import re
from collections.abc import Iterator
from random import Random

from clawgym_bench.audit.mutations import (
    DATE,
    DROPPED,
    DUPLICATED,
    NAME,
    RENAMED,
    SWAPPED,
    Mutant,
    Mutations,
    Rules,
    shown,
)
from clawgym_bench.audit.mutations_values import other_name, shifted_dates
from clawgym_bench.checks.compare import equal
from clawgym_bench.checks.text import decode_text

TIMES = frozenset({"DTSTART", "DTEND", "DUE", "BDAY"})
NAMES = frozenset({"SUMMARY", "LOCATION", "ATTENDEE", "FN", "TEL", "EMAIL", "ORG", "TITLE"})
_PROPERTY = re.compile(r"(?P<name>[A-Za-z-]+)(?P<parameters>(?:;[^:]*)?):(?P<value>.*)")
_HOUR = re.compile(r"(?<=T)\d{2}")


def calendar(content: bytes, rules: Rules, random: Random) -> Mutations:
    return _mutations(content, ("VEVENT", "VTODO"), random)


def contacts(content: bytes, rules: Rules, random: Random) -> Mutations:
    return _mutations(content, ("VCARD",), random)


def _mutations(content: bytes, kinds: tuple[str, ...], random: Random) -> Mutations:
    lines = decode_text(content).replace("\n ", "").replace("\n\t", "").split("\n")
    file = _File(lines, kinds, random)
    return Mutations(list(file.mutants()), lambda: _write(lines))


def _write(lines: list[str]) -> bytes:
    return "\r\n".join(lines).encode()


class _File:
    def __init__(self, lines: list[str], kinds: tuple[str, ...], random: Random) -> None:
        self.lines, self.random = lines, random
        self.entries: list[tuple[int, int]] = []
        """First and last line of each entry."""
        start = None
        for number, line in enumerate(lines):
            edge = line.strip().upper()
            if edge in {f"BEGIN:{kind}" for kind in kinds} and start is None:
                start = number
            elif edge in {f"END:{kind}" for kind in kinds} and start is not None:
                self.entries.append((start, number))
                start = None
        self.properties: dict[str, list[tuple[int, str]]] = {}
        """Lines of the entries by property, with the property's value."""
        for start, end in self.entries:
            for number in range(start + 1, end):
                match = _PROPERTY.fullmatch(lines[number].rstrip())
                if match and match["name"].upper() in TIMES | NAMES:
                    at = (number, match["value"])
                    self.properties.setdefault(match["name"].upper(), []).append(at)

    def mutants(self) -> Iterator[Mutant]:
        for name, places in self.properties.items():
            for number, value in places:
                wrong = [(DATE, new) for new in _shifted(value)]
                if name in NAMES:
                    pool: list[object] = [one for _, one in places]
                    other = other_name(value, pool, self.random.randrange(1 << 16))
                    wrong = [(NAME, str(other))] if other is not None else []
                for kind, new in wrong:
                    yield self._mutant(kind, number, value, new, self._with({number: new}))
            yield from self._swapped(name, places)
            number, _ = self.random.choice(places)
            line = self.lines[number]
            renamed = [*self.lines[:number], f"X-{line}", *self.lines[number + 1 :]]
            yield self._mutant(RENAMED, number, name, f"X-{name}", renamed)
        for start, end in self.entries:
            entry = self.lines[start : end + 1]
            title = next((line for line in entry if line.startswith(("SUMMARY", "FN"))), entry[0])
            if len(self.entries) > 1:
                left = self.lines[:start] + self.lines[end + 1 :]
                yield self._mutant(DROPPED, start, title, "(no such entry)", left)
            # A copy under the same UID would be the same entry; this one is another.
            again = [re.sub(r"^(UID[^:]*:)", r"\1again-", line) for line in entry]
            twice = self.lines[: end + 1] + again + self.lines[end + 1 :]
            yield self._mutant(DUPLICATED, start, title, "(the entry twice)", twice)

    def _mutant(self, kind: str, number: int, before: str, after: str, new: list[str]) -> Mutant:
        return Mutant(kind, "data", shown(before), shown(after), lambda: _write(new), number + 1)

    def _with(self, values: dict[int, str]) -> list[str]:
        new = list(self.lines)
        for number, value in values.items():
            match = _PROPERTY.fullmatch(new[number].rstrip())
            assert match is not None
            new[number] = f"{match['name']}{match['parameters']}:{value}"
        return new

    def _swapped(self, name: str, places: list[tuple[int, str]]) -> Iterator[Mutant]:
        mixed = list(places)
        self.random.shuffle(mixed)
        for (one, a), (two, b) in zip(mixed[::2], mixed[1::2], strict=False):
            if not equal(a, b) and self._entry(one) != self._entry(two):
                new = self._with({one: b, two: a})
                yield self._mutant(SWAPPED, one, f"{name}: {a} and {b}", "exchanged", new)

    def _entry(self, number: int) -> int:
        return next(start for start, end in self.entries if start <= number <= end)


def _shifted(value: str) -> list[str]:
    """A day later; and an hour later where there is a time."""
    hour = _HOUR.sub(lambda match: f"{(int(match.group()) + 1) % 24:02d}", value, count=1)
    return [*shifted_dates(value)[:1], *([hour] if hour != value else [])]
