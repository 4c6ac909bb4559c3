"""Files of each format as grids of cells or parts of text, and back."""

import csv
import io
import re
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from random import Random
from typing import Any

import openpyxl
from docx import Document
from docx.oxml.ns import qn

from clawgym_bench.audit.mutations import Mutations, Rules
from clawgym_bench.audit.mutations_prose import prose_mutations
from clawgym_bench.audit.mutations_table import Grid, Sheet, table_mutants
from clawgym_bench.checks.archive import office_parts
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.table_files import heading
from clawgym_bench.checks.text import decode_text

OFFICE_BYTES = 2**20
HEADER_SEARCH = 10
_TAG = re.compile(r"(<(?:script|style)\b.*?</(?:script|style)>|<!--.*?-->|<[^>]*>)", re.S | re.I)


def delimited(content: bytes, rules: Rules, random: Random) -> Mutations:
    text = decode_text(content)
    first = text.partition("\n")[0]
    mark = max(",;\t|", key=first.count)
    try:
        grid: Grid = [[*row] for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark)]
    except csv.Error as error:
        raise ValueError(f"it is no table ({error})") from None
    if not grid or not grid[0]:
        raise ValueError("it has no header")
    ends = "\r\n" if b"\r\n" in content else "\n"

    def write(rows: Grid) -> bytes:
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=mark, lineterminator=ends).writerows(rows)
        return out.getvalue().encode()

    sheet = Sheet(grid, write)
    return Mutations(table_mutants(sheet, rules, random), lambda: write(grid))


def workbook(content: bytes, rules: Rules, random: Random) -> Mutations:
    _guard_office(content, "workbook", "xl/workbook.xml")
    book = _book(content)
    mutants = []
    for sheet in book.worksheets:
        grid: Grid = [list(row) for row in sheet.iter_rows(values_only=True)]
        if not grid or not any(cell is not None for row in grid for cell in row):
            continue
        name = sheet.title
        header = _header(grid, rules)
        # Another sheet than that of the contract has columns of its own.
        known = {heading(str(cell)) for cell in grid[header] if cell is not None}
        own = rules if rules.fields <= known else Rules(decimals=rules.decimals)

        def write(rows: Grid, name: str = name) -> bytes:
            return _with_rows(content, name, rows)

        mutants += table_mutants(Sheet(grid, write, header, name), own, random)
    return Mutations(mutants, lambda: _saved(_book(content)))


def _guard_office(content: bytes, kind: str, main: str) -> None:
    if len(content) > OFFICE_BYTES:
        raise Refused(f"it has more than {OFFICE_BYTES:,} bytes")
    office_parts(content, kind, main)


def _book(content: bytes) -> Any:
    try:
        return openpyxl.load_workbook(io.BytesIO(content))
    except Exception as error:  # openpyxl raises whatever its parsers do
        raise ValueError(f"it is no workbook ({type(error).__name__})") from None


def _saved(book: Any) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _with_rows(content: bytes, name: str, rows: Grid) -> bytes:
    book = _book(content)
    sheet = book[name]
    for at in range(max(sheet.max_row, len(rows))):
        row = rows[at] if at < len(rows) else []
        for column in range(max(sheet.max_column, len(row))):
            value = row[column] if column < len(row) else None
            cell = sheet.cell(at + 1, column + 1)
            if cell.value != value:
                cell.value = value
    return _saved(book)


def _header(grid: Grid, rules: Rules) -> int:
    for number, row in enumerate(grid[:HEADER_SEARCH]):
        names = {heading(str(cell)) for cell in row if cell is not None}
        if rules.fields and rules.fields <= names:
            return number
    filled = [sum(cell is not None for cell in row) for row in grid[:HEADER_SEARCH]]
    return filled.index(max(filled))


def text(content: bytes, rules: Rules, random: Random) -> Mutations:
    return prose_mutations([decode_text(content)], lambda parts: parts[0].encode(), rules, random)


def html(content: bytes, rules: Rules, random: Random) -> Mutations:
    pieces = _TAG.split(decode_text(content))
    words = pieces[::2]

    def write(parts: Sequence[str]) -> bytes:
        new = list(pieces)
        new[::2] = parts
        return "".join(new).encode()

    return prose_mutations(words, write, rules, random)


def docx(content: bytes, rules: Rules, random: Random) -> Mutations:
    _guard_office(content, "Word document", "word/document.xml")

    def paragraphs(document: Any) -> list[Any]:
        return list(document.element.body.iter(qn("w:p")))

    def words(paragraph: Any) -> list[Any]:
        return list(paragraph.iter(qn("w:t")))

    def read() -> Any:
        try:
            return Document(io.BytesIO(content))
        except Exception as error:  # python-docx raises whatever its parsers do
            raise ValueError(f"it is no document ({type(error).__name__})") from None

    parts = ["".join(node.text or "" for node in words(p)) for p in paragraphs(read())]

    def write(new: Sequence[str]) -> bytes:
        document = read()
        for paragraph, before, after in zip(paragraphs(document), parts, new, strict=True):
            nodes = words(paragraph)
            if before != after and nodes:
                nodes[0].text = after
                nodes[0].set(qn("xml:space"), "preserve")
                for node in nodes[1:]:
                    node.text = ""
        return _saved(document)

    return prose_mutations(parts, write, rules, random)


def mail(content: bytes, rules: Rules, random: Random) -> Mutations:
    """Subject, recipients and the text."""
    fields = ("To", "Cc", "Subject")

    def read() -> tuple[EmailMessage, Any]:
        message = message_from_bytes(content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain", "html"))
        if body is None:
            raise ValueError("it has no text")
        return message, body

    try:
        message, body = read()
        parts = [*(str(message.get(name, "")) for name in fields), str(body.get_content())]
    except (ValueError, LookupError, AssertionError) as error:
        raise ValueError(f"it is no mail ({error})") from None

    def write(new: Sequence[str]) -> bytes:
        message, body = read()
        for name, before, after in zip(fields, parts, new, strict=False):
            if before != after:
                message.replace_header(name, after)
        if new[-1] != parts[-1]:
            body.set_content(new[-1], subtype=body.get_content_subtype())
        return message.as_bytes()

    return prose_mutations(parts, write, rules, random)
