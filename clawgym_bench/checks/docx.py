"""Word documents: their headings, their tables, and their text.

The text is given as Markdown (headings, list items and table rows marked), so that the shared
assertions on text see what a reader sees. Text that was deleted in a tracked change is left out.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Literal, Self

import docx
from docx.oxml.ns import qn
from lxml import etree
from pydantic import Field, model_validator

from clawgym_bench.checks.archive import office_parts
from clawgym_bench.checks.base import CheckBody, Evidence, Finding, file_content
from clawgym_bench.checks.limits import (
    NESTING,
    STRUCTURED_BYTES,
    TABLE_COLUMNS,
    TABLE_ROWS,
    TEXT_BYTES,
    Refused,
)
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.prose import title_forms
from clawgym_bench.checks.table import Table, TableAssertions, from_grid, heading
from clawgym_bench.checks.text import TextAssertions, Title, alternatives, valid_phrase

DOCX_MARKS = 1_000_000
TABLES = 500
SECTIONS = 20
_SKIPPED = {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:instrText"),
            "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}  # fmt: skip
_SPACES = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


@dataclass(frozen=True)
class Block:
    """A paragraph, heading, list item or table in the order of the document."""

    kind: Literal["paragraph", "heading", "item", "table"]
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def read_docx(content: bytes) -> list[Block]:
    """The blocks of a document; raises `Refused`."""
    if len(content) > STRUCTURED_BYTES:
        raise Refused(f"it has more than {STRUCTURED_BYTES:,} bytes")
    parts = office_parts(content, "docx", "word/document.xml")
    if sum(part.count(b"<") for part in parts.values()) > DOCX_MARKS:
        raise Refused("it is too long")
    try:
        document = docx.Document(io.BytesIO(content))
        styles = _styles(document)
        blocks = list(_blocks(document.element.body, styles, 0))
    except (RecursionError, MemoryError):
        raise Refused(f"it nests more than {NESTING} deep") from None
    except Refused:
        raise
    except Exception as error:  # python-docx raises many kinds on a damaged package
        raise Refused(f"it is not a readable docx file ({type(error).__name__})") from None
    if sum(len(block.text) for block in blocks) > TEXT_BYTES:
        raise Refused("it is too long")
    return blocks


def docx_text(content: bytes) -> str:
    """The text of a document as Markdown; raises `Refused`."""
    return _markdown(read_docx(content))


def _markdown(blocks: Sequence[Block]) -> str:
    lines: list[str] = []
    for block in blocks:
        if block.kind == "heading":
            lines += ["", f"{'#' * block.level} {block.text}", ""]
        elif block.kind == "item":
            lines.append(f"- {block.text}")
        elif block.kind == "table":
            rows = [
                [cell.replace("\n", " ").replace("|", "/") for cell in row] for row in block.rows
            ]
            lines += ["", *(f"| {' | '.join(row)} |" for row in rows), ""]
        elif block.text.strip():
            lines += [block.text, ""]
    return "\n".join(lines)


def _styles(document: Any) -> dict[str, tuple[str, int]]:
    """Style ids to `heading` with its level, `item`, or `paragraph`; derived styles inherit."""
    parents: dict[str, str] = {}
    own: dict[str, tuple[str, int] | None] = {}
    for style in document.styles.element.findall(qn("w:style")):
        name = _value(style.find(qn("w:name"))).casefold()
        key = style.get(qn("w:styleId"), "")
        parents[key] = _value(style.find(qn("w:basedOn")))
        outline = style.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
        kind: tuple[str, int] | None = None
        if name == "title":
            kind = ("heading", 1)
        elif name.startswith("heading ") and name[8:].strip().isdigit():
            kind = ("heading", min(6, int(name[8:10])))
        elif name.startswith("list ") and name != "list paragraph":
            kind = ("item", 0)
        elif outline is not None and _value(outline).isdigit() and int(_value(outline)[:3]) < 9:
            kind = ("heading", min(6, int(_value(outline)) + 1))
        own[key] = kind
    kinds = {}
    for key in own:
        at, steps = key, 0
        while own.get(at) is None and parents.get(at) and steps < 20:
            at, steps = parents[at], steps + 1
        kinds[key] = own.get(at) or ("paragraph", 0)
    return kinds


def _value(element: Any) -> str:
    return str(element.get(qn("w:val"), "")) if element is not None else ""


def _blocks(parent: Any, styles: dict[str, tuple[str, int]], depth: int) -> Iterator[Block]:
    if depth > NESTING:
        raise Refused(f"it nests more than {NESTING} deep")
    for child in parent.iterchildren(tag=etree.Element):
        if child.tag == qn("w:p"):
            yield _paragraph(child, styles)
        elif child.tag == qn("w:tbl"):
            yield Block("table", rows=_rows(child))
        elif child.tag not in _SKIPPED:
            yield from _blocks(child, styles, depth + 1)


def _paragraph(element: Any, styles: dict[str, tuple[str, int]]) -> Block:
    text = _text(element).strip()
    properties = element.find(qn("w:pPr"))
    if properties is None or not text:
        return Block("paragraph", text)
    outline = _value(properties.find(qn("w:outlineLvl")))
    kind, level = styles.get(_value(properties.find(qn("w:pStyle"))), ("paragraph", 0))
    if outline in tuple("012345678"):
        kind, level = "heading", min(6, int(outline) + 1)
    if kind == "heading":
        return Block("heading", " ".join(text.split()), level)
    numbered = properties.find(f"{qn('w:numPr')}/{qn('w:numId')}")
    if kind == "item" or (numbered is not None and _value(numbered) != "0"):
        return Block("item", text)
    return Block("paragraph", text)


def _text(element: Any) -> str:
    """The text in an element, without recursion: pieces in order, some subtrees left out."""
    pieces: list[str] = []
    stack = [element]
    while stack:
        node = stack.pop()
        if node.tag == qn("w:t"):
            pieces.append(node.text or "")
        elif node.tag in _SPACES:
            pieces.append(_SPACES[node.tag])
        elif node.tag not in _SKIPPED:
            if node.tag == qn("w:p") and pieces:
                pieces.append("\n")
            stack.extend(node.iterchildren(tag=etree.Element, reversed=True))
    return "".join(pieces)


def _rows(table: Any) -> tuple[tuple[str, ...], ...]:
    """Cells by grid column: a cell that spans columns is given once, then blanks."""
    rows = []
    for row in table.iterfind(qn("w:tr")):
        cells: list[str] = []
        for cell in row.iter(qn("w:tc")):
            if not _is_own(cell, row):
                continue
            cells.append(_text(cell).strip())
            span = _value(cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}"))
            if span.isdigit():
                cells += [""] * (min(int(span[:6]), TABLE_COLUMNS) - 1)
            if len(cells) > TABLE_COLUMNS:
                raise Refused(f"a table has more than {TABLE_COLUMNS} columns")
        rows.append(tuple(cells))
        if len(rows) > TABLE_ROWS:
            raise Refused(f"a table has more than {TABLE_ROWS} rows")
    return tuple(rows)


def _is_own(cell: Any, row: Any) -> bool:
    """Whether a cell is the row's and not that of a table inside one of its cells."""
    parent = cell.getparent()
    for _ in range(4):
        if parent is row:
            return True
        if parent is None or parent.tag == qn("w:tc"):
            return False
        parent = parent.getparent()
    return False


