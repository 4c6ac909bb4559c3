"""Reads one sheet of an xlsx workbook as JSON values. Imports nothing of ours: see `bounded`.

Dates become ISO text, a formula whose value was never computed becomes `{"formula": "=A1+B1"}`.
"""

import datetime as dt
import io
import math
import warnings
from itertools import zip_longest
from typing import Any


def extract(
    content: bytes, *, sheet: str | None, formulas: bool, rows: int, columns: int, cells: int
) -> list[list[Any]]:
    """The rows of the named or the first visible sheet. `formulas`: whether there are any."""
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            chosen = _choose(values, sheet)
            written = values
            if formulas:
                written = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
            found = list(_rows(values[chosen], written[chosen], rows, columns, cells))
        except (MemoryError, RecursionError):
            raise
        except Refusal:
            raise
        except Exception as error:
            raise ValueError(f"it is not a readable workbook ({type(error).__name__})") from None
    while found and not any(_filled(cell) for cell in found[-1]):
        found.pop()
    return found


class Refusal(ValueError):
    """A workbook over a bound, or without the sheet."""


def _choose(book: Any, sheet: str | None) -> str:
    names = [str(name) for name in book.sheetnames]
    if sheet is not None:
        for name in names:
            if name.strip().casefold() == sheet.strip().casefold():
                return name
        listed = ", ".join(names[:10])
        raise Refusal(f"it has no sheet {sheet!r}; its sheets: {listed}")
    visible = [name for name in names if getattr(book[name], "sheet_state", "") == "visible"]
    if not visible:
        raise Refusal("it has no visible sheet")
    return visible[0]


def _rows(values: Any, written: Any, rows: int, columns: int, cells: int) -> Any:
    for source in (values, written):
        if not hasattr(source, "reset_dimensions"):
            raise Refusal("it is a chart sheet, not a table")
        source.reset_dimensions()
    numbered = values.iter_rows(max_row=rows + 2, values_only=True)
    raw_rows = numbered
    if written is not values:
        raw_rows = written.iter_rows(max_row=rows + 2, values_only=True)
    total = blank = 0
    for number, row in enumerate(numbered, start=1):
        raw = row if raw_rows is numbered else next(raw_rows, ())
        if all(cell is None for cell in raw):
            blank += 1
            continue
        total += len(row)
        if number > rows + 1:
            raise Refusal(f"it has more than {rows} rows")
        if len(row) > columns:
            raise Refusal(f"it has more than {columns} columns")
        if total > cells:
            raise Refusal(f"it has more than {cells} cells")
        yield from ([] for _ in range(blank))
        blank = 0
        yield [_cell(cell, source) for cell, source in zip_longest(row, raw)]


def _cell(value: Any, written: Any) -> Any:
    if value is None and written is not None:
        text = written if isinstance(written, str) else getattr(written, "text", "")
        return {"formula": str(text)[:80]} if str(text).startswith("=") else None
    if isinstance(value, dt.datetime):
        midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**30:
        return str(value)[:80] if abs(value) < 10**80 else "a number of more than 80 digits"
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)[:200]


def _filled(cell: Any) -> bool:
    return cell is not None and (not isinstance(cell, str) or cell.strip() != "")
