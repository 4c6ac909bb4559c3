"""Markdown files: headings, sections, checklists, links, tables, front matter, text."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar
from urllib.parse import unquote, urlsplit

import regex
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import BeforeValidator, Field, field_validator, model_validator

from clawgym_bench.checks.base import Evidence, Finding, StrictModel
from clawgym_bench.checks.compare import equal, equal_path, finds
from clawgym_bench.checks.dates import without_dates
from clawgym_bench.checks.documents import load_yaml
from clawgym_bench.checks.globs import FileCheck
from clawgym_bench.checks.limits import MARKDOWN_BYTES, Refused
from clawgym_bench.checks.prose import Heading, front_matter, headings, lines_of, title_forms
from clawgym_bench.checks.table import Table, TableAssertions
from clawgym_bench.checks.text import (
    TEXT_FIELDS,
    Range,
    TextAssertions,
    Title,
    alternatives,
    excerpt,
    file_text,
    valid_phrase,
)

_TASK = regex.compile(
    r"\s*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\[(?P<box>[ xX✓✔]?)\]|(?P<box>[☐☑✅✔⬜🔲]))\s+(?P<text>\S.*)"
)
_DONE = frozenset("xX✓✔☑✅")
_URL = regex.compile(
    r"(?:https?|ftp|mailto):[^\s<>()\[\]\"'`|]+"
    r"(?:\([^\s()]{1,200}\))?[^\s<>()\[\]\"'`|]*"
)


class Checklist(StrictModel):
    """Items of task lists. A phrase picks the items that have it; all of them count."""

    checked: list[Title] = Field(default_factory=list)
    unchecked: list[Title] = Field(default_factory=list)

    @field_validator("checked", "unchecked")
    @classmethod
    def _phrases(cls, values: list[Title]) -> list[Title]:
        return [valid_phrase(value) for value in values]

    @model_validator(mode="after")
    def _sensible(self) -> "Checklist":
        if not (self.checked or self.unchecked):
            raise ValueError("a checklist needs `checked` or `unchecked` items")
        return self


class MarkdownTable(TableAssertions):
    """A table, under a heading or anywhere; of several the one that fits best is graded."""

    heading: Title | None = None

    @field_validator("heading")
    @classmethod
    def _phrase(cls, value: Title | None) -> Title | None:
        return None if value is None else valid_title(value)


class Structure(TextAssertions):
    """What a piece of Markdown holds besides words.

    `links`: targets of links, images and bare addresses; a path in any of its relative forms.
    """

    checklists: Checklist | None = None
    links: list[str] = Field(default_factory=list)
    tables: list[MarkdownTable] = Field(default_factory=list)

    def asserts_structure(self) -> bool:
        return self.asserts_text() or bool(self.checklists or self.links or self.tables)

    def affirms(self) -> bool:
        tables = any(table.affirms() for table in self.tables)
        return super().affirms() or bool(self.checklists or self.links) or tables

    def hidden_files(self) -> frozenset[str]:
        return super().hidden_files().union(*(table.hidden_files() for table in self.tables))

    def literals(self) -> Sequence[str]:
        boxes = self.checklists
        items = (
            [alternatives(item)[0] for item in [*boxes.checked, *boxes.unchecked]] if boxes else []
        )
        inner = [word for table in self.tables for word in table.literals()]
        named = [alternatives(table.heading)[0] for table in self.tables if table.heading]
        return list(dict.fromkeys([*super().literals(), *items, *named, *inner]))

    def piece_findings(
        self, text: str, where: str, known: Sequence[Title], evidence: Evidence
    ) -> list[Finding]:
        """All about one piece; `known` are titles that end a section with a weak heading."""
        found = self.findings(text, where, evidence)
        if self.checklists:
            found += _checklist_findings(self.checklists, text, where)
        if self.links:
            found += _link_findings(self.links, text, where, evidence.workspace)
        for table in self.tables:
            found += _table_findings(table, text, where, known, evidence)
        return found


class Section(Structure):
    """What stands under a heading, up to the next one of its level or above."""

    heading: Title

    @field_validator("heading")
    @classmethod
    def _phrase(cls, value: Title) -> Title:
        return valid_title(value)

    @model_validator(mode="after")
    def _asserts(self) -> "Section":
        if not self.asserts_structure():
            raise ValueError(
                f"nothing is asserted about the section {alternatives(self.heading)[0]!r}; "
                "to ask for the heading alone, list it in `headings`"
            )
        return self


class MarkdownCheck(Structure, FileCheck):
    """Markdown files. Text assertions and structure go for the whole below the front matter.

    `headings`: titles that are there (a list; a title may be a list of alternatives), or how many
    headings (a range). `ordered`: the titles come in this order. A heading is `## Title`, an
    underlined title, a bold line, `Title:` or a line on its own; numbering, case, emphasis and
    punctuation around do not matter. `front_matter`: values by key, nested keys with dots.

    Headings never earn; they only cost.
    """

    kind: ClassVar[str] = "markdown"

    headings: list[Title] | Range | None = None  # type: ignore[assignment]
    ordered: bool = False
    sections: list[Section] = Field(default_factory=list)
    front_matter: Annotated[dict[str, Any], BeforeValidator(without_dates)] = Field(
        default_factory=dict
    )

    @field_validator("headings")
    @classmethod
    def _titles(cls, value: list[Title] | Range | None) -> list[Title] | Range | None:
        return [valid_title(title) for title in value] if isinstance(value, list) else value

    @model_validator(mode="after")
    def _asserts(self) -> "MarkdownCheck":
        if not (self.asserts_structure() or self.sections or self.front_matter):
            more = "headings, sections, front_matter, checklists, links, tables"
            raise ValueError(
                f"nothing is asserted about {self.path}: give one of {more}, "
                f"{', '.join(name for name in TEXT_FIELDS if name != 'headings')}"
            )
        if self.ordered and not (isinstance(self.headings, list) and len(self.headings) > 1):
            raise ValueError("`ordered` needs `headings` with two titles or more")
        return self

    @property
    def titles(self) -> list[Title]:
        return self.headings if isinstance(self.headings, list) else []

    def affirms(self) -> bool:
        own = super().affirms() or bool(self.front_matter)
        return own or any(section.affirms() for section in self.sections)

    def hidden_files(self) -> frozenset[str]:
        return super().hidden_files().union(*(part.hidden_files() for part in self.sections))

    def literals(self) -> Sequence[str]:
        named = [alternatives(title)[0] for title in self.titles]
        for section in self.sections:
            named += [alternatives(section.heading)[0], *section.literals()]
        return list(dict.fromkeys([*named, *super().literals(), *self.front_matter]))

    def run_one(self, evidence: Evidence) -> list[Finding]:
        text = file_text(evidence, self.path)
        if isinstance(text, Finding):
            return [text]
        matter, body = front_matter(text)
        known = [*self.titles, *(section.heading for section in self.sections)]
        found = self.piece_findings(body, self.path, known, evidence)
        if self.titles:
            found += _heading_findings(self.titles, body, self.path, ordered=self.ordered)
        for section in self.sections:
            found += _section_findings(section, body, self.path, known, evidence)
        if self.front_matter:
            found += _matter_findings(self.front_matter, matter, self.path)
        return found


def valid_title(title: Title) -> Title:
    valid_phrase(title)
    for phrase in alternatives(title):
        if not title_forms(phrase):
            raise ValueError(f"{phrase!r} has nothing a heading could be recognised by")
    return title


# --- headings and sections -------------------------------------------------------------------


def _candidates(title: Title, text: str) -> list[Heading]:
    """The headings with this title; where real ones have it, only those."""
    wanted = frozenset().union(*(title_forms(phrase) for phrase in alternatives(title)))
    fitting = [heading for heading in headings(text) if title_forms(heading.title) & wanted]
    return [heading for heading in fitting if heading.level <= 6] or fitting


CANDIDATES = 20
"""How many headings of one title, or tables, are looked at."""


def section_text(title: Title, text: str, known: Sequence[Title]) -> str | None:
    """What stands under the title; None when there is no such heading."""
    candidates = _candidates(title, text)
    if not candidates:
        return None
    lines = text.split("\n")
    ends = frozenset().union(*(title_forms(name) for one in known for name in alternatives(one)))
    every = headings(text)
    pieces = []
    for heading in candidates[:CANDIDATES]:
        later = (
            other.number
            for other in every
            if other.number >= heading.body
            and (
                other.level <= min(heading.level, 7)
                or (heading.level > 6 and bool(title_forms(other.title) & ends))
            )
        )
        pieces.append("\n".join(lines[heading.body : next(later, len(lines))]))
    return next((piece for piece in pieces if piece.strip()), pieces[0])


def _named(title: Title) -> str:
    return " or ".join(excerpt(phrase, 40) for phrase in alternatives(title)[:3])


def _heading_findings(
    titles: Sequence[Title], text: str, where: str, *, ordered: bool
) -> list[Finding]:
    findings = []
    position, before = -1, ""
    sorted_so_far = True
    for title in titles:
        candidates = _candidates(title, text)
        ok = bool(candidates)
        reason = f"{where} {'has' if ok else 'lacks'} the heading {_named(title)}"
        findings.append(Finding(ok, reason, required=ok))
        if not (ordered and ok and sorted_so_far):
            continue
        later = [heading.number for heading in candidates if heading.number > position]
        if later:
            position, before = later[0], _named(title)
        else:
            sorted_so_far = False
            reason = f"{where}: the heading {_named(title)} does not come after {before}"
            findings.append(Finding(False, reason))
    return findings


def _section_findings(
    section: Section, text: str, where: str, known: Sequence[Title], evidence: Evidence
) -> list[Finding]:
    piece = section_text(section.heading, text, known)
    name = f"{where} § {alternatives(section.heading)[0]}"
    if piece is None:
        missing = Finding(False, f"{where} lacks the heading {_named(section.heading)}")
        # What would have been found there is lost as well.
        lost = section.piece_findings("", name, known, evidence)
        return [missing, *(finding for finding in lost if not finding.required)]
    return section.piece_findings(piece, name, known, evidence)


# --- checklists and links --------------------------------------------------------------------


def task_items(text: str) -> Iterator[tuple[bool, str]]:
    """Items of task lists: whether each is done, and its text."""
    for line in lines_of(text):
        match = _TASK.fullmatch(line.text)
        if match is not None:
            yield match["box"] in _DONE, match["text"]


def _checklist_findings(boxes: Checklist, text: str, where: str) -> list[Finding]:
    items = list(task_items(text))
    findings = []
    for done, titles in ((True, boxes.checked), (False, boxes.unchecked)):
        state = "checked" if done else "unchecked"
        for title in titles:
            states = [
                found
                for found, item in items
                if any(finds(phrase, item) for phrase in alternatives(title))
            ]
            if not states:
                reason = f"{where} has no check box {_named(title)}"
            elif all(found == done for found in states):
                reason = f"{where}: {_named(title)} is {state}"
            else:
                reason = f"{where}: {_named(title)} is not {state}"
            findings.append(Finding(bool(states) and all(s == done for s in states), reason))
    return findings


def _link_findings(wanted: Sequence[str], text: str, where: str, workspace: str) -> list[Finding]:
    try:
        targets = link_targets(text)
    except Refused as refused:
        return [Finding(False, f"{where}: {refused}") for _ in wanted]
    return [
        Finding(ok, f"{where} {'links' if ok else 'does not link'} to {excerpt(target, 100)}")
        for target in wanted
        for ok in [any(_same_target(found, target, workspace) for found in targets)]
    ]


def _same_target(found: str, wanted: str, workspace: str) -> bool:
    found, wanted = unquote(found.strip()), unquote(wanted.strip())
    if "://" not in wanted:
        return equal_path(found, wanted, workspace)
    return _address(found) == _address(wanted)


def _address(target: str) -> tuple[str, str, str, str]:
    try:
        parts = urlsplit(target)
    except ValueError:
        return ("", target, "", "")
    return (
        parts.scheme.lower().replace("https", "http"),
        parts.netloc.lower(),
        parts.path.rstrip("/"),
        f"{parts.query}#{parts.fragment}",
    )


# --- what needs a parser ---------------------------------------------------------------------


@lru_cache(maxsize=4)
def _tokens(text: str) -> Sequence[Token]:
    if len(text.encode(errors="replace")) > MARKDOWN_BYTES:
        raise Refused(f"it is too long to be parsed (over {MARKDOWN_BYTES:,} bytes)")
    return MarkdownIt("commonmark").enable("table").parse(text)


def link_targets(text: str) -> list[str]:
    """Targets of links and images, and addresses that stand in the text. Raises `Refused`."""
    targets = []
    for token in _tokens(text):
        for child in token.children or []:
            target = child.attrGet("href") or child.attrGet("src")
            if target:
                targets.append(str(target))
            if child.type in ("text", "code_inline"):
                targets += [match.rstrip(".,;:!?*_") for match in _URL.findall(child.content)]
    return targets


def markdown_tables(text: str) -> list[Table]:
    """All tables outside code. Raises `Refused`."""
    tables: list[Table] = []
    grid: list[list[object]] = []
    tokens = _tokens(text)
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            grid = []
        elif token.type == "tr_open":
            grid.append([])
        elif token.type in ("th_open", "td_open"):
            grid[-1].append(_cell(tokens[at + 1]))
        elif token.type == "table_close":
            rows = [row for row in grid[1:] if any(str(cell).strip() for cell in row)]
            tables.append(Table([str(cell) for cell in grid[0]], rows))
    return tables


def _cell(inline: Token) -> str:
    parts = []
    for child in inline.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak", "html_inline"):
            parts.append(" ")
    return "".join(parts).strip()


def _table_findings(
    wanted: MarkdownTable, text: str, where: str, known: Sequence[Title], evidence: Evidence
) -> list[Finding]:
    if wanted.heading is not None:
        piece = section_text(wanted.heading, text, known)
        if piece is None:
            return [Finding(False, f"{where} lacks the heading {_named(wanted.heading)}")]
        text, where = piece, f"{where} § {alternatives(wanted.heading)[0]}"
    try:
        tables = markdown_tables(text)
    except Refused as refused:
        return [Finding(False, f"{where}: {refused}")]
    if not tables:
        return [Finding(False, f"{where} has no table")]
    best: list[Finding] = []
    for table in tables[:CANDIDATES]:
        found = wanted.findings(table, f"{where} table", evidence)
        if all(finding.ok for finding in found):
            return found
        if not best or _good(found) > _good(best):
            best = found
    # A table is one of several things in the file, so its columns do not block the rest.
    return [Finding(f.ok, f.reason, required=f.required and f.ok) for f in best]


def _good(findings: Sequence[Finding]) -> float:
    return sum(finding.ok for finding in findings) / len(findings)


# --- front matter ----------------------------------------------------------------------------


def _matter_findings(wanted: Mapping[str, Any], matter: str | None, where: str) -> list[Finding]:
    if matter is None:
        return [Finding(False, f"{where} has no front matter between --- lines") for _ in wanted]
    try:
        values = load_yaml(matter.encode(errors="replace"))
    except Refused as refused:
        return [Finding(False, f"{where}: front matter: {refused}"[:200]) for _ in wanted]
    findings = []
    for key, expected in wanted.items():
        found = _at(values, key)
        ok = _same_value(found, expected)
        reason = f"{where}: {key} is {excerpt(str(found)[:200])}"
        findings.append(Finding(ok, reason if ok else f"{reason}, wanted {excerpt(str(expected))}"))
    return findings


def _at(values: object, key: str) -> object:
    if not isinstance(values, dict):
        return None
    if key in values:
        return values[key]
    head, dot, rest = key.partition(".")
    return _at(values.get(head), rest) if dot else None


def _same_value(found: object, expected: object) -> bool:
    if isinstance(expected, list):
        if isinstance(found, str):  # tags: a, b
            found = [part.strip() for part in found.strip("[]").split(",")]
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(_same_value(one, other) for one, other in zip(found, expected, strict=True))
        )
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            name in found and _same_value(found[name], value) for name, value in expected.items()
        )
    return not isinstance(found, dict | list) and equal(found, expected)
