"""What a text mentions: phrases, numbers and dates, as wholes."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any

import regex

from clawgym_bench.checks.dates import DATE, as_date, parsed_date, same_moment
from clawgym_bench.checks.numbers import (
    GROUPED,
    IDENTIFIER,
    MAX_EXPONENT,
    SEPARATORS,
    SPACED,
    TAIL,
    bounded,
)
from clawgym_bench.checks.wording import normal

# What stands left and right of a number in running text: it is no piece of a word, a longer
# number, a power, a time, a version, an identifier or a date. − is a sign (see below).
_LEFT = (
    r"(?<![\w^−])(?<![0-9][.:])(?<![^\W\d]-)(?<![0-9]{4}[-/.](?=[0-9]{2}[-/.][0-9]{2}))"
    r"(?<![0-9]{4}[-/.][0-9]{2}[-/.](?=[0-9]{2}))"
    r"(?<![0-9]/(?=[0-9]{1,2}/[0-9]{4}))(?<![0-9]/[0-9]{1,2}/(?=[0-9]{4}))"
)
_RIGHT = r"(?!\w)(?![.:][0-9])(?!\^[0-9])(?!/[0-9]{1,2}/[0-9]{4})"
_SCALES = {"k": 3, "thousand": 3, "million": 6, "mn": 6, "m": 6, "billion": 9, "bn": 9}
_UNITS = "%|percent|per cent|pct|kg|g|mg|km|cm|mm|ms|s|h|min|kb|mb|gb|tb"


def _in_text(grouped: str) -> Any:
    left = _LEFT.replace("^−", "^")
    return regex.compile(
        rf"""
        (?=[-+−.0-9\p{{Sc}}])
        (?: (?<![\w)\]])(?P<sign>[-+−])(?=\p{{Sc}}?[0-9.]) )? (?P<symbol>\p{{Sc}})?
        (?: (?<=\p{{Sc}})(?P<sign>[-−]) )?
        {left} (?P<digits>(?>(?:(?:{grouped})(?![0-9])|[0-9]+){TAIL}|(?<!\.)\.[0-9]+))
        (?: \ ?(?P<scale>thousand|million|mn|billion|bn|(?<!\ )k|(?<=\p{{Sc}}[0-9.,]{{1,9}})m)(?!\w)
          | \ ?(?P<unit>{_UNITS.replace(" ", "[ ]")})(?!\w)
          | {_RIGHT}
        )
        """,
        regex.VERBOSE,
    )


_WITHOUT_SPACES = _in_text(GROUPED)
_WITH_SPACES = _in_text(f"{SPACED.replace(' ', '[ ]')}|{GROUPED}")


_SPACED_GROUP = regex.compile(r"[0-9]\s[0-9]{3}(?![0-9])")


@dataclass(frozen=True)
class Mention:
    """A number or a date in a text, and where."""

    value: Decimal | date
    start: int
    end: int


def _value(match: Any) -> Decimal | None:
    """The value without its sign; None for an identifier with leading zeros or an absurd size."""
    digits = match["digits"]
    if len(digits) > 100 or IDENTIFIER.match(digits):
        return None
    value = Decimal(digits.translate(SEPARATORS))
    if match["scale"]:
        with localcontext() as context:
            context.prec = 4 * MAX_EXPONENT
            value = value.scaleb(_SCALES[match["scale"]])
    return bounded(value)


def _rewritten(match: Any) -> str:
    if match.group().isdecimal():
        return str(match.group())
    value = _value(match)
    if value is None:
        return str(match.group())
    sign = "−" if match["sign"] in ("-", "−") else ""
    shown = match["digits"].translate(SEPARATORS) if "e" in match["digits"] else f"{value:f}"
    if "." in shown and "e" not in shown:
        shown = shown.rstrip("0").rstrip(".") or "0"
    unit = match["unit"] or ""
    unit = "%" if unit.startswith("p") or unit == "%" else f" {unit}" if unit else ""
    return f"{sign}{match['symbol'] or ''}{'0' if shown.startswith('.') else ''}{shown}{unit}"


@lru_cache(maxsize=8)
def searchable(text: str, *, spaces: bool = False) -> str:
    """`normal(text)` with numbers written one way: 1234.5, −1234.5 (U+2212), $5, 5 kg, 12%.

    1.2 million is 1200000. With `spaces`, 1 234 is one number.
    """
    return str((_WITH_SPACES if spaces else _WITHOUT_SPACES).sub(_rewritten, normal(text)))


@lru_cache(maxsize=1024)
def _phrase(literal: str) -> Any:
    # A sign before the number makes it another one; a mere $ or % is found all the same.
    left, right = "(?<!−)" if any(map(str.isdigit, literal)) else "", ""
    if literal[0].isdigit():
        left = _LEFT
    elif regex.match(r"\w", literal[0]):
        left = r"(?<!\w)"
    if literal[-1].isdigit():
        right = _RIGHT
    elif regex.match(r"\w", literal[-1]):
        right = r"(?!\w)"
    return regex.compile(left + regex.escape(literal, literal_spaces=True) + right)


def occurrences(literal: str, text: str, *, spaces: bool = False) -> list[tuple[int, int]]:
    """Where the phrase is in a text that is already `searchable`, as start and end."""
    wanted = searchable(literal, spaces=spaces)
    if not wanted:
        return []
    return [match.span() for match in _phrase(wanted).finditer(text)]


def phrase_pattern(literal: str) -> Any:
    """The compiled pattern that finds the phrase in a `searchable` text; it is never blank."""
    return _phrase(searchable(literal))


def finds(literal: str, text: str) -> bool:
    """Whether `text` has the phrase `literal`, in the sense of `normal`, as whole words.

    Numbers in it are compared by value (1,234.50 finds 1234.5) and as a whole: 12 is not in 112,
    12.5, -12, A-12, 12k, 12:30 or 2026-12-01. A phrase that is a date is found in any way of
    writing that day. Word order and everything else counts; plurals are other words.
    """
    for spaces in (False, True):
        wanted = searchable(literal, spaces=spaces)
        if wanted and _phrase(wanted).search(searchable(text, spaces=spaces)):
            return True
        if not (_SPACED_GROUP.search(literal) or _SPACED_GROUP.search(searchable(text))):
            break
    when = as_date(literal)
    return when is not None and any(
        isinstance(mention.value, date) and same_moment(mention.value, when)
        for mention in dates_in(searchable(text))
    )


def numbers_in(text: str) -> list[Mention]:
    """The numbers in a `searchable` text, outside its dates, in order.

    Where the text can be read in two ways, both are given: 1 234 (one number or two) and
    (12) (an aside or an accountant's -12).
    """
    taken = [(mention.start, mention.end) for mention in dates_in(text)]
    found: dict[tuple[int, int, Decimal], None] = {}
    for pattern in (_WITHOUT_SPACES, _WITH_SPACES):
        position = 0
        for match in pattern.finditer(text):
            start, end = match.span()
            while position < len(taken) and taken[position][1] <= start:
                position += 1
            if position < len(taken) and taken[position][0] < end:
                continue
            value = _value(match)
            if value is None:
                continue
            if match["sign"] in ("-", "−"):
                value = -value
            elif text[max(start - 1, 0) : start] == "(" and text[end : end + 1] == ")":
                found[start, end, -value] = None
            found[start, end, value] = None
    return [Mention(value, start, end) for start, end, value in sorted(found)]


def dates_in(text: str) -> list[Mention]:
    """The unambiguous dates in a text that is already `normal` or `searchable`, in order."""
    mentions = []
    for match in DATE.finditer(text):
        value = parsed_date(match)
        if value is not None:
            mentions.append(Mention(value, match.start(), match.end()))
    return mentions
