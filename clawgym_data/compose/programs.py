"""Small command line programs that people write and break: specification, source, bugs, cases.

Every program reads the file named as its only argument and prints its result. The expected output
of a case is computed by `truth`, which shares nothing with `source`; `bugs` are single edits of
the source that a case must bring to light.
"""

import contextlib
import io
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from string import Template
from textwrap import dedent

MAIN = """

if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\\n".join(solve(file.read())))
"""


@dataclass(frozen=True)
class Bug:
    """`old` occurs once in the source; `symptom` is what a user would report."""

    old: str
    new: str
    symptom: str


@dataclass(frozen=True)
class Program:
    """`spec` and `source` are templates over the drawn parameters (`$name`).

    `draw` gives the parameters, `case` the text of an input file, `truth` its expected lines.
    """

    name: str
    purpose: str
    spec: str
    source: str
    bugs: tuple[Bug, ...]
    draw: Callable[[random.Random], Mapping[str, str]]
    case: Callable[[random.Random, Mapping[str, str]], str]
    truth: Callable[[str, Mapping[str, str]], list[str]]

    def text(self, parameters: Mapping[str, str], bug: Bug | None = None) -> str:
        source = dedent(self.source).strip("\n")
        if bug is not None:
            if source.count(bug.old) != 1:
                raise ValueError(f"{self.name}: {bug.old!r} is not there exactly once")
            source = source.replace(bug.old, bug.new)
        return Template(source).substitute(parameters) + "\n" + MAIN

    def said(self, parameters: Mapping[str, str]) -> str:
        return " ".join(Template(self.spec).substitute(parameters).split())


def run(source: str, text: str) -> str:
    """Runs one of our own programs here and gives what it prints ("!" and the error's name when
    it fails). Never for texts that an agent or a model wrote."""
    out = io.StringIO()
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        saved, sys.argv = sys.argv, ["program", file.name]
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(source, "program", "exec"), {"__name__": "__main__"})
        except Exception as error:
            return f"! {type(error).__name__}"
        finally:
            sys.argv = saved
    return out.getvalue()


PROGRAMS: dict[str, Program] = {}


def program(entry: Program) -> None:
    PROGRAMS[entry.name] = entry


AREAS = ("north", "south", "east", "west", "centre", "harbour")
WORDS = ("delivery", "late", "box", "broken", "thanks", "again", "colour", "wrong", "order", "nice")


def _totals_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    lines = ["area;day;amount"]
    for _ in range(chance.randint(9, 16)):
        day = date(2026, 1, 1) + timedelta(days=chance.randint(0, 200))
        cents = chance.randint(100, 99_999)
        sign = chance.choice(("", "", "", "-"))
        lines.append(f"{chance.choice(AREAS)};{day};{sign}{cents // 100},{cents % 100:02d}")
    return "\n".join(lines) + "\n"


def _totals_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    cents: Counter[str] = Counter()
    for line in text.splitlines()[1:]:
        area, _, amount = line.split(";")
        whole, _, part = amount.lstrip("-").partition(",")
        cents[area] += (int(whole) * 100 + int(part)) * (-1 if amount.startswith("-") else 1)
    best = sorted(cents.items(), key=lambda item: (-item[1], item[0]))
    return [
        f"{area} {'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"
        for area, value in best
    ]


program(
    Program(
        "area-totals",
        "adds up amounts per area",
        """It reads a file with the heading `area;day;amount` (semicolons, decimal comma, amounts
        may be negative) and prints one line per area, `<area> <total>`, with a decimal point and
        two places, the largest total first; areas with equal totals in alphabetical order.""",
        """
        import csv
        import sys
        from collections import defaultdict
        from decimal import Decimal


        def solve(text):
            totals = defaultdict(Decimal)
            for row in csv.DictReader(text.splitlines(), delimiter=";"):
                totals[row["area"]] += Decimal(row["amount"].replace(",", "."))
            ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
            return [f"{area} {total:.2f}" for area, total in ranked]
        """,
        (
            Bug('(-item[1], item[0])', "item[1]", "the smallest total comes first"),
            Bug('+= Decimal(row["amount"]', '= Decimal(row["amount"]',
                "areas with several lines only show the last amount"),
            Bug('Decimal(row["amount"].replace(",", "."))',
                'abs(Decimal(row["amount"].replace(",", ".")))',
                "credits (negative amounts) are added instead of taken off"),
        ),
        lambda chance: {},
        _totals_case,
        _totals_truth,
    )
)  # fmt: skip


