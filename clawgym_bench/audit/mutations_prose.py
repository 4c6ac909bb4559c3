"""Errors in prose: facts (numbers, dates, names, exchanged values) and whole sentences.

A text comes in parts (paragraphs of a document, the text between tags). A fact is made wrong
wherever it stands in the file, as by an author who believes it; small numbers, which may mean
several things, one at a time. Headings, addresses, code and link targets are no facts. Where
there are other right answers, a fact that one of them does not state is an aside that nobody asked
for: left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from random import Random

from clawgym_bench.audit.mutations import (
    ADDED,
    DATE,
    FACT,
    LABELS,
    NAME,
    NEGATED,
    SHUFFLED,
    Mutant,
    Mutations,
    Rules,
    shown,
)
from clawgym_bench.audit.mutations_values import MONTHS, shifted_dates, wrong_number_texts
from clawgym_bench.checks.compare import as_number, equal, finds, numbers_in, searchable

Parts = Sequence[str]
Write = Callable[[Parts], bytes]

SMALL = 10
FALSE_PARAGRAPH = (
    "One more thing: all of the above was revised afterwards, the figures turned out 41 % too "
    "high, and Mr Zeller has asked for nothing to be done until 30 February."
)
_HIDDEN = re.compile(
    r"```[\s\S]*?```|^#{1,6} .*$|\bhttps?://\S+|(?<=\])\([^)\n]*\)|^\s*\d{1,2}[.)] "
    r"|^\s*\|?[-:| ]+\|?$|`?(?!\d{4}-\d\d-\d\d/\d)(?:[\w.-]+/)+[\w.-]*`?|`[^`\n]*\.\w{1,5}`"
    r"|\b[\w-]+\.(?:csv|json|md|py|txt|xlsx|ics)\b|\b(?:Dear|Hi|Hello) \w+|\[\[[^\]\n]*\]\]",
    re.MULTILINE,
)
_NO_NAME = (
    rf"(?:{MONTHS}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I|Dear|Kind|Best|Hi"
    r"|Mr|Mrs|Ms|Dr|The|It|This|That|If|In|We|You|They|He|She|No|Yes|UTC|CET|EUR|GBP|USD)\b"
)
_WHEN = (
    rf"\d{{4}}-\d{{2}}-\d{{2}}(?![\d/])|(?<![\d.,])\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTHS})\b"
    rf"(?:,? \d{{4}}\b)?|\b(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
    r"|(?<![\d:.,])\d{1,2}:\d{2}(?![\d:])"
)
_CODE = r"\b[A-Z][A-Za-z]{0,9}-?\d[\w-]*|\b\d{4}-\d{2}-\d{2}/\d+\b|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_CAPITAL = r"[A-Z][\w-]*[a-z]"
_PROPER = rf"(?<=[a-z,;:|(] )(?!{_NO_NAME}){_CAPITAL}(?: (?:{_CAPITAL}|\d{{1,3}}(?![\d.,:])))*"
_AMOUNT = r"(?<![\w.,/:#-])[-−+]?[£$€]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/:-]*\d)"
_YEAR = r"(?<![\w.,/:#£$€-])(?:19|20)\d{2}(?![\w/:-])(?![.,]\d)"
_FACTS = re.compile(
    rf"(?P<when>{_WHEN})|(?P<year>{_YEAR})|(?P<code>{_CODE})|(?P<name>{_PROPER})|(?P<amount>{_AMOUNT})"
)
_BEGUN = re.compile(r"\b[A-Z][\w-]* $")
_VERB = re.compile(r"\b(is|are|was|were|will|has|have|can|must|may|should)\b(?! not\b)")
_WORD_RUN = re.compile(r"^(?!#)(?:\S+ ){7,}\S+", re.MULTILINE)
_UP_TO_TEN = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_TO_TWENTY = ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
_WORDS = {str(at): word for at, word in enumerate([*_UP_TO_TEN, *_TO_TWENTY], start=1)}


@dataclass(frozen=True)
class Token:
    """A fact in part number `part`: `kind` is when, year, code, name or amount."""

    kind: str
    text: str
    part: int
    start: int
    end: int


def prose_mutations(parts: Parts, write: Write, rules: Rules, random: Random) -> Mutations:
    prose = _Prose(parts, write, rules, random)
    return Mutations([*prose.facts(), *prose.sentences()], lambda: write(parts))


class _Prose:
    def __init__(self, parts: Parts, write: Write, rules: Rules, random: Random) -> None:
        self.parts, self.write, self.rules, self.random = list(parts), write, rules, random

    @cached_property
    def tokens(self) -> list[Token]:
        found = []
        for number, part in enumerate(self.parts):
            visible = _HIDDEN.sub(lambda match: "\0" * len(match.group()), part)
            found += [
                Token(str(match.lastgroup), match.group(), number, *match.span())
                for match in _FACTS.finditer(visible)
                if not (match.lastgroup == "name" and _BEGUN.search(part[: match.start()]))
            ]
        # A name is one wherever it stands, also where a sentence begins.
        names = {token.text for token in found if token.kind == "name"}
        taken = {(token.part, at) for token in found for at in range(token.start, token.end)}
        for name in sorted(names, key=len, reverse=True):
            for number, part in enumerate(self.parts):
                for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", part):
                    if (number, match.start()) not in taken:
                        found.append(Token("name", name, number, *match.span()))
                        taken |= {(number, at) for at in range(*match.span())}
        return sorted(found, key=lambda token: (token.part, token.start))

    @cached_property
    def groups(self) -> list[list[Token]]:
        """The places of each fact that is asked for."""
        places: dict[object, list[Token]] = {}
        for token in self.tokens:
            key: object = (token.kind, token.text)
            if token.kind == "amount":
                value = amount(token.text)
                small = value is None or abs(value) < SMALL
                key = (token.part, token.start) if small else ("amount", value)
            places.setdefault(key, []).append(token)
        return [tokens for tokens in places.values() if self.asked(tokens[0])]

    def asked(self, token: Token) -> bool:
        return all(_states(other, token) for other in self.rules.others)

    def facts(self) -> Iterator[Mutant]:
        for tokens in self.groups:
            token = tokens[0]
            if token.kind == "when":
                wrong = [(DATE, new) for new in shifted_dates(token.text)]
            elif token.kind == "year":
                wrong = [(DATE, str(int(token.text) + 1))]
            elif token.kind == "amount":
                wrong = list(wrong_number_texts(token.text, self._places(token.text)))
            else:
                wrong = [(NAME, self._other(token))]
            for kind, new in wrong:
                if kind == NAME or not equal(new, token.text):
                    changes = dict.fromkeys(tokens, new)
                    yield self._mutant(kind, token, new, changes)
        yield from self._exchanged()

    def _places(self, text: str) -> int | None:
        """How many decimal places of a number count: fewer where a check rounds this fact."""
        value = amount(text)
        places = [
            decimals
            for wanted, decimals in self.rules.facts
            if value is not None and equal(value, wanted, decimals=decimals)
        ]
        return min(places, default=None)

    def _other(self, token: Token) -> str:
        shape = _shape(token.text)
        others = {
            other.text
            for other in self.tokens
            if other.kind == token.kind and other.text != token.text
        }
        alike = [text for text in sorted(others) if token.kind == "name" or _shape(text) == shape]
        if alike:
            return self.random.choice(alike)
        last = re.search(r"\d(?=\D*$)", token.text)
        if token.kind == "code" and last:
            digit = (int(last.group()) + 1) % 10
            return f"{token.text[: last.start()]}{digit}{token.text[last.end() :]}"
        return "marlow@example.org" if "@" in token.text else "Marlow"

    def _exchanged(self) -> Iterator[Mutant]:
        for kind in ("amount", "when"):
            groups = [tokens for tokens in self.groups if tokens[0].kind == kind]
            self.random.shuffle(groups)
            for one, two in pairwise(groups):
                a, b = one[0], two[0]
                if equal(a.text, b.text) or self._listed(a, b) or _clock(a) != _clock(b):
                    continue
                changes = dict.fromkeys(one, b.text) | dict.fromkeys(two, a.text)
                yield self._mutant(LABELS, a, f"exchanged with {b.text}", changes)

    def _listed(self, a: Token, b: Token) -> bool:
        """Whether two facts are neighbours in a list such as "3 and 4": their order may be free."""
        first, last = sorted((a, b), key=lambda token: (token.part, token.start))
        if first.part != last.part:
            return False
        between = self.parts[first.part][first.end : last.start]
        return bool(re.fullmatch(r"\s*(?:,|;|/|and|or|&)?\s*(?:and|or)?\s*", between))

    def _mutant(self, kind: str, token: Token, new: str, changes: dict[Token, str]) -> Mutant:
        part = self.parts[token.part]
        context = part[max(0, token.start - 25) : token.end + 15]
        before = f"{token.text} (in “{shown(context)}”)"
        return Mutant(
            FACT[kind], "fact", before, new, lambda: self.write(self._with(changes)),
            self._line(token.part, token.start),
        )  # fmt: skip

    def _with(self, changes: dict[Token, str]) -> list[str]:
        parts = list(self.parts)
        for token in sorted(changes, key=lambda each: each.start, reverse=True):
            part = parts[token.part]
            parts[token.part] = part[: token.start] + changes[token] + part[token.end :]
        return parts

    def _line(self, part: int, at: int) -> int | None:
        return self.parts[part].count("\n", 0, at) + 1 if len(self.parts) == 1 else None

    def sentences(self) -> Iterator[Mutant]:
        """Prose that says something else with the same facts: for a judge to notice."""
        for number, part in enumerate(self.parts):
            for match in _VERB.finditer(part):
                end = match.end()
                new = f"{part[:end]} not{part[end:]}"
                before = part[max(0, match.start() - 30) : end + 30]
                yield self._sentence(NEGATED, number, match.start(), before, "not", new)
            for match in _WORD_RUN.finditer(part):
                words = match.group().split()
                self.random.shuffle(words)
                new = part[: match.start()] + " ".join(words) + part[match.end() :]
                before, after = match.group(), " ".join(words)
                yield self._sentence(SHUFFLED, number, match.start(), before, after, new)
        if any(part.strip() for part in self.parts):
            last = max(at for at, part in enumerate(self.parts) if part.strip())
            new = f"{self.parts[last].rstrip()}\n\n{FALSE_PARAGRAPH}\n"
            yield self._sentence(ADDED, last, len(new), "(the end)", FALSE_PARAGRAPH, new)

    def _sentence(
        self, kind: str, number: int, at: int, before: str, after: str, new: str
    ) -> Mutant:
        parts = [*self.parts[:number], new, *self.parts[number + 1 :]]
        return Mutant(
            kind, "prose", shown(before), shown(after), lambda: self.write(parts),
            self._line(number, at),
        )  # fmt: skip


def amount(text: str) -> Decimal | None:
    return as_number(text.replace("−", "-"))


def _clock(token: Token) -> bool:
    return ":" in token.text


def _shape(text: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "0", text)))


def _states(other: str, token: Token) -> bool:
    """Whether another right answer has the fact, in whatever form; numbers perhaps rounded."""
    if finds(token.text, other):
        return True
    if token.text in _WORDS:
        return finds(_WORDS[token.text], other)
    value = amount(token.text) if token.kind == "amount" else None
    if value is None:
        return False
    return any(
        isinstance(mention.value, Decimal)
        and (equal(mention.value, value, decimals=0) or equal(abs(mention.value), abs(value)))
        for mention in numbers_in(searchable(other))
        if abs(value) >= SMALL or mention.value == value
    )
