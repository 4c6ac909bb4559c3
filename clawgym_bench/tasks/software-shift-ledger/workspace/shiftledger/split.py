"""Which minutes of a shift are day, night and holiday minutes."""

from collections.abc import Set
from datetime import date, datetime, time, timedelta

from shiftledger.model import Shift, Split


def overlap(start: datetime, end: datetime, window_start: datetime, window_end: datetime) -> int:
    """The minutes that two periods have in common."""
    seconds = (min(end, window_end) - max(start, window_start)).total_seconds()
    return max(0, int(seconds) // 60)


def split_minutes(shift: Shift, holidays: Set[date] = frozenset()) -> Split:
    """The minutes of a shift by kind."""
    if shift.start.date() in holidays:
        return Split(holiday=shift.minutes)
    midnight = datetime.combine(shift.start.date(), time())
    morning = overlap(shift.start, shift.end, midnight, midnight + timedelta(hours=6))
    evening = overlap(
        shift.start, shift.end, midnight + timedelta(hours=22), midnight + timedelta(hours=24)
    )
    night = morning + evening
    return Split(day=shift.minutes - night, night=night)
