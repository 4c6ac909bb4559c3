"""Totals for people to read."""

from collections.abc import Iterable, Set
from datetime import date

from shiftledger.breaks import paid_split
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


def _hours(minutes: int) -> float:
    """To the nearest quarter of an hour."""
    return (2 * minutes + 15) // 30 / 4


def weekly_totals(
    shifts: Iterable[Shift], holidays: Set[date] = frozenset()
) -> list[dict[str, str | float]]:
    """Paid hours by ISO week and person, rounded once per person and week."""
    found: dict[tuple[str, str], Split] = {}
    for shift in shifts:
        year, week, _ = shift.start.isocalendar()
        key = (f"{year}-W{week:02d}", shift.person)
        found[key] = found.get(key, Split()) + paid_split(shift, holidays)
    return [
        {
            "week": week,
            "person": person,
            "day": _hours(split.day),
            "night": _hours(split.night),
            "holiday": _hours(split.holiday),
            "total": _hours(split.total),
        }
        for (week, person), split in sorted(found.items())
    ]
