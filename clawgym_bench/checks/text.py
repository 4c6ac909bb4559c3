"""Text files, and the assertions on text that other kinds of checks share."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar

import regex
from pydantic import Field, field_validator, model_validator

from clawgym_bench.checks.base import (
    Evidence,
    Finding,
    StrictModel,
    file_content,
    hidden_content,
)
from clawgym_bench.checks.compare import finds, occurrences, plain, searchable
from clawgym_bench.checks.facts import Fact
from clawgym_bench.checks.globs import FileCheck
from clawgym_bench.checks.limits import PATTERN_SECONDS, TEXT_BYTES, TEXT_LINES, Refused
from clawgym_bench.checks.prose import (
    heading_count,
    item_count,
    line_count,
    paragraphs,
    word_count,
)
from clawgym_bench.checks.stated import fact_findings
from clawgym_bench.errors import TaskFault

__all__ = [
    "TEXT_FIELDS",
    "Fact",
    "Range",
    "TextAssertions",
    "TextCheck",
    "Title",
    "alternatives",
    "decode_text",
    "excerpt",
    "file_text",
    "search_text",
    "valid_pattern",
    "valid_phrase",
]

# A phrase, or several of which any will do.
Title = str | list[str]

_COUNTS: dict[str, tuple[str, Callable[[str], int]]] = {
    "words": ("words", word_count),
    "lines": ("lines", line_count),
    "bullets": ("list items", item_count),
    "headings": ("headings", heading_count),
    "paragraphs": ("paragraphs", lambda text: len(paragraphs(text))),
}


class Range(StrictModel):
    """How many there may be, ends included."""

    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _sensible(self) -> "Range":
        if self.min is None and self.max is None:
            raise ValueError("a range needs `min`, `max` or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"no number is at least {self.min} and at most {self.max}")
        return self

    def holds(self, count: int) -> bool:
        return (self.min is None or count >= self.min) and (self.max is None or count <= self.max)

    def affirms(self) -> bool:
        """Whether it asks for something to be there."""
        return bool(self.min)

    def __str__(self) -> str:
        if self.min == self.max:
            return f"{self.min}"
        if self.max is None:
            return f"at least {self.min}"
        return f"at most {self.max}" if self.min is None else f"{self.min} to {self.max}"


def decode_text(content: bytes) -> str:
    """Text in UTF-8, or in UTF-16 with its mark, with `\\n` line ends; raises `Refused`."""
    if len(content) > TEXT_BYTES:
        raise Refused(f"it has {len(content):,} bytes, more than {TEXT_BYTES:,}")
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"it is not UTF-8 text (byte {error.start})") from None
    if "\0" in text:
        raise Refused("it holds NUL bytes, so it is not text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > TEXT_LINES:
        raise Refused(f"it has more than {TEXT_LINES:,} lines")
    return text


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)


def valid_pattern(pattern: str) -> str:
    """The pattern itself; raises `ValueError` with what is wrong with it."""
    if not pattern:
        raise ValueError("a pattern may not be empty")
    try:
        _compiled(pattern)
    except regex.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from None
    return pattern


def search_text(pattern: str, text: str) -> str | None:
    """What the pattern matches, as written or with plain typography; None when nothing.

    Upper and lower case are the same, ^ and $ match at line ends. Raises `Refused` when the
    search takes too long.
    """
    try:
        for form in dict.fromkeys((text, plain(text))):
            match = _compiled(pattern).search(form, timeout=PATTERN_SECONDS)
            if match is not None:
                return match.group()
    except TimeoutError:
        raise Refused(f"the search for {pattern[:60]!r} took over {PATTERN_SECONDS} s") from None
    except (MemoryError, RecursionError):
        raise Refused(f"the search for {pattern[:60]!r} took too much memory") from None
    return None


def alternatives(title: Title) -> list[str]:
    return [title] if isinstance(title, str) else title


def valid_phrase(title: Title) -> Title:
    """The phrase itself; raises `ValueError` when nothing of it can be looked for."""
    if not alternatives(title):
        raise ValueError("a list of alternatives may not be empty")
    for phrase in alternatives(title):
        if not searchable(phrase):
            raise ValueError(f"{phrase!r} is blank once markup and white space are set aside")
    return title


def excerpt(text: str, length: int = 60) -> str:
    """A short, one-line, quoted piece of a text for a reason."""
    line = " ".join(text[: 4 * length].split())
    return repr(line if len(line) <= length else line[: length - 1] + "…")


class TextAssertions(StrictModel):
    """What a text says. Lists hold when each of their elements holds.

    `equals`, `equals_file`: line by line, whatever the line ends, trailing spaces and last
    newline; upper and lower case count only with `case`. `contains`: phrases (or lists of
    alternatives) in the sense of `compare.finds`. `lacks`: phrases that may not be there.
    `patterns`, `lacks_patterns`: regular expressions. `in_order`: phrases, each after the one
    before. Counts: words in the visible text, non-blank lines, list items, headings, paragraphs.

    In a partial score, what must be absent and how long the text is never earn; they only cost.
    """

    equals: str | None = None
    equals_file: str | None = None
    case: bool = False
    contains: list[Title] = Field(default_factory=list)
    lacks: list[str] = Field(default_factory=list)
    patterns: list[str] = Field(default_factory=list)
    lacks_patterns: list[str] = Field(default_factory=list)
    facts: list[Fact] = Field(default_factory=list)
    in_order: list[Title] = Field(default_factory=list)
    words: Range | None = None
    lines: Range | None = None
    bullets: Range | None = None
    headings: Range | None = None
    paragraphs: Range | None = None

    @field_validator("patterns", "lacks_patterns")
    @classmethod
    def _patterns(cls, values: list[str]) -> list[str]:
        return [valid_pattern(value) for value in values]

    @field_validator("contains", "lacks", "in_order")
    @classmethod
    def _phrases(cls, values: list[Title]) -> list[Title]:
        return [valid_phrase(value) for value in values]

    @model_validator(mode="after")
    def _sensible(self) -> "TextAssertions":
        if self.equals is not None and self.equals_file is not None:
            raise ValueError("give `equals` or `equals_file`, not both")
        if self.case and self.equals is None and self.equals_file is None:
            raise ValueError("`case` is for `equals` and `equals_file`")
        if self.equals is not None and not self.equals.strip():
            raise ValueError("`equals` is blank")
        if len(self.in_order) == 1:
            raise ValueError("`in_order` needs two phrases or more; use `contains` for one")
        for phrase in self.lacks:
            for wanted in self.contains:
                if all(finds(phrase, choice) for choice in alternatives(wanted)):
                    raise ValueError(f"{phrase!r} is in `lacks`, but `contains` asks for it")
        if type(self) is TextAssertions and not self.asserts_text():
            raise ValueError(f"nothing is asserted: give one of {', '.join(TEXT_FIELDS)}")
        return self

    def asserts_text(self) -> bool:
        """Whether any of the fields of this class asks for something."""
        return any(getattr(self, name) not in (None, []) for name in TEXT_FIELDS)

    def affirms(self) -> bool:
        """Whether something must be there: not only absences and upper bounds."""
        ranges = [getattr(self, name) for name in _COUNTS]
        return self._says() or any(
            isinstance(bounds, Range) and bounds.affirms() for bounds in ranges
        )

    def _says(self) -> bool:
        return (
            self.equals is not None
            or self.equals_file is not None
            or bool(self.contains or self.patterns or self.facts or self.in_order)
        )

    def hidden_files(self) -> frozenset[str]:
        return frozenset() if self.equals_file is None else frozenset({self.equals_file})

    def literals(self) -> Sequence[str]:
        phrases = [alternatives(title)[0] for title in [*self.contains, *self.in_order]]
        return list(dict.fromkeys([*phrases, *(fact.labels[0] for fact in self.facts)]))

    def findings(self, text: str, where: str, evidence: Evidence) -> list[Finding]:
        """One finding for each thing asserted; `where` names the text in the reasons."""
        found: list[Finding] = []
        if self.equals is not None:
            found.append(_equals(text, self.equals, where, self.case))
        if self.equals_file is not None:
            expected = _hidden_text(evidence, self.equals_file)
            found.append(_equals(text, expected, where, self.case))
        found += [_contains(title, text, where) for title in self.contains]
        found += [_matches(pattern, text, where) for pattern in self.patterns]
        found += fact_findings(self.facts, text, where)
        if self.in_order:
            found.append(_in_order(self.in_order, text, where))
        found += [_lacks(phrase, text, where) for phrase in self.lacks]
        found += [_lacks_pattern(pattern, text, where) for pattern in self.lacks_patterns]
        for name, (unit, count) in _COUNTS.items():
            bounds = getattr(self, name)
            if isinstance(bounds, Range):
                number = count(text)
                earns = bounds.affirms() and not self._says()
                reason = f"{where} has {number} {unit}"
                if bounds.holds(number):
                    found.append(Finding(True, reason, required=not earns))
                else:
                    found.append(Finding(False, f"{reason}, wanted {bounds}"))
        return found


TEXT_FIELDS = tuple(name for name in TextAssertions.model_fields if name != "case")


class TextCheck(TextAssertions, FileCheck):
    """Text files: plain text, Markdown, source, a log, anything that is UTF-8 or UTF-16."""

    kind: ClassVar[str] = "text"

    @model_validator(mode="after")
    def _asserts(self) -> "TextCheck":
        if not self.asserts_text():
            raise ValueError(
                f"nothing is asserted about {self.path}: give one of {', '.join(TEXT_FIELDS)}"
            )
        return self

    def run_one(self, evidence: Evidence) -> list[Finding]:
        text = file_text(evidence, self.path)
        if isinstance(text, Finding):
            return [text]
        return self.findings(text, self.path, evidence)


def file_text(evidence: Evidence, path: str) -> str | Finding:
    """The text of a file the agent left, or the required finding that says why there is none."""
    content = file_content(evidence, path)
    if isinstance(content, Finding):
        return content
    try:
        return decode_text(content)
    except Refused as refused:
        return Finding(False, f"{path} cannot be read: {refused}", required=True)


def _hidden_text(evidence: Evidence, path: str) -> str:
    try:
        return decode_text(hidden_content(evidence, path))
    except Refused as refused:
        raise TaskFault(f"the hidden file {path} cannot be compared with: {refused}") from None


def _bare_lines(text: str, case: bool) -> list[str]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines if case else [line.casefold() for line in lines]


def _equals(text: str, expected: str, where: str, case: bool) -> Finding:
    found, wanted = _bare_lines(text, case), _bare_lines(expected, case)
    if found == wanted:
        return Finding(True, f"{where} is as expected ({len(wanted)} lines)")
    pairs = zip(found, wanted, strict=False)
    at = next((n for n, (left, right) in enumerate(pairs) if left != right), None)
    if at is None:
        return Finding(False, f"{where} has {len(found)} lines, wanted {len(wanted)}")
    reason = f"line {at + 1} is {excerpt(found[at])}, wanted {excerpt(wanted[at])}"
    return Finding(False, f"{where}: {reason}")


def _named(title: Title) -> str:
    return " or ".join(excerpt(phrase, 40) for phrase in alternatives(title)[:3])


def _contains(title: Title, text: str, where: str) -> Finding:
    ok = any(finds(phrase, text) for phrase in alternatives(title))
    return Finding(ok, f"{where} {'says' if ok else 'does not say'} {_named(title)}")


def _lacks(phrase: str, text: str, where: str) -> Finding:
    if finds(phrase, text):
        return Finding(False, f"{where} says {excerpt(phrase)}, which it may not")
    return Finding(True, f"{where} does not say {excerpt(phrase)}", required=True)


def _matches(pattern: str, text: str, where: str) -> Finding:
    try:
        match = search_text(pattern, text)
    except Refused as refused:
        return Finding(False, f"{where}: {refused}")
    if match is None:
        return Finding(False, f"{where} has nothing like {excerpt(pattern)}")
    return Finding(True, f"{where} has {excerpt(match)}")


def _lacks_pattern(pattern: str, text: str, where: str) -> Finding:
    try:
        match = search_text(pattern, text)
    except Refused as refused:
        return Finding(False, f"{where}: {refused}")
    if match is None:
        return Finding(True, f"{where} has nothing like {excerpt(pattern)}", required=True)
    return Finding(False, f"{where} has {excerpt(match)}, which it may not ({pattern[:40]})")


def _in_order(titles: Sequence[Title], text: str, where: str) -> Finding:
    whole = searchable(text)
    position, before = 0, ""
    for title in titles:
        spans = [span for phrase in alternatives(title) for span in occurrences(phrase, whole)]
        ends = [end for start, end in spans if start >= position]
        if not ends:
            problem = f"{_named(title)} does not come after {before}" if spans and before else ""
            return Finding(False, f"{where}: {problem or f'{_named(title)} is not there'}")
        position, before = min(ends), _named(title)
    return Finding(True, f"{where} has {len(titles)} phrases in the order wanted")
