"""Totals for people to read."""

from collections.abc import Iterable, Set
from datetime import date

from shiftledger.model import Shift, Split
from shiftledger.split import split_minutes


def totals(shifts: Iterable[Shift], holidays: Set[date] = frozenset()) -> dict[str, Split]:
    """The minutes of all shifts by person, sorted by name; breaks are not taken off."""
    found: dict[str, Split] = {}
    for shift in shifts:
        found[shift.person] = found.get(shift.person, Split()) + split_minutes(shift, holidays)
    return dict(sorted(found.items()))


def totals_text(found: dict[str, Split]) -> str:
    """As `totals` prints them: person, day, night, holiday, total in minutes, tab-separated."""
    lines = ["person\tday\tnight\tholiday\ttotal"]
    for person, split in found.items():
        lines.append(f"{person}\t{split.day}\t{split.night}\t{split.holiday}\t{split.total}")
    return "\n".join(lines)
