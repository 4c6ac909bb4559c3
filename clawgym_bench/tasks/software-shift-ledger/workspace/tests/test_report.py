import unittest
from datetime import datetime

from shiftledger import Shift, Split
from shiftledger.report import totals, totals_text


class Totals(unittest.TestCase):
    def test_sorted_and_added_up(self):
        shifts = [
            Shift("Sefa", datetime(2026, 5, 4, 6), datetime(2026, 5, 4, 14), 30),
            Shift("Joren", datetime(2026, 5, 4, 4), datetime(2026, 5, 4, 8)),
            Shift("Sefa", datetime(2026, 5, 5, 20), datetime(2026, 5, 5, 23)),
        ]
        found = totals(shifts)
        self.assertEqual(list(found), ["Joren", "Sefa"])
        self.assertEqual(found["Sefa"], Split(day=600, night=60))
        text = totals_text(found).splitlines()
        self.assertEqual(text[0], "person\tday\tnight\tholiday\ttotal")
        self.assertEqual(text[1], "Joren\t120\t120\t0\t240")
