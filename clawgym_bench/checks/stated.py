"""Whether a text states facts: to which label each value in it belongs."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import regex

from clawgym_bench.checks.base import Finding
from clawgym_bench.checks.compare import searchable
from clawgym_bench.checks.facts import Fact, Kind, Near, values_in
from clawgym_bench.checks.mentions import phrase_pattern
from clawgym_bench.checks.prose import units

_CLAUSE = regex.compile(
    r"[,;()]|[.!?](?= )"
    r"|(?<= )(?:and|while|whereas|versus|vs|but|against|compared with|compared to|/|-)(?= )"
)


def fact_findings(facts: Sequence[Fact], text: str, where: str) -> list[Finding]:
    """One finding a fact. The labels of all facts compete for the values."""
    asked = _Asked(facts)
    pieces: dict[Near, list[_Unit]] = {}
    whole = searchable(text) if facts else ""
    findings = []
    for number, fact in enumerate(facts):
        if not any(pattern.search(whole) for pattern in asked.labels[number]):
            reason = f"{where}: nothing is said about {fact.labels[0][:60]!r} ({fact.shown()})"
            findings.append(Finding(False, reason[:200]))
            continue
        if fact.near not in pieces:
            pieces[fact.near] = [_Unit(unit, asked) for unit in units(text, fact.near)]
        about = [unit for unit in pieces[fact.near] if unit.has_label(number)]
        if any(unit.states(number) for unit in about):
            findings.append(Finding(True, f"{where}: {fact.shown()}"[:200]))
            continue
        excerpt = about[0].excerpt(number) if about else "the label alone"
        findings.append(Finding(False, f"{where}: not that {fact.shown()}; found: {excerpt}"[:200]))
    return findings


@dataclass(frozen=True)
class _Mark:
    """A label or a value in a unit, and the numbers of the facts whose it is: `owners` of a
    label, and for a value those that want it."""

    start: int
    end: int
    owners: frozenset[int] = frozenset()
    wanted: frozenset[int] = frozenset()

    @property
    def is_label(self) -> bool:
        return bool(self.owners)


Sequenced = Sequence[_Mark]
Reading = list[tuple[_Mark, Sequenced]]


@dataclass(frozen=True)
class _Asked:
    """The facts, with the patterns of their labels and of the phrases that are values."""

    facts: Sequence[Fact]

    @cached_property
    def labels(self) -> list[list[Any]]:
        return [[phrase_pattern(label) for label in fact.labels] for fact in self.facts]

    @cached_property
    def owners(self) -> dict[Any, frozenset[int]]:
        """The facts of each label."""
        patterns = dict.fromkeys(pattern for own in self.labels for pattern in own)
        return {
            pattern: frozenset(n for n, own in enumerate(self.labels) if pattern in own)
            for pattern in patterns
        }

    @cached_property
    def phrases(self) -> dict[Any, frozenset[int]]:
        """The facts that want each phrase."""
        texts = [fact for fact in self.facts if fact.kind == "text"]
        values = dict.fromkeys(str(value) for fact in texts for value in fact.values)
        return {
            phrase_pattern(value): frozenset(
                n for n, fact in enumerate(self.facts) if fact.kind == "text" and fact.holds(value)
            )
            for value in values
        }

    @cached_property
    def _by_value(self) -> dict[object, frozenset[int]]:
        return {}

    def wanting(self, value: object, kind: Kind) -> frozenset[int]:
        """The facts that want a value of this kind."""
        known = self._by_value
        if value not in known:
            known[value] = frozenset(
                n for n, fact in enumerate(self.facts) if fact.kind == kind and fact.holds(value)
            )
        return known[value]


@dataclass
class _Unit:
    """A piece of text within which a value is next to its label."""

    raw: str
    asked: _Asked
    _values: dict[Kind, list[_Mark]] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        return searchable(self.raw)

    def has_label(self, number: int) -> bool:
        return any(number in label.owners for label in self.labels)

    def excerpt(self, number: int) -> str:
        found = (pattern.search(self.text) for pattern in self.asked.labels[number])
        start = min(match.start() for match in found if match)
        return self.text[max(0, start - 20) : start + 70]

    @cached_property
    def labels(self) -> list[_Mark]:
        """Of overlapping ones the longest ("net revenue", not "revenue"), and none that is but a
        part of its own fact's value (the partner: partner feed)."""
        marks = []
        for pattern, owners in self.asked.owners.items():
            wholes = [
                [match.span() for match in phrase.finditer(self.text)]
                for phrase, wanting in self.asked.phrases.items()
                if owners <= wanting
            ]
            marks += [
                _Mark(match.start(), match.end(), owners=owners)
                for match in pattern.finditer(self.text)
                if not any(_is_part(match.span(), spans) for spans in wholes)
            ]
        return _longest(self.text, marks)

    def values(self, kind: Kind) -> list[_Mark]:
        """All values of the kind, outside the labels."""
        if kind not in self._values:
            taken = _Taken(self.text, self.labels)
            found = (
                _longest(self.text, self._phrases()) if kind == "text" else self._found(kind, taken)
            )
            self._values[kind] = [one for one in found if taken.free(one.start, one.end)]
        return self._values[kind]

    def _phrases(self) -> Iterator[_Mark]:
        for pattern, wanting in self.asked.phrases.items():
            for match in pattern.finditer(self.text):
                yield _Mark(match.start(), match.end(), wanted=wanting)

    def _found(self, kind: Kind, taken: "_Taken") -> Iterator[_Mark]:
        for (start, end), value in values_in(self.text, kind):
            if kind == "number" and not taken.free(start, end):
                # A label such as € or kg may be a part of how the number is written.
                places = [at for at in range(start, end) if self.text[at].isdigit()]
                start, end = (places[0], places[-1] + 1) if places else (start, end)
            yield _Mark(start, end, wanted=self.asked.wanting(value, kind))

    def states(self, number: int) -> bool:
        """Whether the unit gives the fact's value to one of its labels."""
        values = self.values(self.asked.facts[number].kind)
        if not any(number in value.wanted for value in values):
            return False
        if all(number in label.owners for label in self.labels):
            return True
        marks = sorted([*self.labels, *values], key=lambda mark: (mark.start, mark.end))
        relevant = [mark for mark in marks if mark.is_label or mark.wanted]
        for sequence in (marks, relevant):
            if (pairs := _pairwise(sequence)) is not None:
                return _gives(pairs, number)
        alone = not any(number in mark.owners and len(self._peers(mark, number)) > 1
                        for mark in self.labels)  # fmt: skip
        decided = _in_clause(self.text, marks, number, alone)
        if decided is not None:
            return decided
        if (turns := _in_turn(marks)) is not None:
            if _gives(turns, number) or all(len(given) == 1 for _, given in turns):
                return _gives(turns, number)
            return self._without_asides(marks, number)
        if (turns := _in_turn(relevant)) is not None:
            return _gives(turns, number)
        return _gives(_nearest(relevant), number)

    def _without_asides(self, marks: Sequenced, number: int) -> bool:
        """Numbers about something else may come first or last (In the year 2026 A had 12).

        That they do is believed only where then every label has a value of its own.
        """
        wanted = [at for at, mark in enumerate(marks) if mark.is_label or mark.wanted]
        inner = marks[wanted[0] : wanted[-1] + 1]
        said = frozenset[int]().union(*(mark.wanted for mark in marks))
        needed: set[int] = set()
        for label in self.labels:
            own = self._peers(label, number)
            needed.update(own if len(own) < 2 else said.intersection(own))
        return any(
            _gives(reading, number) and all(_gives(reading, other) for other in needed)
            for reading in (_in_turn(inner), _nearest(inner))
            if reading is not None
        )

    def _peers(self, label: _Mark, number: int) -> list[int]:
        """The facts of the label whose values are of the same kind."""
        facts = self.asked.facts
        return [n for n in label.owners if facts[n].kind == facts[number].kind]


