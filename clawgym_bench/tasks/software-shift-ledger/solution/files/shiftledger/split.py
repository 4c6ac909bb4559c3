"""Which minutes of a shift are day, night and holiday minutes."""

from collections.abc import Set
from datetime import date, datetime, time, timedelta

from shiftledger.model import Shift, Split


def overlap(start: datetime, end: datetime, window_start: datetime, window_end: datetime) -> int:
    """The minutes that two periods have in common."""
    seconds = (min(end, window_end) - max(start, window_start)).total_seconds()
    return max(0, int(seconds) // 60)


def split_minutes(shift: Shift, holidays: Set[date] = frozenset()) -> Split:
    """The minutes of a shift by kind: calendar day by calendar day, a holiday before all else."""
    found = Split()
    day = shift.start.date()
    while day <= shift.end.date():
        midnight = datetime.combine(day, time())
        after = midnight + timedelta(days=1)
        minutes = overlap(shift.start, shift.end, midnight, after)
        if day in holidays:
            found += Split(holiday=minutes)
        else:
            morning = overlap(shift.start, shift.end, midnight, midnight + timedelta(hours=6))
            evening = overlap(shift.start, shift.end, midnight + timedelta(hours=22), after)
            night = morning + evening
            found += Split(day=minutes - night, night=night)
        day += timedelta(days=1)
    return found
