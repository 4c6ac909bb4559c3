"""Tables in files: csv, tsv, json and jsonl records, xlsx sheets, read with bounds."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from clawgym_bench.checks.archive import office_parts
from clawgym_bench.checks.bounded import extract_bounded
from clawgym_bench.checks.compare import normal
from clawgym_bench.checks.documents import load_json, load_json_lines, search
from clawgym_bench.checks.limits import STRUCTURED_BYTES, TABLE_COLUMNS, TABLE_ROWS, Refused
from clawgym_bench.checks.text import decode_text
from clawgym_bench.checks.workbook import extract as extract_sheet

Format = Literal["csv", "tsv", "json", "jsonl", "xlsx"]
FORMATS: Mapping[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
TABLE_CELLS = 2_000_000
HEADER_SEARCH = 10
# A workbook with more marks than this is read in a child process that can be stopped.
SHEET_MARKS = 200_000
SHEET_SECONDS = 30
EXTRACTOR = Path(__file__).with_name("workbook.py")


@dataclass(frozen=True)
class Formula:
    """A cell whose formula was never computed: no program has stored a value for it."""

    text: str

    def __str__(self) -> str:
        return f"the formula {self.text[:40]} without a computed value"


@dataclass(frozen=True)
class Table:
    """Columns and rows of cells (str, int, float, bool, None, `Formula`; in JSON also lists).

    `faults` says what is wrong with its form, such as a row with more cells than the header.
    """

    columns: list[str]
    rows: list[list[object]]
    faults: tuple[str, ...] = ()


def heading(text: str) -> str:
    """The form in which headings are compared: `normal`, with `_` and `-` as spaces."""
    return " ".join(normal(text).replace("_", " ").replace("-", " ").split())


def format_of(path: str) -> Format | None:
    """The format that the suffix of a path tells."""
    lower = path.lower()
    return next((kind for suffix, kind in FORMATS.items() if lower.endswith(suffix)), None)


def read_table(
    content: bytes,
    format: Format,
    *,
    sheet: str | None = None,
    header_row: int | None = None,
    at: str | None = None,
    wanted: Iterable[str] = (),
) -> Table:
    """The table in a file; raises `Refused` with the reason.

    `header_row` counts from 1. Without it, it is the first, and in a sheet the first of the top
    ten rows that has the `wanted` columns (a title may stand above). `at`: where in a JSON
    document the records are.
    """
    if len(content) > STRUCTURED_BYTES:
        raise Refused(f"it has more than {STRUCTURED_BYTES:,} bytes")
    if format in ("json", "jsonl"):
        return _records(_load_records(content, format, at))
    if format == "xlsx":
        grid = _sheet(content, sheet)
        index = header_row - 1 if header_row else _find_header(grid, wanted)
    else:
        grid = _delimited(content, "," if format == "csv" else "\t")
        index = (header_row or 1) - 1
    return from_grid(grid, index)


def from_grid(grid: Sequence[Sequence[object]], header: int = 0) -> Table:
    """A table from rows of cells of which one is the header; blank rows are left out."""
    if header >= len(grid):
        raise Refused("it is empty" if not grid else f"it has no row {header + 1} for a header")
    names = ["" if blank(cell) else str(cell).strip() for cell in grid[header]]
    body = [
        (number, row)
        for number, row in enumerate(grid[header + 1 :], start=header + 2)
        if not all(blank(cell) for cell in row)
    ]
    faults = []
    for number, row in body:
        surplus = [cell for cell in row[len(names) :] if not blank(cell)]
        if surplus:
            faults.append(
                f"row {number} has {len(names) + len(surplus)} cells, the header {len(names)}"
            )
    kept = [
        at
        for at, name in enumerate(names)
        if name or any(at < len(row) and not blank(row[at]) for _, row in body)
    ]
    if not any(names):
        raise Refused("its header is blank")
    rows = [[row[at] if at < len(row) else None for at in kept] for _, row in body]
    return Table([names[at] for at in kept], rows, tuple(faults))


def blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _delimited(content: bytes, delimiter: str) -> list[list[object]]:
    text = decode_text(content)
    if not text.strip():
        raise Refused("it is empty")
    first = _widths(text, delimiter)
    if first and first[0] == 1:
        others = {other: _widths(text, other) for other in ",;\t|" if other != delimiter}
        fitting = {o: w[0] for o, w in others.items() if w and w[0] > 1 and len(set(w)) == 1}
        if fitting:
            delimiter = max(fitting, key=lambda other: fitting[other])
    rows: list[list[object]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            cells += len(row)
            if len(rows) > TABLE_ROWS:
                raise Refused(f"it has more than {TABLE_ROWS} rows")
            if len(row) > TABLE_COLUMNS:
                raise Refused(f"it has more than {TABLE_COLUMNS} columns")
            if cells > TABLE_CELLS:
                raise Refused(f"it has more than {TABLE_CELLS} cells")
            rows.append([*row])
    except csv.Error as error:
        raise Refused(f"it is not readable as {delimiter!r}-separated text ({error})") from None
    return rows


def _widths(text: str, delimiter: str) -> list[int]:
    """How many cells the first rows have."""
    widths = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                widths.append(len(row))
            if len(widths) == 5:
                break
    except csv.Error:
        return []
    return widths


def _sheet(content: bytes, sheet: str | None) -> list[list[object]]:
    parts = office_parts(content, "xlsx", "xl/workbook.xml")
    marks = sum(part.count(b"<") for part in parts.values())
    formulas = any(
        b"<f" in part or b":f" in part for name, part in parts.items() if "sheet" in name.lower()
    )
    options: dict[str, Any] = {
        "sheet": sheet,
        "formulas": formulas,
        "rows": TABLE_ROWS,
        "columns": TABLE_COLUMNS,
        "cells": TABLE_CELLS,
    }
    if marks > SHEET_MARKS:
        grid = extract_bounded(EXTRACTOR, content, seconds=SHEET_SECONDS, **options)
    else:
        try:
            grid = extract_sheet(content, **options)
        except ValueError as error:
            raise Refused(str(error)) from None
        except (MemoryError, RecursionError):
            raise Refused("it nests too deeply") from None
    return [
        [Formula(cell["formula"]) if isinstance(cell, dict) else cell for cell in row]
        for row in grid
    ]


def _find_header(grid: Sequence[Sequence[object]], wanted: Iterable[str]) -> int:
    names = {heading(name) for name in wanted}
    filled = [at for at, row in enumerate(grid[:1000]) if any(not blank(cell) for cell in row)]
    for at in filled[:HEADER_SEARCH]:
        if names and names <= {heading(str(cell)) for cell in grid[at] if not blank(cell)}:
            return at
    return filled[0] if filled else 0


def _load_records(content: bytes, format: Format, at: str | None) -> list[object]:
    if format == "jsonl":
        return load_json_lines(content)
    document = load_json(content)
    if at is not None:
        document = search(at, document)
    if not isinstance(document, list):
        where = f" at {at}" if at else ""
        raise Refused(f"there is no list of records{where}, but {type(document).__name__}")
    return document


def _records(records: Sequence[object]) -> Table:
    if len(records) > TABLE_ROWS:
        raise Refused(f"it has more than {TABLE_ROWS} rows")
    columns: dict[str, int] = {}
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise Refused(f"record {number} is no object with named values")
        for name in record:
            columns.setdefault(name, len(columns))
        if len(columns) > TABLE_COLUMNS or len(columns) * len(records) > TABLE_CELLS:
            raise Refused("it has too many columns or cells")
    rows = [[record.get(name) for name in columns] for record in records]  # type: ignore[attr-defined]
    return Table(list(columns), rows)
