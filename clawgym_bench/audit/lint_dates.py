"""Rules of *lint* on dates: a weekday that is written beside a date is that date's weekday."""

import datetime as dt
import re
from collections.abc import Iterator

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_reading import Reading

TEXT_BYTES = 512 * 1024
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAY = (
    r"(?<![\w-])(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?"
    r"|fri(?:day)?|sat(?:urday)?|sun(?:day)?)(?![\w])"
)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = (
    r"(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})(?![\d-])",
    rf"{_DAY}(?:\sof)?\s{_MONTH},?\s(?P<year>\d{{4}})(?!\d)",
    rf"{_MONTH}\s{_DAY},?\s(?P<year>\d{{4}})(?!\d)",
)
_BEFORE = [re.compile(rf"{_WEEKDAY}\.?,?\s(?:the\s)?{form}", re.I) for form in _FORMS]
_AFTER = [
    re.compile(rf"(?<![\w-]){form}(?:\s?[,;|(]\s?|\s)(?:a\s)?{_WEEKDAY}", re.I) for form in _FORMS
]
_RANGE = re.compile(
    rf"{_WEEKDAY}\s{_DAY}\s?(?:to|until|till|through|and|or|-|–)\s?"
    rf"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\s{_MONTH}"
    r",?\s(?P<year>\d{4})(?!\d)",
    re.I,
)
_YEARLESS = (
    re.compile(rf"{_WEEKDAY}\.?,?\s(?:the\s)?{_DAY}(?:\sof)?\s{_MONTH}(?!,?\s\d{{4}})(?!\w)", re.I),
    re.compile(rf"{_WEEKDAY}\.?,?\s{_MONTH}\s{_DAY}(?!,?\s\d{{4}})(?![\w:])", re.I),
)
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d.,]\d|\d)")
_ISO = re.compile(r"(?<![\w/.-])(\d{4})-(\d{2})-(\d{2})(?![\w/-]|\.\w)")
_DAY_AND_YEAR = re.compile(
    rf"{_WEEKDAY}.{{1,30}}?\d{{4}}|\d{{4}}.{{0,20}}?{_WEEKDAY.replace('weekday', 'after')}", re.I
)
_ANY_DAY = re.compile(r"(?i)(?:mon|tue|wed|thu|fri|sat|sun)")


def dates(reading: Reading) -> Iterator[Finding]:
    """In a request a wrong weekday is an error; in an input it may be meant, and is a warning."""
    for number, text in enumerate(reading.requests, 1):
        for line, what in wrong_weekdays(text):
            yield Finding("error", f"session {number}: {what}", "correct one of the two", line=line)
        for line, what in wrong_weekdays(text, years=_years(reading.request)):
            yield Finding(
                "warning", f"session {number}: {what}", "correct it, or name the year", line=line
            )
        for line, day in impossible_days(text):
            yield Finding("warning", f"session {number}: there is no {day}", "", line=line)
    if reading.imported:
        return
    for path, text in reading.inputs.items():
        if not _ANY_DAY.search(text, 0, TEXT_BYTES):
            continue
        for line, row in enumerate(text[:TEXT_BYTES].splitlines(), 1):
            found = wrong_weekdays(row) if _DAY_AND_YEAR.search(row) else ()
            for _, what in found:
                remedy = "correct it, unless it is meant"
                yield Finding("warning", what, remedy, file=path, line=line)


def wrong_weekdays(text: str, years: set[int] | None = None) -> Iterator[tuple[int, str]]:
    """Line and description of each date whose weekday is another one.

    With `years` only dates without a year are looked at: wrong when they are so in all of them.
    """
    if not _ANY_DAY.search(text):
        return
    joined = "\n".join(line.strip(" \t") for line in text.split("\n"))
    if years is not None:
        for pattern in _YEARLESS:
            for match in pattern.finditer(joined) if years else ():
                possible = {_weekday(match, year) for year in years}
                if None not in possible and _said(match) not in possible:
                    named = ", ".join(map(str, sorted(years)))
                    yield _line(joined, match), f"{_shown(match)} is no such weekday in {named}"
        return
    taken: set[int] = set()
    lines = [(match.start(), match.end()) for match in re.finditer(r".+", joined)]
    passes = [(pattern, span) for span in lines for pattern in (*_BEFORE, _RANGE, *_AFTER)]
    # Across a line's end last: there a weekday may belong to what stands before it.
    passes += [(pattern, (0, len(joined))) for pattern in (*_BEFORE, _RANGE)]
    for pattern, (start, end) in passes:
        for match in pattern.finditer(joined, start, end):
            at = match.start("weekday")
            if at in taken:
                continue
            taken.add(at)
            right = _weekday(match, int(match["year"]))
            if right is not None and right != _said(match):
                yield _line(joined, match), f"{_shown(match)} is a {_NAMES[right]}"


def impossible_days(text: str) -> Iterator[tuple[int, str]]:
    for match in _ISO.finditer(text):
        try:
            dt.date(*map(int, match.groups()))
        except ValueError:
            yield _line(text, match), match.group()


def _years(text: str) -> set[int]:
    """The years that a text speaks of, with the one that follows."""
    return {int(match.group()) for match in _YEAR.finditer(text)}


def _said(match: re.Match[str]) -> int:
    return _DAYS.index(match["weekday"][:3].lower())


def _weekday(match: re.Match[str], year: int) -> int | None:
    """The weekday of the date in the match; None where there is no such date."""
    parts = match.groupdict()
    month = (
        int(parts["number"])
        if parts.get("number")
        else _MONTHS.index(parts["month"][:3].lower()) + 1
    )
    try:
        return dt.date(year, month, int(parts["day"])).weekday()
    except ValueError:
        return None


def _shown(match: re.Match[str]) -> str:
    return " ".join(match.group().split())


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