class DocxTable(TableAssertions):
    """A table of a document: the `index`-th (from 1), the first after a heading, or else the
    first that has the columns asked for."""

    index: Annotated[int, Field(ge=1)] | None = None
    heading: Title | None = None

    @model_validator(mode="after")
    def _sensible_place(self) -> Self:
        if self.index is not None and self.heading is not None:
            raise ValueError("give either index or heading")
        if self.heading is not None:
            valid_phrase(self.heading)
        return self


class DocxSection(TextAssertions):
    """The text under a heading, up to the next one of its level or above."""

    heading: Title

    @model_validator(mode="after")
    def _asserts(self) -> Self:
        valid_phrase(self.heading)
        if not self.asserts_text():
            name = alternatives(self.heading)[0]
            raise ValueError(f"nothing is asserted about the section {name!r}")
        return self

    def literals(self) -> Sequence[str]:
        return [alternatives(self.heading)[0], *super().literals()]

    def section_findings(
        self, blocks: Sequence[Block], path: str, evidence: Evidence
    ) -> list[Finding]:
        name = " or ".join(alternatives(self.heading)[:3])
        where = f"{path} § {alternatives(self.heading)[0]}"
        text = section_text(self.heading, blocks)
        if text is not None:
            return self.findings(text, where, evidence)
        # What would have been found there is lost as well.
        lost = (one for one in self.findings("", where, evidence) if not one.required)
        return [finding(False, f"{path} has no heading {name!r}"), *lost]


def section_text(title: Title, blocks: Sequence[Block]) -> str | None:
    """What stands under the first heading of this title with anything below; None without one."""
    pieces = []
    for at in _headings(title, blocks)[:SECTIONS]:
        below = takewhile(
            lambda block, level=blocks[at].level: block.kind != "heading" or block.level > level,  # type: ignore[misc]
            blocks[at + 1 :],
        )
        pieces.append(_markdown(list(below)))
    return next((piece for piece in pieces if piece.strip()), pieces[0] if pieces else None)


