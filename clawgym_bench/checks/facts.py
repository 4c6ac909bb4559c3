"""Facts: what they ask for, and what counts as their values. `stated` finds them in a text."""

from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import regex
from pydantic import field_validator, model_validator

from clawgym_bench.checks.base import StrictModel
from clawgym_bench.checks.compare import (
    as_date,
    as_number,
    close,
    dates_in,
    equal,
    normal,
    numbers_in,
    searchable,
)
from clawgym_bench.checks.dates import same_moment, without_dates
from clawgym_bench.checks.numbers import IDENTIFIER

Kind = Literal["number", "date", "time", "text"]
Near = Literal["line", "sentence", "paragraph"]
Span = tuple[int, int]
Single = int | float | str
MonthDay = tuple[int, int]
Candidate = tuple[Span, Decimal | date | time | MonthDay]

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ONES += ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
_ONES += ["eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBER_WORD = regex.compile(
    rf"(?<![\w-])(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<ones>{'|'.join(_ONES[1:10])}))?"
    rf"|(?P<ones>{'|'.join(_ONES)}))(?![\w-])"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAY_MONTH = regex.compile(
    rf"(?<![\w/-])(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -](?P<month>{'|'.join(_MONTHS)})"
    rf"[a-z]*|(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?[ -](?P<day>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"(?![\w/])(?!\.\d)(?!,? \d{4}(?!\d))"
)
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]0{1,9}(?!\d))?)?"
_HALF = r"(?: ?(?P<half>[ap])\.?m\b\.?)?"
_TIME = regex.compile(_CLOCK + _HALF)
_TIME_IN_TEXT = regex.compile(
    rf"(?:(?<![\w:.,+])|(?<=\d(?P<iso>t))){_CLOCK}{_HALF}"
    r"(?:z|\+\d\d(?::?\d\d)?|(?(iso)-\d\d(?::?\d\d)?|h))?(?![\w:]|[.,]\d)"
)


_NAME = regex.compile(r"[A-Za-z]+-[0-9]+")
"""RS-824 is an entry, not rupees."""


class Fact(StrictModel):
    """A value that must stand next to its label.

    `label`: a phrase or a sign, or several of which any will do. `value`: a number (also written
    in words below a hundred; to the rounding `decimals` where given, else exactly; with `unsigned`
    whatever its sign), a date (in any way of writing it; the year may be left out), a time of day
    ("21:12", also with seconds, a date or am and pm) or a phrase; or several of one kind, of which
    any will do. `near`: both in one line (table row, list item, or a sentence in them), in one
    sentence, or in one paragraph (list, table).

    Where labels of several facts share a line, each value belongs to one of them: to the label
    before it (A 12, B 30), after it (12 for A, 30 for B), in its clause, or in the same order
    (A and B are 12 and 30). Exchanged values are noticed. The values of facts with one label are
    a set: A 12 and 5, B 30.
    """

    label: str | list[str]
    value: Single | list[Single]
    decimals: int | None = None
    unsigned: bool = False
    near: Near = "line"

    @field_validator("value", mode="before")
    @classmethod
    def _scalar(cls, value: object) -> object:
        if any(isinstance(one, bool) for one in (value if isinstance(value, list) else [value])):
            raise ValueError("a fact's value is a number, a date or a phrase: quote yes and no")
        return without_dates(value)

    @model_validator(mode="after")
    def _usable(self) -> "Fact":
        if not self.labels or not all(normal(label) for label in self.labels):
            raise ValueError("a fact needs a label, and no label may be blank")
        if not self.values:
            raise ValueError("a fact needs a value")
        for value in self.values:
            if isinstance(value, str) and not searchable(value):
                raise ValueError("a fact's value may not be blank")
            if _kind(value) != self.kind:
                raise ValueError(
                    f"the values of a fact are of one kind: {self.values[0]!r} is a {self.kind},"
                    f" {value!r} is a {_kind(value)}"
                )
            if self.kind == "number" and as_number(value) is None:
                raise ValueError(f"{value!r} is not a finite number")
        for name in ("decimals", "unsigned"):
            if getattr(self, name) not in (None, False) and self.kind != "number":
                raise ValueError(f"`{name}` is for numbers, and {self.values[0]!r} is none")
        return self

    @property
    def labels(self) -> list[str]:
        return [self.label] if isinstance(self.label, str) else self.label

    @property
    def values(self) -> list[Single]:
        return self.value if isinstance(self.value, list) else [self.value]

    @property
    def kind(self) -> Kind:
        return _kind(self.values[0])

    def shown(self) -> str:
        label = " / ".join(self.labels)
        return f"{label[:60]!r} is {' or '.join(map(str, self.values))[:60]}"

    def holds(self, found: object) -> bool:
        """Whether a value found in a text is one of those that are wanted."""
        return any(self._is(found, value) for value in self.values)

    def _is(self, found: object, value: Single) -> bool:
        wanted = _wanted(value)
        if isinstance(found, Decimal) and isinstance(wanted, Decimal):
            if self.unsigned:
                found, wanted = abs(found), abs(wanted)
            return close(found, wanted, self.decimals)
        if isinstance(wanted, date):
            if isinstance(found, date):
                return same_moment(found, wanted)
            return not isinstance(wanted, datetime) and found == (wanted.month, wanted.day)
        return found == wanted if isinstance(wanted, time) else equal(found, value)


def _kind(value: Single) -> Kind:
    if not isinstance(value, str):
        return "number"
    if as_date(value) is not None:
        return "date"
    if as_time(value) is not None:
        return "time"
    name = value.strip()
    if IDENTIFIER.match(name) or _NAME.fullmatch(name) or as_number(value) is None:
        return "text"
    return "number"


@lru_cache(maxsize=1024)
def _wanted(value: Single) -> Decimal | date | time | str:
    """The value as it is compared."""
    found = {"number": as_number, "date": as_date, "time": as_time}.get(_kind(value), str)(value)
    return str(value) if found is None else found


def as_time(value: object) -> time | None:
    """The time of day that a text is: 9:05, 21:12:30, 9:12 pm."""
    match = _TIME.fullmatch(normal(value)) if isinstance(value, str) and len(value) < 30 else None
    return None if match is None else _time(match)


def _time(match: "regex.Match[str]") -> time | None:
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    return time(hour, int(match["minute"]), int(match["second"] or 0)) if hour < 24 else None


def values_in(unit: str, kind: Kind) -> list[Candidate]:
    """All values of a kind other than text in a `searchable` text, and where they stand."""
    if kind == "time":
        times = ((match.span(), _time(match)) for match in _TIME_IN_TEXT.finditer(unit))
        return [(span, when) for span, when in times if when is not None]
    found: list[Candidate] = []
    if kind == "date":
        found += [((m.start, m.end), m.value) for m in dates_in(unit)]
        for match in _DAY_MONTH.finditer(unit):
            found.append((match.span(), (_MONTHS.index(match["month"]) + 1, int(match["day"]))))
        return found
    found += [((m.start, m.end), m.value) for m in numbers_in(unit)]
    for match in _NUMBER_WORD.finditer(unit):
        tens = 10 * (_TENS.index(match["tens"]) + 2) if match["tens"] else 0
        ones = _ONES.index(match["ones"]) if match["ones"] else 0
        found.append((match.span(), Decimal(tens + ones)))
    return found
