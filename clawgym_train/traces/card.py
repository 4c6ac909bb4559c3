"""The data card: card.json for programs, README.md for people."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

ROWS = (
    ("rounds", "rounds (turns of the model)"),
    ("tokens", "tokens"),
    ("tool_calls", "tool calls"),
    ("tool_types", "types of tools"),
    ("sessions", "sessions"),
    ("score", "score"),
)


def write_card(card: dict[str, Any], folder: Path) -> None:
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    (folder / "card.json").write_text(text, encoding="utf-8")
    source = resources.files("clawgym_train.traces").joinpath("card.md.j2").read_text("utf-8")
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    page = template.from_string(source).render(
        **{**card, "paper": {name: card["paper"].get(name) for name in _paper_names(card)}},
        rows=[row for row in ROWS if card["statistics"]["per_trace"][row[0]]],
        number=number,
        cell=cell,
    )
    (folder / "README.md").write_text(page, encoding="utf-8")


def _paper_names(card: dict[str, Any]) -> list[str]:
    return [*card["paper"], *(name for name, _ in ROWS)]


def number(value: float | None) -> str:
    """A figure in a table; "—" where the paper has none."""
    if value is None:
        return "—"
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}".rstrip("0").rstrip(".")


def cell(text: str) -> str:
    """Names come from logs: in a table they are one plain line."""
    plain = " ".join(str(text).split())[:120]
    return "".join(f"\\{sign}" if sign in "\\|<>[]`*_" else sign for sign in plain)