def _levels_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    minute, lines = chance.randint(300, 500), []
    for _ in range(chance.randint(14, 24)):
        minute += chance.randint(1, 35)
        level = chance.choice(("INFO", "WARN", "ERROR", "INFO", "DEBUG"))
        text = chance.choice(("cache full", "ERROR page shown", "job done", "retry", "disk low"))
        lines.append(f"{minute // 60:02d}:{minute % 60:02d} {level} {text}")
    lines += [f"{parameters['start']} WARN edge", f"{parameters['end']} ERROR edge"]
    return "\n".join(sorted(lines)) + "\n"


def _levels_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    seen = Counter(
        line[6:].split(" ", 1)[0]
        for line in text.splitlines()
        if parameters["start"] <= line[:5] < parameters["end"]
    )
    return [f"{level}={seen[level]}" for level in ("ERROR", "WARN", "INFO")]


program(
    Program(
        "level-counts",
        "counts log lines by level",
        """It reads a log whose lines are `HH:MM LEVEL text` and prints three lines, `ERROR=n`,
        `WARN=n` and `INFO=n` in this order, counting the lines from $start (included) to $end (not
        included); other levels are not counted, and a level named inside the text is not one.""",
        """
        import sys


        def solve(text):
            counts = {"ERROR": 0, "WARN": 0, "INFO": 0}
            for line in text.splitlines():
                time, level, _ = line.split(" ", 2)
                if "$start" <= time < "$end" and level in counts:
                    counts[level] += 1
            return [f"{level}={count}" for level, count in counts.items()]
        """,
        (
            Bug('"$start" <= time <', '"$start" < time <',
                "a line at exactly $start is not counted"),
            Bug('time < "$end"', 'time <= "$end"', "lines at exactly $end are counted too"),
            Bug("counts[level] += 1", "counts[level] = 1", "no level ever gets beyond 1"),
        ),
        lambda chance: {"start": f"{chance.randint(7, 9):02d}:{chance.choice(('00', '15', '30'))}",
                        "end": f"{chance.randint(11, 13):02d}:{chance.choice(('00', '30', '45'))}"},
        _levels_case,
        _levels_truth,
    )
)  # fmt: skip


def _words_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    text = [chance.choice(WORDS) for _ in range(chance.randint(30, 50))]
    text = [word.upper() if chance.random() < 0.2 else word for word in text]
    return " ".join(word + chance.choice(("", "", ",", ".", "!")) for word in text) + "\n"


def _words_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    cleaned = "".join(c if c.isalpha() else " " for c in text.lower()).split()
    counts = Counter(word for word in cleaned if len(word) >= int(parameters["length"]))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return [f"{counts[word]} {word}" for word in ranked[: int(parameters["count"])]]


program(
    Program(
        "frequent-words",
        "lists the most frequent words",
        """It prints the $count most frequent words of at least $length letters in the file, one
        line each as `<count> <word>`, in lower case, without regard to capitals and punctuation,
        the most frequent first and equally frequent ones in alphabetical order.""",
        """
        import re
        import sys
        from collections import Counter


        def solve(text):
            words = [w for w in re.findall(r"[a-z]+", text.lower()) if len(w) >= $length]
            ranked = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))
            return [f"{count} {word}" for word, count in ranked[:$count]]
        """,
        (
            Bug("text.lower()", "text", "words in capitals are torn apart or lost"),
            Bug("len(w) >= $length", "len(w) > $length",
                "words of exactly $length letters are missing"),
            Bug("(-item[1], item[0])", "-item[1]",
                "equally frequent words come in any order instead of alphabetically"),
        ),
        lambda chance: {"count": str(chance.randint(3, 5)), "length": str(chance.choice((4, 5)))},
        _words_case,
        _words_truth,
    )
)  # fmt: skip


