"""Days and moments as people and programs write them."""

from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

import regex

from clawgym_bench.checks.wording import normal

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
DATE = regex.compile(
    rf"""
    (?<![\w/-])(?<!\d\.)
    (?:(?P<weekday>{_WEEKDAY})\.?,?\s)?
    (?: (?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})
      | (?P<year>\d{{4}})(?P<month>\d\d)(?P<day>\d\d)(?=t\d{{4}})
      | (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\sof)?[\s-](?P<name>{_MONTH})[\s,-]{{1,2}}
        (?P<year>\d{{4}})
      | (?P<name>{_MONTH})[\s-](?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s?|[\s-])(?P<year>\d{{4}})
      | (?P<year>\d{{4}})[\s-](?P<name>{_MONTH})[\s-](?P<day>\d{{1,2}})
      | (?P<first>\d{{1,2}})(?P<sep>[-/.])(?P<second>\d{{1,2}})(?P=sep)(?P<year>\d{{4}})
    )
    (?: (?:t|,?\s(?:at\s)?)
        (?: (?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<sec>\d\d)(?:[.,](?P<part>\d{{1,9}}))?)?
          | (?<=t)(?P<hour>\d\d)(?P<minute>\d\d)(?P<sec>\d\d)? )
        (?:\s?(?P<half>[ap])\.?m\b\.?)?
        (?:\s?(?P<zone>z|utc|gmt|[+-]\d\d(?::?\d\d)?))?
    )?
    (?![\w/-])(?!\.\d)(?!:\d)
    """,
    regex.VERBOSE,
)


def parsed_date(match: Any) -> date | datetime | None:
    found = {name: value for name, value in match.groupdict().items() if value}
    year = int(found["year"])
    if "first" in found:
        first, second = int(found["first"]), int(found["second"])
        if first == second or first > 12:
            day, month = first, second
        elif second > 12:
            day, month = second, first
        else:
            return None
    else:
        day = int(found["day"])
        month = _MONTHS.index(found["name"][:3]) + 1 if "name" in found else int(found["month"])
    try:
        on = date(year, month, day)
        if "weekday" in found and _DAYS[on.weekday()] != found["weekday"][:3]:
            return None
        if "hour" not in found:
            return on
        hour = int(found["hour"])
        if "half" in found:
            if not 1 <= hour <= 12:
                return None
            hour = hour % 12 + (12 if found["half"] == "p" else 0)
        return datetime(
            year,
            month,
            day,
            hour,
            int(found["minute"]),
            int(found.get("sec", 0)),
            int(found.get("part", "0").ljust(6, "0")[:6]),
            _zone(found.get("zone", "")),
        )
    except ValueError:
        return None


def _zone(name: str) -> timezone | None:
    if not name:
        return None
    if name in ("z", "utc", "gmt"):
        return UTC
    digits = name[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if name[0] == "-" else offset)


def as_date(value: object) -> date | datetime | None:
    """The day or moment that `value` is, or None when it is none or can mean two.

    Strings: ISO forms with - / or . between, with or without a time and a zone; written forms in
    English (3 March 2026, March 3rd, 2026, Tue 3 Mar 2026, 3-Mar-2026, with a time). 25/12/2026 is
    unambiguous, 03/04/2026 is not. A wrong weekday makes it no date.
    """
    if isinstance(value, date):  # datetime is one
        return value
    if not isinstance(value, str) or len(value) > 100:
        return None
    return _written_date(value)


@lru_cache(maxsize=16_384)
def _written_date(text: str) -> date | datetime | None:
    match = DATE.fullmatch(normal(text))
    return None if match is None else parsed_date(match)


def without_dates(value: Any) -> Any:
    """Dates as ISO text, also inside lists and mappings, so that a task survives JSON unchanged."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return [without_dates(inner) for inner in value]
    if isinstance(value, dict):
        return {name: without_dates(inner) for name, inner in value.items()}
    return value


def same_moment(found: date | datetime, expected: date | datetime) -> bool:
    """Midnight is its day. A zone may be added to an expected local time, but not dropped."""
    if isinstance(found, datetime) and isinstance(expected, datetime):
        if found.tzinfo and expected.tzinfo:
            return (found - expected) == timedelta(0)
        if expected.tzinfo:
            return False
        return found.replace(tzinfo=None) == expected
    return _day(found) is not None and _day(found) == _day(expected)


def _day(moment: date | datetime) -> date | None:
    if not isinstance(moment, datetime):
        return moment
    midnight = not (moment.hour or moment.minute or moment.second or moment.microsecond)
    return moment.date() if midnight else None
