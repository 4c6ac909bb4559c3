"""Text without its form: the shape in which two texts are compared."""

import html
import unicodedata
from functools import lru_cache

import regex

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞", '"'),
        **dict.fromkeys("‘’‚‛′´ʼ‹›", "'"),
        **dict.fromkeys("‐‑‒–−﹣-", "-"),
        **dict.fromkeys("—―", " - "),
        "\ufdfa": "U+FDFA",  # NFKC makes 18 characters of it
        **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\u00ad"),
    }
)
# NFKC alone would turn 12¹ into 121 and 1½ into 11/2.
_RAISED = str.maketrans(
    {
        **{raised: f"^{digit}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{
            chr(code): f" {unicodedata.normalize('NFKC', chr(code)).replace('⁄', '/')}"
            for code in (*range(0xBC, 0xBF), *range(0x2150, 0x215F))
        },
    }
)
_MARK_RUN = regex.compile(r"([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+")
_ENTITY = regex.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_EMPHASIS = (
    regex.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]*)(?<=[^\s\\])\1(?![\w*])"),
    regex.compile(
        r"(?<![\w\\])(_{1,3})(?=[^\s_])"
        r"([^_\n]*+(?:(?<=[^\W_])_++(?=[^\W_])[^_\n]*+){0,30}+)(?<=[^\s\\])\1(?!\w)"
    ),
)
_ESCAPE = regex.compile(r"\\([!-/:-@\[-`{-~])")
_SHORT = 120
"""Characters. The form of shorter texts (cells, names) is remembered: most are asked for again."""
_DOUBLE_DASH = regex.compile(r"(?<!\S)-{2,3}(?!\S)")


def plain(text: str) -> str:
    """Typography made plain, nothing else: quotes, dashes, ellipses, special spaces.

    Upper case, line breaks and markup stay.
    """
    if text.isascii():
        return text
    text = _MARK_RUN.sub(r"\1", text)  # a long run of marks makes NFKC quadratic
    return _compatible(text.translate(_LOOKALIKES).translate(_RAISED))


def _compatible(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)


def normal(text: str) -> str:
    """The form in which texts are compared.

    Made the same: upper and lower case, full-width and other compatibility forms, white space of
    any kind and amount, typographic quotes, dashes (an em dash is a spaced hyphen) and ellipses,
    HTML entities, Markdown emphasis, code marks and backslash escapes.
    Kept: every letter, digit and other sign, accents, the order of words, list markers.
    """
    return _remembered(text) if len(text) <= _SHORT else _normal(text)


def _normal(text: str) -> str:
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    text = plain(text).casefold()
    if not text.isascii():
        text = _compatible(text)
    text = text.replace("`", "")
    for emphasis, mark in zip(_EMPHASIS, "*_", strict=True):
        for _ in range(3):  # nested emphasis, from the inside out
            if mark not in text:
                break
            text = emphasis.sub(r"\2", text)
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    if "--" in text:
        text = _DOUBLE_DASH.sub("-", text)
    return " ".join(text.split())


_remembered = lru_cache(maxsize=16_384)(_normal)
