"""Delimited tables in other forms: quoting, row order, numbers, days and paths in cells."""

import csv
import io
from collections.abc import Callable, Sequence

from clawgym_bench.audit.forms_terms import Terms
from clawgym_bench.audit.forms_values import (
    grouped,
    is_number,
    other_day,
    other_path,
    padded,
    places,
    short,
)

Grid = list[list[str]]
Edit = Callable[[Grid, Terms], Grid | None]


def _rows_shuffled(grid: Grid, terms: Terms) -> Grid | None:
    if terms.ordered or len(grid) < 3:
        return None
    rows = grid[1:]
    terms.rng.shuffle(rows)
    return [grid[0], *(rows if rows != grid[1:] else rows[::-1])]


def amounts(grid: Grid, terms: Terms) -> list[int]:
    """Columns of numbers of which at least one shows decimals: no identifiers, no years."""
    if terms.exact or not grid:
        return []
    chosen = []
    for at in range(len(grid[0])):
        cells = [row[at].strip() for row in grid[1:] if at < len(row) and row[at].strip()]
        if cells and all(is_number(cell) for cell in cells) and any("." in cell for cell in cells):
            chosen.append(at)
    return chosen


def _amounts_as(write: Callable[[str, int], str]) -> Edit:
    """`write` gets a number and the most decimals that its column shows."""

    def rewritten(grid: Grid, terms: Terms) -> Grid | None:
        changed = [list(row) for row in grid]
        for at in amounts(grid, terms):
            cells = [row[at].strip() for row in grid[1:] if at < len(row)]
            most = max(places(cell) for cell in cells)
            for row in changed[1:]:
                if at < len(row) and row[at].strip():
                    row[at] = write(row[at].strip(), most)
        return changed if changed != grid else None

    return rewritten


def _grouped(grid: Grid, terms: Terms) -> Grid | None:
    if terms.plain_numbers:
        return None
    return _amounts_as(lambda text, _: grouped(text))(grid, terms)


def _cells(change: Callable[[str, Terms], str | None], fixed: Callable[[Terms], bool]) -> Edit:
    def changed(grid: Grid, terms: Terms) -> Grid | None:
        if terms.exact or fixed(terms) or not grid:
            return None
        rows = [[change(cell, terms) or cell for cell in row] for row in grid[1:]]
        return [grid[0], *rows] if rows != grid[1:] else None

    return changed


def _blank_row_last(grid: Grid, terms: Terms) -> Grid | None:
    return [*grid, [""] * len(grid[0])] if grid and len(grid[0]) > 1 else None


TABLE: Sequence[tuple[str, Edit]] = (
    ("rows in another order", _rows_shuffled),
    ("numbers 1,234.50", _grouped),
    ("numbers 1234.5", _amounts_as(lambda text, _: short(text))),
    ("numbers 1234.50", _amounts_as(padded)),
    (
        "dates with a time",
        _cells(lambda cell, terms: other_day(cell), lambda terms: terms.iso_dates),
    ),
    ("paths absolute", _cells(other_path, lambda terms: terms.relative)),
    ("blank row at the end", _blank_row_last),
)


def read_grid(content: bytes, delimiter: str) -> Grid | None:
    """The rows of a delimited file; None when it cannot be read as one."""
    try:
        text = content.decode("utf-8-sig")
        grid = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except (UnicodeDecodeError, csv.Error):
        return None
    filled = [row for row in grid if row]
    return filled if filled and len({len(row) for row in filled}) == 1 else None


def write_grid(grid: Grid, delimiter: str, *, quoted: bool = False) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(
        buffer,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerows(grid)
    return buffer.getvalue().encode()
