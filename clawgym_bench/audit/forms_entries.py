"""Calendars and address books in other forms: folded lines, order of entries and properties."""

import re
from collections.abc import Callable, Sequence

from clawgym_bench.audit.forms_terms import Terms

Edit = Callable[[str, Terms], str | None]

FOLD = 60
"""Octets. The standards allow 75 and fewer."""
_LEAVES = {"VEVENT", "VTODO", "VJOURNAL", "VCARD"}


def _lines(text: str) -> list[str]:
    """Content lines, unfolded."""
    return re.sub(r"\r?\n[ \t]", "", text).splitlines()


def _folded(text: str, terms: Terms) -> str | None:
    out: list[str] = []
    for line in _lines(text):
        rest, first = line, True
        while rest:
            piece, room = "", FOLD if first else FOLD - 1
            for sign in rest:
                if len((piece + sign).encode()) > room:
                    break
                piece += sign
            out.append(piece if first else f" {piece}")
            rest, first = rest[len(piece) :], False
    changed = "\r\n".join(out) + "\r\n"
    return changed if changed != text else None


def _blocks(lines: Sequence[str]) -> tuple[list[str], list[list[str]], list[str]] | None:
    """What stands before the entries, the entries, and what stands behind them."""
    head: list[str] = []
    entries: list[list[str]] = []
    tail: list[str] = []
    inside = ""
    for line in lines:
        name = line.partition(":")[2].strip().upper()
        if not inside and line.upper().startswith("BEGIN:") and name in _LEAVES:
            inside = name
            entries.append([line])
        elif inside:
            entries[-1].append(line)
            if line.upper().startswith("END:") and name == inside:
                inside = ""
        elif entries:
            tail.append(line)
        else:
            head.append(line)
    # Anything between entries (a time zone) would move with the tail: leave such a file alone.
    return (head, entries, tail) if entries and not inside and len(tail) <= 1 else None


def _entries_reversed(text: str, terms: Terms) -> str | None:
    blocks = _blocks(_lines(text))
    if blocks is None or len(blocks[1]) < 2:
        return None
    head, entries, tail = blocks
    lines = [*head, *(line for entry in reversed(entries) for line in entry), *tail]
    return "\r\n".join(lines) + "\r\n"


def _properties_reversed(text: str, terms: Terms) -> str | None:
    blocks = _blocks(_lines(text))
    if blocks is None:
        return None
    head, entries, tail = blocks
    turned = []
    for entry in entries:
        inner = entry[1:-1]
        movable = not any(line.upper().startswith(("BEGIN:", "END:", "VERSION")) for line in inner)
        turned.append([entry[0], *(reversed(inner) if movable else inner), entry[-1]])
    changed = "\r\n".join([*head, *(line for one in turned for line in one), *tail]) + "\r\n"
    return changed if turned != entries else None


ENTRIES: Sequence[tuple[str, Edit]] = (
    ("lines folded", _folded),
    ("entries in another order", _entries_reversed),
    ("properties in another order", _properties_reversed),
)
