"""Numbers as people and programs write them."""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import regex

from clawgym_bench.checks.wording import normal

_CODES = """
usd cad aud nzd sgd hkd mxn twd brl clp cop eur gbp jpy cny inr pkr lkr krw rub try uah
ils thb vnd php ngn pln czk huf chf sek nok dkk isk zar idr myr ron bgn aed sar egp kes
ghs ars pen
"""
_CURRENCIES: dict[str, frozenset[str]] = {
    "$": frozenset({"usd", "cad", "aud", "nzd", "sgd", "hkd", "mxn", "twd", "brl", "clp", "cop"}),
    "us$": frozenset({"usd"}),
    "ca$": frozenset({"cad"}),
    "c$": frozenset({"cad"}),
    "a$": frozenset({"aud"}),
    "au$": frozenset({"aud"}),
    "nz$": frozenset({"nzd"}),
    "s$": frozenset({"sgd"}),
    "hk$": frozenset({"hkd"}),
    "r$": frozenset({"brl"}),
    "€": frozenset({"eur"}),
    "£": frozenset({"gbp"}),
    "¥": frozenset({"jpy", "cny"}),
    "rmb": frozenset({"cny"}),
    "₹": frozenset({"inr"}),
    "rs": frozenset({"inr", "pkr", "lkr"}),
    "rs.": frozenset({"inr", "pkr", "lkr"}),
    "₩": frozenset({"krw"}),
    "₽": frozenset({"rub"}),
    "₺": frozenset({"try"}),
    "₴": frozenset({"uah"}),
    "₪": frozenset({"ils"}),
    "฿": frozenset({"thb"}),
    "₫": frozenset({"vnd"}),
    "₱": frozenset({"php"}),
    "₦": frozenset({"ngn"}),
    "zł": frozenset({"pln"}),
    "kč": frozenset({"czk"}),
    "ft": frozenset({"huf"}),
    "fr.": frozenset({"chf"}),
    "kr": frozenset({"sek", "nok", "dkk", "isk"}),
    "kr.": frozenset({"sek", "nok", "dkk", "isk"}),
    **{code: frozenset({code}) for code in _CODES.split()},
}
_PERCENT = frozenset({"%"})
_CURRENCY = "|".join(regex.escape(name) for name in sorted(_CURRENCIES, key=len, reverse=True))
GROUPED = (
    r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:'[0-9]{3})+|(?:_[0-9]{3})+)|"
    r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
)
SPACED = r"[1-9][0-9]{0,2}(?: [0-9]{3})+"
TAIL = r"(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3}(?!\w))?"
_NUMBER = regex.compile(
    rf"""
    (?P<sign>[+-]\s?)? (?P<open>\()? (?P<before>{_CURRENCY})? \s? (?P<open>\()? (?P<sign>[+-]\s?)?
    (?P<digits>(?:{GROUPED}|{SPACED.replace(" ", "[ ]")}|[0-9]+){TAIL}|\.[0-9]+)
    \s? (?P<after>{_CURRENCY}|%|percent|per\ cent|pct\.?)? (?P<close>\))?
    """,
    regex.VERBOSE,
)
SEPARATORS = str.maketrans("", "", ", '_")
MAX_EXPONENT = 350
IDENTIFIER = regex.compile(r"[+-]?0[0-9]")


@dataclass(frozen=True)
class Quantity:
    """A number, the currencies (or the percent sign) it may be in, and its digits as written."""

    value: Decimal
    units: frozenset[str] = frozenset()


def bounded(number: Decimal) -> Decimal | None:
    if not number.is_finite() or len(number.as_tuple().digits) > 2 * MAX_EXPONENT:
        return None
    if number and abs(number.adjusted()) > MAX_EXPONENT:
        return None
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and abs(exponent) > 3 * MAX_EXPONENT:
        return None
    return number


def quantity(value: object) -> Quantity | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        if value.bit_length() > 1024:
            return None
        number = bounded(Decimal(value))
        return Quantity(number) if number is not None else None
    if isinstance(value, float | Decimal):
        number = bounded(Decimal(repr(float(value))) if isinstance(value, float) else value)
        return Quantity(number) if number is not None else None
    return _written(value) if isinstance(value, str) and len(value) <= 200 else None


@lru_cache(maxsize=4096)
def _written(value: str) -> Quantity | None:
    text = normal(value)
    if len(text) > 100:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    found = match.capturesdict()
    signs, opened = found["sign"], len(found["open"])
    if len(signs) > 1 or opened > 1 or opened != len(found["close"]) or (opened and signs):
        return None
    units = _units(*found["before"], *found["after"])
    if units is None:
        return None
    number = bounded(Decimal(found["digits"][0].translate(SEPARATORS)))
    if number is None:
        return None
    negative = bool(opened) or (bool(signs) and signs[0].startswith("-"))
    return Quantity(-number if negative else number, units)


def _units(*marks: str) -> frozenset[str] | None:
    """What all marks agree on; None when they contradict each other."""
    agreed: frozenset[str] = frozenset()
    for mark in marks:
        named = _CURRENCIES.get(mark, _PERCENT)
        agreed = agreed & named if agreed else named
        if not agreed:
            return None
    return agreed


def as_number(value: object) -> Decimal | None:
    """The number that `value` is, or None.

    A string may have thousands separators (comma, space, apostrophe, underscore, in groups of
    three; Indian lakh groups), a currency sign or code on either side, a percent sign (12% is 12),
    a plus or a minus of any kind, accounting parentheses for a negative, Markdown emphasis.
    Not numbers: booleans, nan and infinities, wrong groups (1,23), decimal commas (12,5), several
    dots (versions), other words (12 kg, 12k), dates, phone numbers, anything beyond 100 characters
    or 10^350.
    """
    found = quantity(value)
    return None if found is None else found.value