def _intervals_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    lines = []
    for _ in range(chance.randint(7, 11)):
        start = chance.randint(28, 66) * 15
        end = start + chance.randint(1, 8) * 15
        lines.append(f"{start // 60:02d}:{start % 60:02d}-{end // 60:02d}:{end % 60:02d}")
    last = lines[0].split("-")[1]
    lines.append(f"{last}-{int(last[:2]) + 1:02d}{last[2:]}")
    chance.shuffle(lines)
    return "\n".join(lines) + "\n"


def _intervals_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    taken: set[int] = set()
    for line in text.split():
        begin, end = (int(t[:2]) * 60 + int(t[3:]) for t in line.split("-"))
        taken |= set(range(begin, end))
    result, minute = [], 0
    while minute < 24 * 60:
        if minute in taken:
            start = minute
            while minute in taken:
                minute += 1
            result.append(
                f"{start // 60:02d}:{start % 60:02d}-{minute // 60:02d}:{minute % 60:02d}"
            )
        minute += 1
    return [*result, f"total {len(taken)} min"]


program(
    Program(
        "busy-times",
        "merges bookings of a room",
        """It reads bookings of one day, one per line as `HH:MM-HH:MM` in any order, merges those
        that overlap or touch, prints the busy times in the same form from morning to evening, and
        at the end a line `total N min` with the busy minutes.""",
        """
        import sys


        def minutes(text):
            hours, rest = text.split(":")
            return int(hours) * 60 + int(rest)


        def solve(text):
            bookings = sorted(tuple(map(minutes, line.split("-"))) for line in text.split())
            merged = []
            for start, end in bookings:
                if merged and start <= merged[-1][1]:
                    merged[-1][1] = max(merged[-1][1], end)
                else:
                    merged.append([start, end])
            lines = [f"{s // 60:02d}:{s % 60:02d}-{e // 60:02d}:{e % 60:02d}" for s, e in merged]
            return [*lines, f"total {sum(e - s for s, e in merged)} min"]
        """,
        (
            Bug("start <= merged[-1][1]", "start < merged[-1][1]",
                "bookings that follow each other without a gap are listed separately"),
            Bug("max(merged[-1][1], end)", "end",
                "a short booking within a long one cuts the long one off"),
            Bug("sorted(tuple(map(minutes, line.split(\"-\"))) for line in text.split())",
                "[tuple(map(minutes, line.split(\"-\"))) for line in text.split()]",
                "it only works when the bookings are in order"),
        ),
        lambda chance: {},
        _intervals_case,
        _intervals_truth,
    )
)  # fmt: skip


def _invalid_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    lines = ["code,count,ready_on"]
    for number in range(chance.randint(10, 15)):
        code = f"{chance.choice('ABC')}{chance.choice('KLM')}-{chance.randint(100, 999)}"
        count, day = str(chance.randint(1, 40)), f"2026-{chance.randint(1, 12):02d}-{10 + number}"
        spoiled = chance.random()
        if spoiled < 0.15:
            code = code.lower()
        elif spoiled < 0.3:
            count = chance.choice(("0", "-3", "x", ""))
        elif spoiled < 0.42:
            day = chance.choice(("2026-02-30", "12.03.2026", ""))
        lines.append(f"{code},{count},{day}")
    lines += ["AK-4711,5,2026-05-01", "BM-200,0,2026-02-30"]
    return "\n".join(lines) + "\n"


def _invalid_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    found = []
    for number, line in enumerate(text.splitlines()[1:], 2):
        code, count, day = line.split(",")
        letters, dash, digits = code[:2], code[2:3], code[3:]
        good = letters.isalpha() and letters.isupper() and dash == "-"
        if not (good and len(digits) == 3 and digits.isdigit()):
            found.append(f"{number}: code")
            continue
        if not count.isdigit() or int(count) < 1:
            found.append(f"{number}: count")
            continue
        try:
            if len(day) != 10:
                raise ValueError
            date.fromisoformat(day)
        except ValueError:
            found.append(f"{number}: ready_on")
    return [*found, f"{len(found)} bad lines"]


