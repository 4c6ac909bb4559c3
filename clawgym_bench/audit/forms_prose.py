"""Markdown, plain text and final messages in other forms.

Structure is found as the checks find it (`checks.prose`): code, front matter and rules stay as
they are.
"""

import re
import textwrap
from collections.abc import Callable, Sequence

from clawgym_bench.audit.forms_terms import Terms
from clawgym_bench.audit.forms_values import days_in_words, numbers_regrouped
from clawgym_bench.checks.prose import Heading, front_matter, headings, lines_of

TITLE = "Prepared as requested"
SIGN_OFF = "Please ask if anything is unclear."
WIDTH = 76

Edit = Callable[[str, Terms], str | None]

_BULLET = re.compile(r"^(\s*)[-*+•](\s+)(?=\S)")
_BOX = re.compile(r"^\s*[-*+]\s+\[[ xX]\]")
_NUMBERED = re.compile(r"^(\s*\d{1,3})\.(\s+)")
_CODE = re.compile(
    r"`[^`\n]+`|\]\([^)\n]{0,500}\)|\[\[[^\]\n]{0,300}\]\]|<[^<>\n]{0,500}>"
    r"|\w{1,20}://\S{1,500}|\S{1,64}@\S{1,255}"
)
SENTENCE_WORDS = 6


def is_prose(text: str, *, markdown: bool) -> bool:
    """Whether it is written for people: Markdown, or text with a sentence in it."""
    return markdown or any(
        line.rstrip().endswith((".", "!", "?")) and len(line.split()) >= SENTENCE_WORDS
        for line in text.split("\n")
    )


def _below_matter(edit: Callable[[str, Terms], str | None]) -> Edit:
    """The edit, applied below the front matter."""

    def applied(text: str, terms: Terms) -> str | None:
        _, body = front_matter(text)
        changed = edit(body, terms)
        return None if changed is None else text[: len(text) - len(body)] + changed

    return applied


def _real_headings(text: str) -> list[Heading] | None:
    """`#` headings in order; None when there are none, or underlined ones besides."""
    found = [one for one in headings(text) if one.level <= 6]
    return found if found and all(one.form == "atx" for one in found) else None


def _shift(by: int) -> Edit:
    def shifted(text: str, terms: Terms) -> str | None:
        found = _real_headings(text)
        if not found:
            return None
        levels = [one.level + by for one in found]
        if min(levels) < 1 or max(levels) > 6:
            return None
        lines = text.split("\n")
        for one in found:
            bare = lines[one.number].lstrip()
            lines[one.number] = "#" * (one.level + by) + bare.lstrip("#")
        return "\n".join(lines)

    return _below_matter(shifted)


def _flat(text: str) -> list[Heading] | None:
    """Headings that do not nest, a single title above them aside: their level may be lost."""
    found = _real_headings(text)
    if not found:
        return None
    top = min(one.level for one in found)
    titled = found[0].level == top and sum(one.level == top for one in found) == 1
    rest = {one.level for one in (found[1:] if titled else found)}
    return found if len(rest) <= 1 else None


def _headings_as(write: Callable[[str], str]) -> Edit:
    """All headings as lines of their own in another form, with a blank line on either side."""

    def rewritten(text: str, terms: Terms) -> str | None:
        found = _flat(text)
        if found is None or terms.headings_counted:
            return None
        lines = text.split("\n")
        for one in found:
            lines[one.number] = f"\n{write(one.title.strip())}\n"
        return "\n".join(lines).lstrip("\n")

    return _below_matter(rewritten)


def _underlined(text: str, terms: Terms) -> str | None:
    found = _real_headings(text)
    if not found or max(one.level for one in found) > 2:
        return None
    lines = text.split("\n")
    for one in found:
        mark = "=" if one.level == 1 else "-"
        lines[one.number] = f"\n{one.title}\n{mark * max(3, len(one.title))}\n"
    return "\n".join(lines).lstrip("\n")


