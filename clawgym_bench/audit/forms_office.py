"""Workbooks, Word documents and archives in other forms."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import docx
import openpyxl
from openpyxl.styles import Font

from clawgym_bench.audit.forms_prose import SIGN_OFF, TITLE
from clawgym_bench.audit.forms_terms import Terms

Edit = Callable[[bytes, Terms], bytes | None]
BYTES = 4 * 2**20
_HEADING = re.compile(r"Heading ([1-5])")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _workbook(change: Callable[[Any, Terms], bool]) -> Edit:
    """`change` edits an open workbook and says whether anything is different."""

    def changed(content: bytes, terms: Terms) -> bytes | None:
        if len(content) > BYTES:
            return None
        try:
            book = openpyxl.load_workbook(io.BytesIO(content))
            if not change(book, terms):
                return None
            buffer = io.BytesIO()
            book.save(buffer)
        except Exception:  # openpyxl raises many kinds on a damaged workbook
            return None
        return buffer.getvalue()

    return changed


def _cells(book: Any, terms: Terms) -> list[Any]:
    """All cells below the first rows."""
    if terms.exact:
        return []
    return [cell for sheet in book.worksheets for row in sheet.iter_rows(min_row=2) for cell in row]


def _numbers_as_text(book: Any, terms: Terms) -> bool:
    if terms.typed:
        return False
    hit = False
    for cell in _cells(book, terms):
        if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
            cell.value, hit = str(cell.value), True
            cell.data_type = "s"
    return hit


def _other_days(book: Any, terms: Terms) -> bool:
    """ISO text as a date cell, and a date cell as ISO text."""
    hit = False
    for cell in _cells(book, terms):
        if isinstance(cell.value, str) and _DAY.fullmatch(cell.value) and not terms.iso_dates:
            try:
                cell.value, hit = dt.date.fromisoformat(cell.value), True
            except ValueError:
                continue
        elif isinstance(cell.value, dt.datetime) and cell.value.time() == dt.time():
            cell.value, hit = cell.value.date().isoformat(), True
    return hit


def _styled(book: Any, terms: Terms) -> bool:
    for sheet in book.worksheets:
        sheet.freeze_panes = "A2"
        for cell in next(iter(sheet.iter_rows(max_row=1)), ()):
            cell.font = Font(bold=True)
    return True


def _document(change: Callable[[Any, Terms], bool]) -> Edit:
    def changed(content: bytes, terms: Terms) -> bytes | None:
        if len(content) > BYTES:
            return None
        try:
            document = docx.Document(io.BytesIO(content))
            if not change(document, terms):
                return None
            buffer = io.BytesIO()
            document.save(buffer)
        except Exception:  # python-docx raises many kinds on a damaged package
            return None
        return buffer.getvalue()

    return changed


def _text(document: Any) -> str:
    return "\n\n".join(paragraph.text for paragraph in document.paragraphs)


def _headings_deeper(document: Any, terms: Terms) -> bool:
    found = [one for one in document.paragraphs if _HEADING.fullmatch(one.style.name)]
    names = {style.name for style in document.styles}
    wanted = {f"Heading {int(one.style.name[-1]) + 1}" for one in found}
    if not found or not wanted <= names:
        return False
    for one in found:
        one.style = document.styles[f"Heading {int(one.style.name[-1]) + 1}"]
    return True


def _bullets_typed(document: Any, terms: Terms) -> bool:
    """List items as ordinary paragraphs that begin with a bullet."""
    found = [one for one in document.paragraphs if one.style.name == "List Bullet"]
    for one in found:
        one.style = document.styles["Normal"]
        one.text = f"• {one.text}"
    return bool(found)


def _runs_split(document: Any, terms: Terms) -> bool:
    """Every paragraph of one run in two, as editors leave them."""
    hit = False
    for one in document.paragraphs:
        if len(one.runs) == 1 and len(one.text) > 1 and one.text == one.runs[0].text:
            half = len(one.text) // 2
            first, second = one.text[:half], one.text[half:]
            one.runs[0].text = first
            one.add_run(second)
            hit = True
    return hit


def _titled(document: Any, terms: Terms) -> bool:
    if terms.opening or not document.paragraphs or not terms.room(f"{TITLE}\n\n{_text(document)}"):
        return False
    document.paragraphs[0].insert_paragraph_before(TITLE)
    return True


def _signed(document: Any, terms: Terms) -> bool:
    if terms.opening or not terms.room(f"{_text(document)}\n\n{SIGN_OFF}"):
        return False
    document.add_paragraph(SIGN_OFF)
    return True


def _stored(content: bytes, terms: Terms) -> bytes | None:
    """The members in another order and uncompressed."""
    if len(content) > BYTES:
        return None
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
            if sum(info.file_size for info in old.infolist()) > BYTES:
                return None
            for info in reversed(old.infolist()):
                new.writestr(info.filename, old.read(info))
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError):
        return None
    return buffer.getvalue()


XLSX: Sequence[tuple[str, Edit]] = (
    ("numbers as text", _workbook(_numbers_as_text)),
    ("dates as cells of another type", _workbook(_other_days)),
    ("styled header", _workbook(_styled)),
)
DOCX: Sequence[tuple[str, Edit]] = (
    ("headings deeper", _document(_headings_deeper)),
    ("bullets typed", _document(_bullets_typed)),
    ("runs split", _document(_runs_split)),
    ("title added", _document(_titled)),
    ("sign-off added", _document(_signed)),
)
ZIP: Sequence[tuple[str, Edit]] = (("members stored, in another order", _stored),)