program(
    Program(
        "bad-lines",
        "finds the lines of a list that are not valid",
        """It reads a CSV file with the heading `code,count,ready_on` and prints, for every line
        that is not valid, its line number in the file (the heading is line 1) and the first field
        that is wrong, as `<number>: <field>`, then a last line `<n> bad lines`. A code is two
        capital letters, a hyphen and three digits; a count is a whole number from 1 on; ready_on is
        a real date as YYYY-MM-DD.""",
        """
        import csv
        import re
        import sys
        from datetime import datetime


        def first_wrong(row):
            if not re.fullmatch(r"[A-Z]{2}-[0-9]{3}", row["code"]):
                return "code"
            if not re.fullmatch(r"[0-9]+", row["count"]) or int(row["count"]) < 1:
                return "count"
            try:
                datetime.strptime(row["ready_on"], "%Y-%m-%d")
            except ValueError:
                return "ready_on"
            return None


        def solve(text):
            found = []
            for number, row in enumerate(csv.DictReader(text.splitlines()), 2):
                field = first_wrong(row)
                if field:
                    found.append(f"{number}: {field}")
            return [*found, f"{len(found)} bad lines"]
        """,
        (
            Bug("text.splitlines()), 2)", "text.splitlines()), 1)",
                "the line numbers are one too small"),
            Bug('int(row["count"]) < 1', 'int(row["count"]) < 0', "a count of 0 passes"),
            Bug('re.fullmatch(r"[A-Z]{2}-[0-9]{3}"', 're.match(r"[A-Z]{2}-[0-9]{3}"',
                "codes with too many digits pass"),
        ),
        lambda chance: {},
        _invalid_case,
        _invalid_truth,
    )
)  # fmt: skip


def _stock_case(chance: random.Random, parameters: Mapping[str, str]) -> str:
    items = chance.sample(("tape", "paper", "ink", "gloves", "filters", "labels"), 4)
    lines = [f"{item} = {chance.randint(5, 30)}" for item in items]
    for _ in range(chance.randint(8, 14)):
        item = chance.choice(items)
        lines.append(f"{item} {chance.choice('+-')} {chance.randint(1, 9)}")
    lines.append(f"{items[1]} = {chance.randint(3, 9)}")
    lines.append(f"{items[1]} - {chance.randint(1, 2)}")
    lines.append(f"{items[0]} - 60")
    return "\n".join(lines) + "\n"


def _stock_truth(text: str, parameters: Mapping[str, str]) -> list[str]:
    stock: dict[str, int] = {}
    for line in text.splitlines():
        item, sign, number = line.split()
        value = int(number)
        stock[item] = value if sign == "=" else stock[item] + (value if sign == "+" else -value)
        stock[item] = max(stock[item], 0)
    low = int(parameters["low"])
    return [f"{item}: {n}{' LOW' if n < low else ''}" for item, n in sorted(stock.items())]


program(
    Program(
        "stock-count",
        "keeps a stock list from a log of movements",
        """Each line of the file is `<item> = <n>` (counted), `<item> + <n>` (came in) or `<item> -
        <n>` (went out), in order of time; a stock never falls below 0. It prints one line per item
        in alphabetical order, `<item>: <n>`, with ` LOW` at the end when n is less than $low.""",
        """
        import sys


        def solve(text):
            stock = {}
            for line in text.splitlines():
                item, sign, number = line.split()
                if sign == "=":
                    stock[item] = int(number)
                elif sign == "+":
                    stock[item] = stock.get(item, 0) + int(number)
                else:
                    stock[item] = max(0, stock.get(item, 0) - int(number))
            marks = {item: " LOW" if count < $low else "" for item, count in stock.items()}
            return [f"{item}: {stock[item]}{marks[item]}" for item in sorted(stock)]
        """,
        (
            Bug("max(0, stock.get(item, 0) - int(number))", "stock.get(item, 0) - int(number)",
                "stocks go below zero"),
            Bug("count < $low", "count <= $low", "an item with exactly $low pieces is marked LOW"),
            Bug("stock[item] = int(number)", "stock.setdefault(item, int(number))",
                "a second count of an item is ignored"),
        ),
        lambda chance: {"low": str(chance.choice((5, 8, 10)))},
        _stock_case,
        _stock_truth,
    )
)  # fmt: skip