def _items(mark: str) -> Edit:
    def marked(text: str, terms: Terms) -> str | None:
        lines = text.split("\n")
        for line in lines_of(text):
            if line.block != "item" or (mark == "•" and _BOX.match(line.text)):
                continue
            lines[line.number] = _BULLET.sub(rf"\g<1>{mark}\2", line.text)
        changed = "\n".join(lines)
        return changed if changed != text else None

    return _below_matter(marked)


def _numbered(text: str, terms: Terms) -> str | None:
    lines = text.split("\n")
    for line in lines_of(text):
        if line.block == "item":
            lines[line.number] = _NUMBERED.sub(r"\1)\2", line.text)
    changed = "\n".join(lines)
    return changed if changed != text else None


def _outside_code(change: Callable[[str], str]) -> Edit:
    """The change on what is no code, no link and no address."""

    def changed(text: str, terms: Terms) -> str | None:
        lines = text.split("\n")
        for line in lines_of(text):
            pieces, at = [], 0
            for match in _CODE.finditer(line.text):
                pieces += [change(line.text[at : match.start()]), match.group()]
                at = match.end()
            lines[line.number] = "".join([*pieces, change(line.text[at:])]) or lines[line.number]
        result = "\n".join(lines)
        return result if result != text else None

    return _below_matter(changed)


def _typographic(text: str) -> str:
    text = re.sub(r"(?<=\w)'(?=\w)", "’", text)
    text = re.sub(r"(?<![\w\"])\"([^\"\n]+)\"(?![\w\"])", r"“\1”", text)
    return re.sub(r"(?<=\w) - (?=\w)", " – ", text)


def _wrapped(text: str, terms: Terms) -> str | None:
    lines = text.split("\n")
    for line in lines_of(text):
        if line.block not in ("prose", "item") or len(line.text) <= WIDTH:
            continue
        mark = re.match(r"\s*(?:[-*+•]|\d{1,3}[.)])?\s*", line.text)
        indent = " " * len(mark.group()) if mark and line.block == "item" else ""
        pieces = textwrap.wrap(
            line.text, WIDTH, subsequent_indent=indent, break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
        lines[line.number] = "\n".join(pieces)
    changed = "\n".join(lines)
    return changed if changed != text and terms.room(changed) else None


def _paths(text: str, terms: Terms) -> str | None:
    if terms.relative:
        return None
    home = terms.workspace.rstrip("/")
    changed = text
    for path in sorted(terms.paths, key=len, reverse=True):
        if path in text:
            pattern = rf"(?<![\w/.(\[-]){re.escape(path)}(?![\w/-]|\.\w)"
            changed = re.sub(pattern, f"{home}/{path}".replace("\\", r"\\"), changed)
    return changed if changed != text and terms.room(changed) else None


def _titled(text: str, terms: Terms) -> str | None:
    found = _real_headings(text)
    if terms.opening or text.lstrip().startswith("# "):
        return None
    title = f"# {TITLE}" if found else f"**{TITLE}**"
    changed = f"{title}\n\n{text}"
    return changed if terms.room(changed) else None


def _signed(text: str, terms: Terms) -> str | None:
    changed = f"{text.rstrip()}\n\n{SIGN_OFF}\n"
    return changed if not terms.opening and terms.room(changed) else None


def _days(text: str, terms: Terms) -> str | None:
    return None if terms.iso_dates else _outside_code(days_in_words)(text, terms)


PROSE: Sequence[tuple[str, Edit]] = (
    ("headings deeper", _shift(1)),
    ("headings higher", _shift(-1)),
    ("headings bold", _headings_as(lambda title: f"**{title}**")),
    ("headings plain", _headings_as(lambda title: title)),
    ("headings with a colon", _headings_as(lambda title: f"{title.rstrip(':')}:")),
    ("headings underlined", _below_matter(_underlined)),
    ("bullets *", _items("*")),
    ("bullets •", _items("•")),
    ("numbered 1)", _below_matter(_numbered)),
    ("typographic quotes", _outside_code(_typographic)),
    ("numbers regrouped", _outside_code(numbers_regrouped)),
    ("dates in words", _days),
    ("paths absolute", _paths),
    ("lines wrapped", _below_matter(_wrapped)),
    ("title added", _below_matter(_titled)),
    ("sign-off added", _signed),
)
