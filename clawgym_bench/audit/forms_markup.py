"""HTML and XML in other forms, by careful edits of their text."""

import re
from collections.abc import Callable, Sequence

from clawgym_bench.audit.forms_prose import SIGN_OFF
from clawgym_bench.audit.forms_terms import Terms

Edit = Callable[[str, Terms], str | None]

_HEADING = re.compile(r"(</?h)([1-6])(?=[\s>])", re.I)
_TAG = re.compile(r"(</?)([a-z][a-z0-9]*)(?=[\s/>])")
_BODY_END = re.compile(r"</body\s*>", re.I)
_OPAQUE = re.compile(r"<(?:script|style|svg|math|pre|textarea)\b|<!\[CDATA\[", re.I)
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>\s*")


def _headings_deeper(text: str, terms: Terms) -> str | None:
    levels = [int(match[2]) for match in _HEADING.finditer(text)]
    if not levels or max(levels) > 5:
        return None
    return _HEADING.sub(lambda match: f"{match[1]}{int(match[2]) + 1}", text)


def _tags_upper(text: str, terms: Terms) -> str | None:
    if _OPAQUE.search(text) or "xmlns" in text or text.lstrip().startswith("<?xml"):
        return None
    return _TAG.sub(lambda match: match[1] + match[2].upper(), text)


def _entities(text: str, terms: Terms) -> str | None:
    if _OPAQUE.search(text) or text.isascii():
        return None
    return text.encode("ascii", errors="xmlcharrefreplace").decode()


def _signed(text: str, terms: Terms) -> str | None:
    match = _BODY_END.search(text)
    if match is None or terms.opening:
        return None
    changed = f"{text[: match.start()]}<p>{SIGN_OFF}</p>\n{text[match.start() :]}"
    return changed if terms.room(changed) else None


def _declaration(text: str, terms: Terms) -> str | None:
    if "encoding" in text[:100] and "utf-8" not in text[:100].lower():
        return None
    if _DECLARATION.match(text):
        return _DECLARATION.sub("", text, count=1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


HTML: Sequence[tuple[str, Edit]] = (
    ("headings deeper", _headings_deeper),
    ("tags in capitals", _tags_upper),
    ("characters as references", _entities),
    ("sign-off added", _signed),
)
XML: Sequence[tuple[str, Edit]] = (
    ("declaration added or dropped", _declaration),
    ("characters as references", _entities),
)