def _headings(title: Title, blocks: Sequence[Block]) -> list[int]:
    """The places of the headings with this title."""
    wanted = frozenset().union(*(title_forms(one) for one in alternatives(title)))
    return [
        at
        for at, block in enumerate(blocks)
        if block.kind == "heading" and title_forms(block.text[:500]) & wanted
    ]


class DocxCheck(TextAssertions, CheckBody):
    """A Word document: its headings by title (real heading styles), its tables, its text.

    `titles`: headings (or lists of alternatives) that must be there, in this order with
    `ordered`; they never earn, a missing one costs. (`headings` is their number.) `sections`:
    what the text under a heading says.
    """

    kind: ClassVar[str] = "docx"

    path: str = Field(min_length=1)
    titles: list[Title] = Field(default_factory=list)
    ordered: bool = False
    sections: list[DocxSection] = Field(default_factory=list)
    tables: list[DocxTable] = Field(default_factory=list)

    @model_validator(mode="after")
    def _asserts(self) -> Self:
        if not (self.titles or self.sections or self.tables or self.asserts_text()):
            raise ValueError(
                "nothing is asserted: give titles, sections, tables, contains, facts or the like"
            )
        if self.ordered and len(self.titles) < 2:
            raise ValueError("ordered needs two titles or more")
        for title in self.titles:
            valid_phrase(title)
        return self

    @property
    def _parts(self) -> Sequence[DocxSection | DocxTable]:
        return [*self.sections, *self.tables]

    def affirms(self) -> bool:
        return super().affirms() or any(one.affirms() for one in self._parts)

    def hidden_files(self) -> frozenset[str]:
        inner = [one.hidden_files() for one in self._parts]
        return super().hidden_files().union(*inner)

    def literals(self) -> Sequence[str]:
        named = [table.heading for table in self.tables if table.heading is not None]
        words = [alternatives(title)[0] for title in [*self.titles, *named]]
        words += [word for one in self._parts for word in one.literals()]
        return list(dict.fromkeys([*super().literals(), *words]))

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            blocks = read_docx(content)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        findings = [finding(True, f"{self.path} is a readable docx file", required=True)]
        findings += self._titles(blocks)
        for section in self.sections:
            findings += section.section_findings(blocks, self.path, evidence)
        for table in self.tables:
            findings += self._table(table, blocks, evidence)
        if self.asserts_text():
            findings += self.findings(_markdown(blocks), self.path, evidence)
        return findings

    def _titles(self, blocks: Sequence[Block]) -> list[Finding]:
        places = []
        findings = []
        for title in self.titles:
            hits = _headings(title, blocks)
            name = " or ".join(alternatives(title)[:3])
            said = f"{self.path} has {'the' if hits else 'no'} heading {name!r}"
            findings.append(finding(bool(hits), said, required=bool(hits)))
            places += hits[:1]
        if self.ordered and len(places) > 1:
            ok = places == sorted(places)
            said = f"{self.path}: headings are {'' if ok else 'not '}in the order wanted"
            findings.append(finding(ok, said, required=ok))
        return findings

    def _table(
        self, wanted: DocxTable, blocks: Sequence[Block], evidence: Evidence
    ) -> list[Finding]:
        places = [at for at, block in enumerate(blocks) if block.kind == "table"][:TABLES]
        where, at = self._choose(wanted, blocks, places, evidence)
        if at is None:
            return [finding(False, f"{self.path}: no {where}", required=True)]
        try:
            table = _table(blocks[at])
        except Refused as refused:
            return [finding(False, f"{self.path}: {where}: {refused}", required=True)]
        return wanted.findings(table, f"{self.path}: {where}", evidence)

    def _choose(
        self, wanted: DocxTable, blocks: Sequence[Block], places: list[int], evidence: Evidence
    ) -> tuple[str, int | None]:
        if wanted.index is not None:
            at = places[wanted.index - 1] if wanted.index <= len(places) else None
            return f"table {wanted.index}", at
        if wanted.heading is not None:
            name = alternatives(wanted.heading)[0]
            for start in _headings(wanted.heading, blocks)[:1]:
                return f"table under {name!r}", next((at for at in places if at > start), None)
            return f"heading {name!r} with a table", None
        columns = {heading(name) for name in wanted.wanted_columns(evidence)}
        for at in places:
            rows = blocks[at].rows
            if rows and columns <= {heading(cell[:500]) for cell in rows[0]}:
                return "table", at
        return "table" + ("" if places else " at all"), places[0] if len(places) == 1 else None


def _table(block: Block) -> Table:
    return from_grid(block.rows)
