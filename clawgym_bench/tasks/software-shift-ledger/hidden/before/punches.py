"""Reading punch files and lists of holidays."""

import csv
from datetime import date, datetime
from pathlib import Path

from shiftledger.model import PunchError, Shift

FIELDS = ["person", "date", "in", "out", "break"]


def read_punches(path: str | Path) -> list[Shift]:
    """The shifts in a punch file, in its order. Raises `PunchError` at the first bad line."""
    shifts = []
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter=";")
        header = next(rows, None)
        if header is None or [name.strip() for name in header] != FIELDS:
            raise PunchError(1, f"the header must be {';'.join(FIELDS)}")
        for row in rows:
            if not row or not any(cell.strip() for cell in row):
                continue
            shifts.append(_shift(row, rows.line_num))
    return shifts


def _shift(row: list[str], line: int) -> Shift:
    if len(row) != len(FIELDS):
        raise PunchError(line, f"{len(FIELDS)} fields wanted, found {len(row)}")
    person, day, come, go, pause = (cell.strip() for cell in row)
    if not person:
        raise PunchError(line, "no person")
    try:
        start = datetime.strptime(f"{day} {come}", "%d.%m.%Y %H:%M")
        end = datetime.strptime(f"{day} {go}", "%d.%m.%Y %H:%M")
    except ValueError:
        raise PunchError(line, f"cannot read {day} {come} {go}") from None
    if end <= start:
        raise PunchError(line, "the shift ends before it begins")
    try:
        minutes = int(pause or 0)
    except ValueError:
        raise PunchError(line, f"cannot read the break {pause!r}") from None
    if minutes < 0:
        raise PunchError(line, "the break is negative")
    return Shift(person, start, end, minutes)


def read_holidays(path: str | Path) -> frozenset[date]:
    """Dates, one a line, as 2026-05-25; what follows a # is a comment."""
    days = set()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        text = line.split("#")[0].strip()
        if text:
            days.add(date.fromisoformat(text))
    return frozenset(days)
