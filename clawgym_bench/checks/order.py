"""Whether rows are sorted by columns: by number, by date, or by text in either usual order."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from clawgym_bench.checks.compare import as_date, as_number, normal
from clawgym_bench.checks.table_files import blank


def first_disorder(columns: Sequence[tuple[Sequence[object], bool]]) -> int | None:
    """The number of the first row that is out of order with the next; None when sorted.

    Columns come as their cells and whether they descend, the most significant first. Blank cells
    may stand anywhere. Text may be sorted with or without regard to upper case.
    """
    keys = [_sort_keys(cells) for cells, _ in columns]
    falling = [descends for _, descends in columns]
    culprits = []
    for variant in (0, 1):
        rows = list(zip(*(key[variant] for key in keys), strict=True))
        culprit = next(
            (n for n, (a, b) in enumerate(pairwise(rows)) if not _rises(a, b, falling)), None
        )
        if culprit is None:
            return None
        culprits.append(culprit)
    return max(culprits)


def _sort_keys(cells: Sequence[object]) -> tuple[list[Any], list[Any]]:
    """Two orders that both count as sorted; None where a cell is blank."""
    filled = [cell for cell in cells if not blank(cell)]
    numbers = {id(cell): as_number(cell) for cell in filled}
    if all(number is not None for number in numbers.values()):
        order = [None if blank(cell) else numbers[id(cell)] for cell in cells]
        return order, order
    moments = {id(cell): as_date(cell) for cell in filled}
    if all(moment is not None for moment in moments.values()):
        order = [None if blank(cell) else _instant(moments[id(cell)]) for cell in cells]
        return order, order
    return (
        [None if blank(cell) else normal(str(cell)) for cell in cells],
        [None if blank(cell) else str(cell) for cell in cells],
    )


def _instant(moment: dt.date | dt.datetime | None) -> Decimal:
    if not isinstance(moment, dt.datetime):
        assert moment is not None
        moment = dt.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return Decimal(moment.timestamp())


def _rises(one: Sequence[Any], other: Sequence[Any], falling: Sequence[bool]) -> bool:
    for a, b, down in zip(one, other, falling, strict=True):
        if a is None or b is None or a == b:
            continue
        return bool(a > b) if down else bool(a < b)
    return True
