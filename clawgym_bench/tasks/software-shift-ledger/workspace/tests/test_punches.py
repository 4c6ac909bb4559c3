import tempfile
import unittest
from datetime import date, datetime
from pathlib import Path

from shiftledger import PunchError, Shift, read_holidays, read_punches

HEADER = "person;date;in;out;break\n"


def punches(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "punches.csv"
        path.write_text(text, encoding="utf-8")
        return read_punches(path)


class ReadPunches(unittest.TestCase):
    def test_reads_a_line(self):
        found = punches(HEADER + "Sefa;04.05.2026;06:00;14:15;30\n")
        wanted = Shift("Sefa", datetime(2026, 5, 4, 6), datetime(2026, 5, 4, 14, 15), 30)
        self.assertEqual(found, [wanted])

    def test_empty_break_and_blank_lines(self):
        found = punches(HEADER + "\nSefa;04.05.2026;06:00;10:00;\n;;;;\n")
        self.assertEqual([shift.break_minutes for shift in found], [0])

    def test_wrong_header(self):
        with self.assertRaises(PunchError) as caught:
            punches("name;date;in;out;break\n")
        self.assertEqual(caught.exception.line, 1)

    def test_bad_time_names_its_line(self):
        with self.assertRaises(PunchError) as caught:
            punches(HEADER + "Sefa;04.05.2026;06:00;10:00;\nSefa;05.05.2026;06:00;25:00;\n")
        self.assertEqual(caught.exception.line, 3)

    def test_in_and_out_at_the_same_time(self):
        with self.assertRaises(PunchError):
            punches(HEADER + "Sefa;04.05.2026;06:00;06:00;\n")

    def test_holidays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "days.txt"
            path.write_text("# 2026\n2026-05-25  # Whit Monday\n\n2026-12-25\n", encoding="utf-8")
            self.assertEqual(read_holidays(path), {date(2026, 5, 25), date(2026, 12, 25)})
