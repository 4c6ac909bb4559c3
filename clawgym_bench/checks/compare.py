"""What an agent wrote against what was wanted: tolerant about form, strict about substance.

    normal       the form in which two texts are compared
    as_number    the number that a value is, however it is written
    as_date      the date or time that a value is, when it can mean only one
    equal        two scalars
    equal_path   two paths in the workspace
    finds        whether a text has a phrase
    searchable, occurrences, numbers_in, dates_in    what a text mentions, and where

All functions are pure and total: any input gives an answer, in time linear in its length.
"""

import posixpath
from datetime import date
from decimal import Decimal, localcontext

from clawgym_bench.checks.dates import DATE, as_date, same_moment
from clawgym_bench.checks.mentions import (
    Mention,
    dates_in,
    finds,
    numbers_in,
    occurrences,
    searchable,
)
from clawgym_bench.checks.numbers import IDENTIFIER, MAX_EXPONENT, as_number, quantity
from clawgym_bench.checks.wording import normal, plain

__all__ = [
    "Mention",
    "as_date",
    "as_number",
    "close",
    "dates_in",
    "equal",
    "equal_path",
    "finds",
    "normal",
    "numbers_in",
    "occurrences",
    "plain",
    "searchable",
]

_TRUE = frozenset(["true", "yes", "y", "t", "1", "on", "✓", "✔", "☑", "✅", "x", "[x]"])
_FALSE = frozenset(["false", "no", "n", "f", "0", "off", "✗", "✘", "❌", "☐", "[ ]"])
_NULL = frozenset(["", "null", "none", "nil", "nan", "n/a", "na", "-", "#n/a", "<na>"])


def _text(value: object) -> str | None:
    """A scalar as text; None for what is no scalar or would be absurdly long."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | float | Decimal | date):
        return str(value)
    if isinstance(value, int) and value.bit_length() <= 4096:
        return str(value)
    return None


def _truth(value: object) -> bool | None:
    number = as_number(value)
    word = normal(_text(value) or "") if number is None else str(number.normalize())
    return True if word in _TRUE else False if word in _FALSE else None


def _is_null(value: object) -> bool:
    return value is None or normal(_text(value) or "?") in _NULL or value == ""


def equal(
    found: object,
    expected: object,
    *,
    decimals: int | None = None,
    tolerance: float | None = None,
    exact: bool = False,
) -> bool:
    """Whether `found` says what `expected` says, types aside ("12", 12 and 12.0 are one).

    Numbers
        `tolerance`: at most that far apart. `decimals=d`: at most half a unit of the d-th decimal
        apart, a tie either way; give the unrounded value where rounding is on a border. Otherwise
        every digit counts; only the noise of an unrounded float (16 or more digits on one side)
        is forgiven, up to 1e-9 of the value and never a digit that the shorter one shows. Two
        different currencies, or a currency and a percent sign, are different; a missing one is
        not. An expected string with leading zeros ("007") is an identifier, not a number.
    Booleans
        when either side is a bool: true/yes/y/t/1/on/✓ and false/no/n/f/0/off/✗.
    Nothing
        when None or a blank is expected: null, none, n/a, -, nan, blank. When "n/a" is expected
        as a string, a blank is not it.
    Dates
        by the day or moment meant; see `as_date`. Midnight is its day.
    Texts
        by `normal`.

    `exact` allows none of this: strings are identical, numbers have the same value.
    """
    if expected is None or (isinstance(expected, str) and not expected.strip()):
        return found in ((expected,) if expected else (None, "")) if exact else _is_null(found)
    if found is None:
        return False
    if exact:
        if isinstance(expected, str):
            return isinstance(found, str) and found == expected
        if isinstance(expected, bool) or isinstance(found, bool):
            return found is expected
        return _same(as_number(found), as_number(expected)) or (
            _text(found) is not None and _text(found) == _text(expected)
        )
    if isinstance(found, bool) or isinstance(expected, bool):
        return _truth(found) is not None and _truth(found) == _truth(expected)
    found_text, expected_text = _text(found), _text(expected)
    if found_text is None or expected_text is None:
        return False
    if (
        isinstance(expected, str)
        and IDENTIFIER.match(expected.strip())
        and not DATE.fullmatch(normal(expected))
    ):
        return normal(found_text) == normal(expected)
    left, right = quantity(found), quantity(expected)
    if left and right:
        if left.units and right.units and not left.units & right.units:
            return False
        return close(left.value, right.value, decimals, tolerance)
    if normal(found_text) == normal(expected_text):
        return True
    found_date, expected_date = as_date(found), as_date(expected)
    return bool(found_date and expected_date and same_moment(found_date, expected_date))


def _same(found: Decimal | None, expected: Decimal | None) -> bool:
    return found is not None and found == expected


def close(
    found: Decimal, expected: Decimal, decimals: int | None, tolerance: float | None = None
) -> bool:
    """Whether two numbers are equal in the sense of `equal`."""
    if found == expected:
        return True
    with localcontext() as context:
        context.prec = 4 * MAX_EXPONENT
        distance = abs(found - expected)
        if tolerance is not None:
            # A float tolerance such as 0.1 is meant as written.
            return distance <= Decimal(repr(float(tolerance)))
        if decimals is not None:
            # The millionth forgives float noise at a tie; a wrong digit is twice as far.
            half = Decimal(5).scaleb(-decimals - 1)
            return distance <= half * (1 + Decimal("1e-6"))
        digits = max(_significant(found), _significant(expected))
        if digits < 16:
            return False
        shown = min(_decimals(found), _decimals(expected))
        return distance <= min(
            Decimal("1e-9") * max(abs(found), abs(expected)), Decimal(5).scaleb(-shown - 1)
        ) and not (_integral(found) and _integral(expected))


def _significant(number: Decimal) -> int:
    return len("".join(map(str, number.as_tuple().digits)).strip("0"))


def _decimals(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _integral(number: Decimal) -> bool:
    return _decimals(number) == 0


def equal_path(found: str, expected: str, workspace: str = "/workspace") -> bool:
    """Whether two paths name one file: relative, ./relative, absolute or file:// in the workspace.

    Case counts. Surrounding white space, quotes and code marks do not, nor does a last slash.
    """
    return _relative(found, workspace) == _relative(expected, workspace)


def _relative(path: str, workspace: str) -> str:
    path = path.strip().strip("`'\"").strip().removeprefix("file://")
    path = posixpath.normpath(path) if path else ""
    root = posixpath.normpath(workspace)
    if path == root:
        return "."
    return path.removeprefix(root.rstrip("/") + "/")
