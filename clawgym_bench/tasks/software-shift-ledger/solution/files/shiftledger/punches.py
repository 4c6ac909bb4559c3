"""Reading punch files and lists of holidays."""

import csv
from datetime import date, datetime, timedelta
from pathlib import Path

from shiftledger.model import PunchError, Shift

FIELDS = ["person", "date", "in", "out", "break"]
LONGEST = 16 * 60


def read_punches(path: str | Path) -> list[Shift]:
    """The shifts in a punch file, in its order. Raises `PunchError` at the first bad line."""
    shifts: list[Shift] = []
    lines: list[int] = []
    seen: set[tuple[str, ...]] = set()
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter=";")
        header = next(rows, None)
        if header is None or [name.strip() for name in header] != FIELDS:
            raise PunchError(1, f"the header must be {';'.join(FIELDS)}")
        for row in rows:
            if not row or not any(cell.strip() for cell in row):
                continue
            fields = tuple(cell.strip() for cell in row)
            if fields in seen:  # sent twice by the terminal
                continue
            seen.add(fields)
            shifts.append(_shift(row, rows.line_num))
            lines.append(rows.line_num)
    _refuse_overlaps(shifts, lines)
    return shifts


def _refuse_overlaps(shifts: list[Shift], lines: list[int]) -> None:
    last: dict[str, tuple[Shift, int]] = {}
    for shift, line in sorted(zip(shifts, lines), key=lambda pair: (pair[0].start, pair[1])):
        before = last.get(shift.person)
        if before and shift.start < before[0].end:
            first, second = sorted((before[1], line))
            raise PunchError(second, f"{shift.person}: overlaps the shift in line {first}")
        last[shift.person] = (shift, line)


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
    if end == start:
        raise PunchError(line, "in and out are at the same time")
    if end < start:
        end += timedelta(days=1)
    try:
        minutes = int(pause or 0)
    except ValueError:
        raise PunchError(line, f"cannot read the break {pause!r}") from None
    if minutes < 0:
        raise PunchError(line, "the break is negative")
    shift = Shift(person, start, end, minutes)
    if shift.minutes > LONGEST:
        raise PunchError(line, "the shift is longer than 16 hours")
    if minutes > shift.minutes:
        raise PunchError(line, "the break is longer than the shift")
    return shift


def read_holidays(path: str | Path) -> frozenset[date]:
    """Dates, one a line, as 2026-05-25; what follows a # is a comment."""
    days = set()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        text = line.split("#")[0].strip()
        if text:
            days.add(date.fromisoformat(text))
    return frozenset(days)
