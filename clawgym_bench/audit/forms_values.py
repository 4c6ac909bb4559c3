"""One value in another form: the same number, day or file, written differently."""

import calendar
import re

from clawgym_bench.audit.forms_terms import Terms

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?")
_NUMBER_IN_TEXT = re.compile(
    r"(?P<money>[$€£]\s?)?(?<![\w.,/:#-])(?P<whole>\d{1,3}(?:,\d{3})+|\d{4,})(?P<part>\.\d+)?"
    r"(?![\w/:-]|[.,]\d)(?P<code>\s?(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?)\b)?"
)
_DAY_IN_TEXT = re.compile(
    r"(?<![\w./:@#-])(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\w/:@-]|\.\w)"
)


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def grouped(text: str) -> str:
    """1234.50 as 1,234.50."""
    whole, dot, part = text.partition(".")
    return f"{int(whole):,}{dot}{part}"


def short(text: str) -> str:
    """1234.50 as 1234.5."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def padded(text: str, places: int) -> str:
    """1234.5 as 1234.50."""
    whole, _, part = text.partition(".")
    return f"{whole}.{part.ljust(places, '0')}" if places else text


def places(text: str) -> int:
    return len(text.partition(".")[2])


def other_day(value: str, seconds: bool = False) -> str | None:
    """A day with midnight added, or without it; None for what is neither."""
    if _DAY.fullmatch(value):
        return f"{value}T00:00:00" if seconds else f"{value}T00:00"
    match = _MIDNIGHT.fullmatch(value)
    return match[1] if match else None


def other_path(value: str, terms: Terms) -> str | None:
    """A file of the workspace by its absolute path, or by its relative one."""
    if value in terms.paths:
        return f"{terms.workspace.rstrip('/')}/{value}"
    prefix = f"{terms.workspace.rstrip('/')}/"
    inner = value.removeprefix(prefix)
    return inner if value.startswith(prefix) and inner in terms.paths else None


def numbers_regrouped(text: str) -> str:
    """Prose in which amounts of a thousand or more gain or lose their commas.

    A bare whole number may be a year or an identifier: only amounts with decimals, with a
    currency, or with commas already are touched.
    """

    def rewrite(match: re.Match[str]) -> str:
        whole, part = match["whole"], match["part"] or ""
        money, code = match["money"] or "", match["code"] or ""
        if "," in whole:
            return f"{money}{whole.replace(',', '')}{part}{code}"
        if whole.startswith("0") or not (part or money or code):
            return match.group()
        return f"{money}{int(whole):,}{part}{code}"

    return _NUMBER_IN_TEXT.sub(rewrite, text)


def days_in_words(text: str) -> str:
    """Prose in which 2026-10-09 is 9 October 2026."""
    return _DAY_IN_TEXT.sub(
        lambda match: f"{int(match[3])} {calendar.month_name[int(match[2])]} {match[1]}", text
    )
