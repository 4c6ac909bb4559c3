"""Facts: a value that stands next to its label, and not next to another one's."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from typing import Literal

import regex
from pydantic import field_validator, model_validator

from clawgym_bench.checks.base import Finding, StrictModel
from clawgym_bench.checks.compare import (
    as_date,
    as_number,
    dates_in,
    equal,
    normal,
    numbers_in,
    occurrences,
    searchable,
)
from clawgym_bench.checks.dates import without_dates
from clawgym_bench.checks.numbers import IDENTIFIER
from clawgym_bench.checks.prose import units

Kind = Literal["number", "date", "text"]
Near = Literal["line", "sentence", "paragraph"]
Span = tuple[int, int]

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
_CLAUSE = regex.compile(
    r"[,;()]|(?<= )(?:and|while|whereas|versus|vs|but|against|compared with|compared to|/|-)(?= )"
)


class Fact(StrictModel):
    """A value that must stand next to its label.

    `label`: a phrase, or several of which any will do. `value`: a number (also written in words
    below a hundred; to the rounding `decimals` where given, else exactly), a date (in any way of
    writing it; the year may be left out) or a phrase. `near`: both in one line (table row, list
    item, sentence), in one sentence, or in one paragraph (list, table).

    Where labels of several facts share a line, each value belongs to one of them: to the label
    before it (A 12, B 30), after it (12 for A, 30 for B), in its clause, or in the same order
    (A and B are 12 and 30). Exchanged values are noticed.
    """

    label: str | list[str]
    value: int | float | str
    decimals: int | None = None
    near: Near = "line"

    @field_validator("value", mode="before")
    @classmethod
    def _scalar(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("a fact's value is a number, a date or a phrase: quote yes and no")
        return without_dates(value)

    @model_validator(mode="after")
    def _usable(self) -> "Fact":
        if not self.labels or not all(normal(label) for label in self.labels):
            raise ValueError("a fact needs a label, and no label may be blank")
        if isinstance(self.value, str) and not searchable(self.value):
            raise ValueError("a fact's value may not be blank")
        if self.decimals is not None and self.kind != "number":
            raise ValueError(f"`decimals` is for numbers, and {self.value!r} is none")
        if self.kind == "number" and as_number(self.value) is None:
            raise ValueError(f"{self.value!r} is not a finite number")
        return self

    @property
    def labels(self) -> list[str]:
        return [self.label] if isinstance(self.label, str) else self.label

    @property
    def kind(self) -> Kind:
        if not isinstance(self.value, str):
            return "number"
        if as_date(self.value) is not None:
            return "date"
        if IDENTIFIER.match(self.value.strip()) or as_number(self.value) is None:
            return "text"
        return "number"

    def shown(self) -> str:
        label = " / ".join(self.labels)
        return f"{label[:60]!r} is {str(self.value)[:60]}"


@dataclass(frozen=True)
class _Mark:
    """A label or a value in a unit. `key` is the fact's number for a label; for a value, whether
    it is the wanted one, one that some fact wants, or neither."""

    start: int
    end: int
    label: int = -1
    wanted: bool = False
    relevant: bool = False

    @property
    def is_label(self) -> bool:
        return self.label >= 0


def fact_findings(facts: Sequence[Fact], text: str, where: str) -> list[Finding]:
    """One finding a fact. The labels of all facts compete for the values."""
    pieces: dict[Near, list[str]] = {}
    whole = searchable(text)
    findings = []
    for number, fact in enumerate(facts):
        if not any(occurrences(label, whole) for label in fact.labels):
            reason = f"{where}: nothing is said about {fact.labels[0][:60]!r} ({fact.shown()})"
            findings.append(Finding(False, reason))
            continue
        if fact.near not in pieces:
            pieces[fact.near] = [searchable(unit) for unit in units(text, fact.near)]
        about = [unit for unit in pieces[fact.near] if _label_spans([fact], unit)]
        if any(_states(unit, number, facts) for unit in about):
            findings.append(Finding(True, f"{where}: {fact.shown()}"))
            continue
        start = min(_label_spans([fact], about[0]))[0] if about else 0
        excerpt = about[0][max(0, start - 20) : start + 70] if about else "the label alone"
        findings.append(Finding(False, f"{where}: not that {fact.shown()}; found: {excerpt}"[:200]))
    return findings


def _label_spans(facts: Sequence[Fact], unit: str) -> list[Span]:
    return [span for fact in facts for label in fact.labels for span in occurrences(label, unit)]


def _states(unit: str, number: int, facts: Sequence[Fact]) -> bool:
    """Whether the unit gives the fact's value to one of its labels."""
    fact = facts[number]
    labels = _labels(unit, number, facts)
    values = _values(unit, fact, facts, labels)
    if not any(value.wanted for value in values):
        return False
    if all(label.label == number for label in labels):
        return True
    marks = sorted([*labels, *values], key=lambda mark: (mark.start, mark.end))
    relevant = [mark for mark in marks if mark.is_label or mark.relevant]
    for sequence in (marks, relevant):
        owned = _pairwise(sequence, number)
        if owned is not None:
            return owned
    owned = _in_clause(unit, marks, number)
    if owned is not None:
        return owned
    for sequence in (marks, relevant):
        owned = _in_turn(sequence, number)
        if owned is not None:
            return owned
    return _nearest(relevant, number)


