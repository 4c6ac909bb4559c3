"""One value made wrong: numbers by a digit, their sign or a factor of ten, dates by a day."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from clawgym_bench.audit.mutations import DATE, DIGIT, SCALE, SIGN, Rules
from clawgym_bench.checks.compare import as_date, as_number, equal, normal
from clawgym_bench.checks.numbers import IDENTIFIER

FINEST = 4
"""Decimal places: no request asks for more, and further digits may be float noise."""
STRANGER = "Marlow"
NAME_WORDS = 4
"""A text of more words is prose, whose wording is free."""

MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
NUMBER = re.compile(r"(?P<sign>[-−+])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?=T\d|$)")
_WRITTEN = re.compile(
    rf"(?P<day>\d{{1,2}})(?=(?:st|nd|rd|th)?(?: of)?[ -](?:{MONTHS})\b)"
    rf"|(?<=(?-i:\w) )(?P<later>\d{{1,2}})(?=(?:st|nd|rd|th)?(?:,? \d{{4}})?\b)"
)
_SLASHED = re.compile(r"(?P<day>\d{1,2})(?=[./]\d{1,2}[./]\d{4})")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2})(:\d{2})")


def shifted_dates(text: str) -> list[str]:
    """The text with its date a day off, and with its time an hour off, as far as it has them."""
    found = []
    for pattern, form in ((_ISO, "%Y-%m-%d"), (_COMPACT, "%Y%m%d")):
        match = pattern.search(text)
        if match:
            try:
                day = date(*map(int, match.groups())) + timedelta(days=1)
            except (ValueError, OverflowError):
                continue
            found.append(text[: match.start()] + day.strftime(form) + text[match.end() :])
            break
    else:
        match = _SLASHED.search(text) or _WRITTEN.search(text)
        if match:
            number = int(match.group())
            other = number + 1 if number < 28 else number - 1
            found.append(f"{text[: match.start()]}{other}{text[match.end() :]}")
    match = _CLOCK.search(text)
    if match:
        hour = f"{(int(match[1]) + 1) % 24:0{len(match[1])}d}"
        found.append(text[: match.start()] + hour + text[match.end(1) :])
    return found


def wrong_number_texts(text: str, decimals: int | None = None) -> Iterator[tuple[str, str]]:
    """Kind and text for each way to spoil the first number in `text`, in its own form.

    The last digit that counts is changed: that of `decimals` places where fewer count.
    """
    match = NUMBER.search(text)
    if match is None:
        return
    digits = match["digits"]
    sign = -1 if match["sign"] in ("-", "−") else 1
    value = sign * Decimal(digits.replace(",", ""))
    places = len(digits.partition(".")[2])
    mark = match["sign"] if sign < 0 else "-"
    plus = match["sign"] if match["sign"] == "+" else ""
    for kind, wrong in wrong_numbers(value, places if decimals is None else min(places, decimals)):
        shown = f"{abs(wrong):{',' if ',' in digits else ''}.{places}f}"
        prefix = mark if wrong < 0 else plus
        yield kind, f"{text[: match.start()]}{prefix}{shown}{text[match.end() :]}"


def wrong_numbers(value: Decimal, places: int) -> Iterator[tuple[str, Decimal]]:
    step = Decimal(1).scaleb(-min(places, FINEST))
    last = int(abs(value) / step) % 10
    away = -step if last == 9 else step
    yield DIGIT, value + (away if value >= 0 else -away)
    if value:
        yield SIGN, -value
        yield SCALE, value * 10


def wrong_values(value: object, rules: Rules, name: str = "") -> list[tuple[str, object]]:
    """Kind and value for each way to spoil a number or a date; those that still pass as equal
    are left out. `name` is the field's, for its rounding. Texts are for `other_name`."""
    found: list[tuple[str, object]] = []
    decimals = rules.places(name)
    if isinstance(value, bool):
        return []
    if isinstance(value, int | float):
        number = as_number(value)
        if number is None:
            return []
        shown = max(0, -int(number.as_tuple().exponent))
        limit = shown if decimals is None else min(shown, decimals)
        for kind, wrong in wrong_numbers(number, limit):
            found.append((kind, int(wrong) if isinstance(value, int) else float(wrong)))
    elif isinstance(value, datetime | date):
        found.append((DATE, value + timedelta(days=1)))
    elif isinstance(value, time):
        found.append((DATE, value.replace(hour=(value.hour + 1) % 24)))
    elif isinstance(value, str) and len(value) <= 100:
        if is_date(value):
            found += [(DATE, wrong) for wrong in shifted_dates(value)]
        elif is_number(value):
            found += wrong_number_texts(value, decimals)
    tolerance = rules.tolerance(name)
    return [
        (kind, wrong)
        for kind, wrong in found
        if not (
            equal(wrong, value)
            or (as_number(value) is not None and equal(wrong, value, tolerance=tolerance or None))
        )
    ]


def is_number(value: object) -> bool:
    if isinstance(value, str):
        return as_number(value) is not None and not IDENTIFIER.match(value.strip())
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_date(value: str) -> bool:
    return as_date(value) is not None or bool(re.fullmatch(r"\s*\d{1,2}:\d{2}(:\d{2})?\s*", value))


def is_name(value: object) -> bool:
    """A short text that is neither number nor date: a name, an identifier, a category."""
    if isinstance(value, bool):
        return True
    if not isinstance(value, str) or not value.strip() or is_number(value) or is_date(value):
        return False
    return len(value.split()) <= NAME_WORDS and "\n" not in value


def foreign_value(value: object, rules: Rules, name: str = "") -> object | None:
    """What is wrong wherever it stands, so that values exchanged within a list are no matter; None
    for prose and for what cannot be made wrong."""
    if isinstance(value, bool):
        return not value
    if is_name(value):
        return STRANGER
    return next((wrong for _, wrong in wrong_values(value, rules, name)), None)


def other_name(value: object, pool: list[object], pick: int) -> object | None:
    """Another value out of the pool (`pick` chooses), or the contrary of a truth value."""
    if isinstance(value, bool):
        return not value
    others = list({normal(str(one)): one for one in pool if is_name(one)}.values())
    others = [one for one in others if not equal(one, value)]
    return others[pick % len(others)] if others else None