class _Taken:
    """Stretches of a text that do not overlap, for quick questions."""

    def __init__(self, text: str, marks: Iterable[_Mark] = ()) -> None:
        self.signs = bytearray(len(text))
        for mark in marks:
            self.add(mark.start, mark.end)

    def free(self, start: int, end: int) -> bool:
        return self.signs.find(1, start, end) < 0

    def add(self, start: int, end: int) -> None:
        self.signs[start:end] = b"\1" * (end - start)


def _is_part(span: tuple[int, int], wholes: Sequence[tuple[int, int]]) -> bool:
    """Whether it lies in a longer one of `wholes`, which are in order and do not overlap."""
    before = bisect_right(wholes, span[0], key=lambda whole: whole[0])
    if not before:
        return False
    start, end = wholes[before - 1]
    return span[1] <= end and span[1] - span[0] < end - start


def _longest(text: str, marks: Iterable[_Mark]) -> list[_Mark]:
    ordered = sorted(marks, key=lambda mark: (mark.start - mark.end, mark.start))
    if len(ordered) < 2:
        return ordered
    taken, kept = _Taken(text), []
    for mark in ordered:
        if taken.free(mark.start, mark.end):
            taken.add(mark.start, mark.end)
            kept.append(mark)
    return sorted(kept, key=lambda mark: mark.start)


