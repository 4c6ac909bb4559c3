import tempfile
import unittest
from datetime import date, datetime
from pathlib import Path

from shiftledger import Shift, Split, read_punches, split_minutes


class NightAndHoliday(unittest.TestCase):
    def test_a_shift_over_midnight_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "punches.csv"
            path.write_text("person;date;in;out;break\nJoren;12.05.2026;21:30;05:30;\n")
            (shift,) = read_punches(path)
        self.assertEqual(shift.end, datetime(2026, 5, 13, 5, 30))

    def test_night_goes_on_after_midnight(self):
        shift = Shift("Joren", datetime(2026, 5, 12, 21, 30), datetime(2026, 5, 13, 5, 30))
        self.assertEqual(split_minutes(shift), Split(day=30, night=450))

    def test_holiday_begins_at_midnight(self):
        shift = Shift("Sefa", datetime(2026, 5, 24, 20), datetime(2026, 5, 25, 4))
        found = split_minutes(shift, frozenset({date(2026, 5, 25)}))
        self.assertEqual(found, Split(day=120, night=120, holiday=240))

    def test_holiday_ends_at_midnight(self):
        shift = Shift("Sefa", datetime(2026, 5, 25, 20), datetime(2026, 5, 26, 7))
        found = split_minutes(shift, frozenset({date(2026, 5, 25)}))
        self.assertEqual(found, Split(day=60, night=360, holiday=240))
