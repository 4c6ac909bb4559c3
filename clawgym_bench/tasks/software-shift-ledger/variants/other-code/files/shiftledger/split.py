"""Which minutes of a shift are day, night and holiday minutes."""

from collections import Counter
from datetime import timedelta

from shiftledger.model import Split


def kind_of(moment, holidays):
    if moment.date() in holidays:
        return "holiday"
    return "day" if 6 <= moment.hour < 22 else "night"


def split_minutes(shift, holidays=frozenset()):
    """Looks at every minute on its own."""
    minutes = (shift.start + timedelta(minutes=n) for n in range(shift.minutes))
    return Split(**Counter(kind_of(moment, holidays) for moment in minutes))
