"""Helpers that reference programs call, by name: source text, put in front when needed.

They use the standard library only, except where a format needs one of the libraries that the
sandbox has. Add a helper by registering its text; a helper may name others that it calls.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Helper:
    """Imports it needs, helpers it calls, its source."""

    source: str
    imports: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


HELPERS: dict[str, Helper] = {}


def helper(name: str, source: str, imports: Iterable[str] = (), calls: Iterable[str] = ()) -> None:
    if name in HELPERS:
        raise ValueError(f"two helpers are called {name!r}")
    HELPERS[name] = Helper(dedent(source).strip("\n"), tuple(imports), tuple(calls))


def program(blocks: Iterable[str], needs: Iterable[str]) -> str:
    """The reference program: imports, the helpers that are called, the blocks in order."""
    wanted: dict[str, None] = {}

    def want(name: str) -> None:
        if name not in wanted:
            for other in HELPERS[name].calls:
                want(other)
            wanted[name] = None

    for name in needs:
        want(name)
    imports = sorted({line for name in wanted for line in HELPERS[name].imports})
    parts = ["\n".join(imports)] if imports else []
    parts += [HELPERS[name].source for name in wanted if HELPERS[name].source]
    parts += ["\n".join(blocks)]
    return "\n\n\n".join(parts) + "\n"


helper("path", "", ["from pathlib import Path"])
helper("decimal", "", ["from decimal import Decimal"])
helper("date", "", ["from datetime import date, datetime, timedelta"])
helper("json", "", ["import json"])
helper("csv", "", ["import csv"])
helper("re", "", ["import re"])
helper(
    "rounded",
    """
    def rounded(value, places):
        return Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    """,
    ["from decimal import ROUND_HALF_UP, Decimal"],
)
helper(
    "plain",
    """
    def plain(value, places=0):
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Decimal):
            return str(rounded(value, places))
        if isinstance(value, datetime):
            return value.strftime("%Y-%m-%d %H:%M")
        return str(value)
    """,
    ["from datetime import datetime", "from decimal import Decimal"],
    ["rounded"],
)
helper(
    "folder",
    """
    def folder(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return path
    """,
    ["from pathlib import Path"],
)
helper(
    "typed",
    """
    def typed(text, kind):
        text = text.strip()
        if not text:
            return None
        if kind == "amount":
            return Decimal(text)
        if kind == "count":
            return int(text)
        if kind == "date":
            return date.fromisoformat(text)
        if kind == "time":
            return datetime.fromisoformat(text)
        if kind == "flag":
            return text.lower() == "yes"
        return text
    """,
    ["from datetime import date, datetime", "from decimal import Decimal"],
)
helper(
    "write_lines",
    """
    def write_lines(path, lines):
        Path(folder(path)).write_text("\\n".join(lines) + "\\n", encoding="utf-8")
    """,
    ["from pathlib import Path"],
    ["folder"],
)
helper("counter", "", ["from collections import Counter"])
