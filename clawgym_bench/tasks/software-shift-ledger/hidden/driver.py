"""Calls the package in the current folder and prints what it gives, as JSON. Holds no answers."""

import json
import shutil
import subprocess
import sys
import tempfile
from datetime import date, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOLIDAYS = frozenset({date(2026, 5, 25), date(2026, 12, 25), date(2026, 12, 26), date(2027, 1, 1)})

SPLIT = {
    "into-whit-monday": ("2026-05-24 20:00", "2026-05-25 04:00"),
    "out-of-whit-monday": ("2026-05-25 20:15", "2026-05-26 07:40"),
    "late": ("2026-06-09 15:50", "2026-06-10 00:35"),
    "whole-night": ("2026-06-09 21:59", "2026-06-10 06:01"),
    "two-holidays": ("2026-12-25 22:00", "2026-12-26 09:20"),
    "month-end": ("2026-06-30 14:30", "2026-07-01 06:30"),
    "new-year": ("2026-12-31 21:10", "2027-01-01 05:10"),
    "till-midnight": ("2026-12-24 17:30", "2026-12-25 00:00"),
}
BREAKS = {
    "six-hours": ("2026-06-08 07:00", "2026-06-08 13:00", 0),
    "six-hours-one": ("2026-06-08 07:00", "2026-06-08 13:01", 10),
    "short-with-break": ("2026-06-08 07:00", "2026-06-08 11:00", 25),
    "nine-hours": ("2026-06-08 07:00", "2026-06-08 16:00", 0),
    "nine-hours-one": ("2026-06-08 07:00", "2026-06-08 16:01", 40),
    "long-break": ("2026-06-08 07:00", "2026-06-08 17:00", 70),
    "night-only": ("2026-06-08 22:00", "2026-06-09 05:00", 0),
    "little-day": ("2026-06-08 21:40", "2026-06-09 05:40", 0),
    "holiday-last": ("2026-05-24 21:50", "2026-05-25 07:30", 180),
    "holiday-only": ("2026-05-25 06:00", "2026-05-25 16:00", 0),
}
WEEKLY = [
    ("Una", "2026-12-27 20:00", "2026-12-28 04:10", 0),
    ("Una", "2026-12-28 13:00", "2026-12-28 17:05", 0),
    ("Una", "2026-12-29 13:00", "2026-12-29 17:05", 0),
    ("Una", "2026-12-30 13:00", "2026-12-30 17:05", 0),
    ("Una", "2027-01-01 22:07", "2027-01-02 04:14", 15),
    ("Una", "2027-01-04 05:21", "2027-01-04 14:30", 0),
    ("Abel", "2027-01-03 21:00", "2027-01-04 06:03", 0),
    ("Abel", "2026-12-28 09:00", "2026-12-28 12:08", 8),
]


def shift_of(start, end, pause=0, person="Una"):
    from shiftledger import Shift

    return Shift(person, datetime.fromisoformat(start), datetime.fromisoformat(end), pause)


def parts(split):
    return {"day": split.day, "night": split.night, "holiday": split.holiday}


def split():
    from shiftledger import split_minutes

    return {name: parts(split_minutes(shift_of(*times), HOLIDAYS)) for name, times in SPLIT.items()}


def breaks():
    from shiftledger.breaks import paid_split, unpaid_minutes

    return {
        name: {"unpaid": unpaid_minutes(shift_of(*case)), **parts(paid_split(shift_of(*case), HOLIDAYS))}
        for name, case in BREAKS.items()
    }


def weekly():
    from shiftledger.report import weekly_totals

    shifts = [shift_of(start, end, pause, person) for person, start, end, pause in WEEKLY]
    return {"with": weekly_totals(shifts, HOLIDAYS), "without": weekly_totals(shifts)}


CHILD = """
import json, sys, unittest
folder, result, *names = sys.argv[1:]
sys.path.insert(0, folder)
found = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromNames(names).run(found)
with open(result, "w") as file:
    json.dump({"run": found.testsRun, "ok": found.wasSuccessful()}, file)
"""


def tested(package, tests, names):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(package, f"{folder}/it/shiftledger")
        shutil.copytree(tests, f"{folder}/it/tests")
        Path(f"{folder}/it/tests/__init__.py").touch()
        result = Path(folder) / "result.json"
        command = [sys.executable, "-I", "-B", "-c", CHILD, f"{folder}/it", str(result), *names]
        try:
            subprocess.run(command, cwd=f"{folder}/it", timeout=20, capture_output=True)
            found = json.loads(result.read_text())
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return False, False
        return found["run"] > 0 and found["ok"], found["run"] > 0 and not found["ok"]


def old_tests():
    names = ["tests.test_punches", "tests.test_split", "tests.test_report"]
    return {"old_tests_pass": tested("shiftledger", HERE / "tests", names)[0]}


def new_test():
    names = ["tests.test_issue_17"]
    return {
        "passes_now": tested("shiftledger", "tests", names)[0],
        "fails_before": tested(HERE / "before", "tests", names)[1],
    }


if __name__ == "__main__":
    sys.path.insert(0, ".")
    print(json.dumps(globals()[sys.argv[1]]()))
