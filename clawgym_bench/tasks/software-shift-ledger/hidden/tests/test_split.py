import unittest
from datetime import date, datetime

from shiftledger import Shift, Split, split_minutes


def shift(start, end):
    day = "2026-05-05"
    return Shift("Sefa", datetime.fromisoformat(f"{day} {start}"), datetime.fromisoformat(f"{day} {end}"))


class SplitMinutes(unittest.TestCase):
    def test_day_only(self):
        self.assertEqual(split_minutes(shift("07:00", "15:30")), Split(day=510))

    def test_early_morning(self):
        self.assertEqual(split_minutes(shift("03:30", "11:00")), Split(day=300, night=150))

    def test_late_evening(self):
        self.assertEqual(split_minutes(shift("16:00", "23:10")), Split(day=360, night=70))

    def test_holiday(self):
        found = split_minutes(shift("04:00", "12:00"), frozenset({date(2026, 5, 5)}))
        self.assertEqual(found, Split(holiday=480))
