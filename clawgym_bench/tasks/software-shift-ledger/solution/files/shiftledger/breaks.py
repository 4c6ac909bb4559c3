"""Breaks: what is taken off, and from which minutes."""

from collections.abc import Set
from datetime import date

from shiftledger.model import Shift, Split
from shiftledger.split import split_minutes


def unpaid_minutes(shift: Shift) -> int:
    """The break that is taken off: by presence, or the recorded one if that is longer."""
    presence = shift.minutes
    legal = 45 if presence > 9 * 60 else 30 if presence > 6 * 60 else 0
    return max(legal, shift.break_minutes)


def paid_split(shift: Shift, holidays: Set[date] = frozenset()) -> Split:
    """The minutes of each kind that are left: taken off day, then night, then holiday."""
    split = split_minutes(shift, holidays)
    left = unpaid_minutes(shift)
    kept = []
    for minutes in (split.day, split.night, split.holiday):
        off = min(left, minutes)
        left -= off
        kept.append(minutes - off)
    return Split(*kept)