def _gives(reading: Reading, number: int) -> bool:
    return any(
        number in label.owners and any(number in value.wanted for value in values)
        for label, values in reading
    )


def _runs(sequence: Sequenced) -> list[list[_Mark]]:
    return [list(run) for _, run in groupby(sequence, key=lambda mark: mark.is_label)]


def _pairwise(sequence: Sequenced) -> Reading | None:
    """Two or more labels, then as many values (or the other way round): in the same order."""
    runs = _runs(sequence)
    if len(runs) != 2 or len(runs[0]) != len(runs[1]) or len(runs[0]) < 2:
        return None
    labels, values = runs if runs[0][0].is_label else (runs[1], runs[0])
    return [(label, [value]) for label, value in zip(labels, values, strict=True)]


def _in_clause(unit: str, marks: Sequenced, number: int, alone: bool) -> bool | None:
    """A clause with this label alone and with values that matter decides; where the fact is not
    `alone` with its label, another clause may hold its value."""
    taken = _Taken(unit, _longest(unit, marks))
    cuts = [m.start() for m in _CLAUSE.finditer(unit) if taken.free(m.start(), m.end())]
    decided = None
    for _, clause in groupby(marks, key=lambda mark: bisect_right(cuts, mark.start)):
        inside = list(clause)
        labels = [mark for mark in inside if mark.is_label]
        values = [mark for mark in inside if mark.wanted]
        if not labels or not values or not all(number in label.owners for label in labels):
            continue
        if any(number in value.wanted for value in values):
            return True
        decided = False if alone else None
    return decided


def _in_turn(sequence: Sequenced) -> Reading | None:
    """Labels before their values throughout, or values before their labels throughout."""
    if not sequence or sequence[0].is_label == sequence[-1].is_label:
        return None
    turned = list(sequence) if sequence[0].is_label else list(reversed(sequence))
    runs = _runs(turned)
    reading: Reading = []
    for labels, values in zip(runs[::2], runs[1::2], strict=True):
        if len(labels) == len(values):
            reading += [(label, [value]) for label, value in zip(labels, values, strict=True)]
        elif len(values) == 1:
            reading += [(label, values) for label in labels]
        else:
            reading.append((labels[-1], values))
    return reading


def _nearest(sequence: Sequenced) -> Reading:
    """Of the values with no other label between, the nearest one; a label of several facts takes
    those beside that one too."""
    reading: Reading = []
    for at, label in enumerate(sequence):
        if not label.is_label:
            continue
        beside: list[tuple[int, Sequenced]] = []
        if at > 0 and not sequence[at - 1].is_label:
            before = _values_from(sequence, range(at - 1, -1, -1), label)
            beside.append((label.start - before[0].end, before))
        if at + 1 < len(sequence) and not sequence[at + 1].is_label:
            after = _values_from(sequence, range(at + 1, len(sequence)), label)
            beside.append((after[0].start - label.end, after))
        if beside:
            reading.append((label, min(beside, key=lambda pair: pair[0])[1]))
    return reading


def _values_from(sequence: Sequenced, places: range, label: _Mark) -> list[_Mark]:
    run: list[_Mark] = []
    for mark in map(sequence.__getitem__, places):
        if mark.is_label or (run and len(label.owners) == 1):
            break
        run.append(mark)
    return run
