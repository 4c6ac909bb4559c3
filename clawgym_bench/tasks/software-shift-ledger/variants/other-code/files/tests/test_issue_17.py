import unittest
from datetime import datetime

import shiftledger
from shiftledger.split import kind_of


class Issue17(unittest.TestCase):
    def test_joren(self):
        shift = shiftledger.Shift("Joren", datetime(2026, 5, 12, 21, 30), datetime(2026, 5, 13, 5, 30))
        split = shiftledger.split_minutes(shift)
        self.assertEqual((split.day, split.night, split.holiday), (30, 450, 0))

    def test_kind(self):
        self.assertEqual(kind_of(datetime(2026, 5, 13, 5, 59), set()), "night")


if __name__ == "__main__":
    unittest.main()