def _labels(unit: str, number: int, facts: Sequence[Fact]) -> list[_Mark]:
    """The labels in the unit; of overlapping ones the longest ("net revenue", not "revenue").

    A label that several facts share is the asking fact's own.
    """
    own = {normal(label) for label in facts[number].labels}
    marks = []
    for other, fact in enumerate(facts):
        shared = other != number and any(normal(label) in own for label in fact.labels)
        marks += [
            _Mark(start, end, label=number if shared else other)
            for start, end in _label_spans([fact], unit)
        ]
    return _longest(marks)


class _Taken:
    """Stretches of a text that do not overlap, for quick questions."""

    def __init__(self, marks: Iterable[_Mark] = ()) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for mark in marks:
            self.add(mark.start, mark.end)

    def free(self, start: int, end: int) -> bool:
        at = bisect_left(self.starts, end)
        return at == 0 or self.ends[at - 1] <= start

    def add(self, start: int, end: int) -> None:
        at = bisect_left(self.starts, start)
        self.starts.insert(at, start)
        self.ends.insert(at, end)


def _longest(marks: Sequence[_Mark]) -> list[_Mark]:
    taken, kept = _Taken(), []
    for mark in sorted(marks, key=lambda mark: (mark.start - mark.end, mark.start)):
        if taken.free(mark.start, mark.end):
            taken.add(mark.start, mark.end)
            kept.append(mark)
    return sorted(kept, key=lambda mark: mark.start)


def _values(unit: str, fact: Fact, facts: Sequence[Fact], labels: Sequence[_Mark]) -> list[_Mark]:
    """All values of the fact's kind in the unit, outside the labels."""
    peers = [peer for peer in facts if peer.kind == fact.kind]
    found: list[_Mark] = []
    if fact.kind == "text":
        phrases = {str(peer.value): None for peer in peers}
        found = _longest(
            [
                _Mark(*span, wanted=equal(phrase, fact.value), relevant=True)
                for phrase in phrases
                for span in occurrences(phrase, unit)
            ]
        )
    else:
        for span, value in _candidates(unit, fact.kind):
            found.append(
                _Mark(
                    *span,
                    wanted=_is(value, fact),
                    relevant=any(_is(value, peer) for peer in peers),
                )
            )
    taken = _Taken(labels)
    return [value for value in found if taken.free(value.start, value.end)]


def _candidates(unit: str, kind: Kind) -> list[tuple[Span, Decimal | date | tuple[int, int]]]:
    found: list[tuple[Span, Decimal | date | tuple[int, int]]] = []
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


def _is(value: Decimal | date | tuple[int, int], fact: Fact) -> bool:
    if isinstance(value, tuple):
        when = as_date(fact.value)
        plain_day = when is not None and not isinstance(when, datetime)
        return plain_day and when is not None and value == (when.month, when.day)
    if fact.kind == "date":
        return equal(value, as_date(fact.value))
    return equal(value, as_number(fact.value), decimals=fact.decimals)


def _runs(sequence: Sequence[_Mark]) -> list[list[_Mark]]:
    return [list(run) for _, run in groupby(sequence, key=lambda mark: mark.is_label)]


def _pairwise(sequence: Sequence[_Mark], number: int) -> bool | None:
    """Two or more labels, then as many values (or the other way round): in the same order."""
    runs = _runs(sequence)
    if len(runs) != 2 or len(runs[0]) != len(runs[1]) or len(runs[0]) < 2:
        return None
    labels, values = runs if runs[0][0].is_label else (runs[1], runs[0])
    pairs = zip(labels, values, strict=True)
    return any(label.label == number and value.wanted for label, value in pairs)


def _in_clause(unit: str, marks: Sequence[_Mark], number: int) -> bool | None:
    """A clause with this label alone and with values that matter decides."""
    taken = _Taken(_longest(marks))
    cuts = [m.start() for m in _CLAUSE.finditer(unit) if taken.free(m.start(), m.end())]
    decided = None
    for _, clause in groupby(marks, key=lambda mark: bisect_right(cuts, mark.start)):
        inside = list(clause)
        labels = {mark.label for mark in inside if mark.is_label}
        values = [mark for mark in inside if mark.relevant]
        if labels == {number} and values:
            decided = bool(decided) or any(value.wanted for value in values)
    return decided


def _in_turn(sequence: Sequence[_Mark], number: int) -> bool | None:
    """Labels before their values throughout, or values before their labels throughout."""
    if not sequence or sequence[0].is_label == sequence[-1].is_label:
        return None
    turned = list(sequence) if sequence[0].is_label else list(reversed(sequence))
    runs = _runs(turned)
    for labels, values in zip(runs[::2], runs[1::2], strict=True):
        if len(labels) == len(values):
            owned = list(zip(labels, ([value] for value in values), strict=True))
        elif len(values) == 1:
            owned = [(label, values) for label in labels]
        else:
            owned = [(labels[-1], values)]
        for label, given in owned:
            if label.label == number and any(value.wanted for value in given):
                return True
    return False


def _nearest(sequence: Sequence[_Mark], number: int) -> bool:
    """Of the values with no other label between, the nearest one."""
    for at, label in enumerate(sequence):
        if label.label != number:
            continue
        beside = []
        if at > 0 and not sequence[at - 1].is_label:
            beside.append((label.start - sequence[at - 1].end, sequence[at - 1]))
        if at + 1 < len(sequence) and not sequence[at + 1].is_label:
            beside.append((sequence[at + 1].start - label.end, sequence[at + 1]))
        if beside and min(beside, key=lambda pair: pair[0])[1].wanted:
            return True
    return False
