"""JSON, JSON Lines and YAML in other forms: key order, layout, types that are left open."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import yaml

from clawgym_bench.audit.forms_terms import Terms
from clawgym_bench.audit.forms_values import other_day, other_path
from clawgym_bench.checks.documents import load
from clawgym_bench.checks.limits import Refused

Edit = Callable[[Any, Terms], Any]
"""Gives back the changed value, or the same one where the form does not apply."""


def _walk(value: Any, scalar: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {name: _walk(inner, scalar) for name, inner in value.items()}
    if isinstance(value, list):
        return [_walk(inner, scalar) for inner in value]
    return scalar(value)


def _keys_reversed(value: Any, terms: Terms) -> Any:
    if isinstance(value, dict):
        return {name: _keys_reversed(value[name], terms) for name in reversed(value)}
    if isinstance(value, list):
        return [_keys_reversed(inner, terms) for inner in value]
    return value


def _rows_shuffled(value: Any, terms: Terms) -> Any:
    """Lists of records in another order; a list of plain values may be a sequence."""
    if terms.ordered:
        return value
    if isinstance(value, dict):
        return {name: _rows_shuffled(inner, terms) for name, inner in value.items()}
    if isinstance(value, list):
        inner = [_rows_shuffled(one, terms) for one in value]
        if len(inner) > 1 and all(isinstance(one, dict) for one in inner):
            return inner[::-1]
        return inner
    return value


def _numbers_as_text(value: Any, terms: Terms) -> Any:
    if terms.typed or not terms.listed:
        return value

    def scalar(one: Any) -> Any:
        return str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one

    return _walk(value, scalar)


def _with_decimals(value: Any, terms: Terms) -> Any:
    """Whole numbers as 12.0, where the contract rounds to decimals."""
    if not terms.decimals:
        return value

    def scalar(one: Any) -> Any:
        return float(one) if isinstance(one, int) and not isinstance(one, bool) else one

    return _walk(value, scalar)


def _days(value: Any, terms: Terms) -> Any:
    if terms.iso_dates:
        return value

    def scalar(one: Any) -> Any:
        return other_day(one, seconds=True) or one if isinstance(one, str) else one

    return _walk(value, scalar)


def _paths(value: Any, terms: Terms) -> Any:
    if terms.relative:
        return value
    return _walk(value, lambda one: other_path(one, terms) or one if isinstance(one, str) else one)


DATA: Sequence[tuple[str, Edit]] = (
    ("keys in another order", _keys_reversed),
    ("records in another order", _rows_shuffled),
    ("numbers as text", _numbers_as_text),
    ("numbers 12.0", _with_decimals),
    ("dates with a time", _days),
    ("paths absolute", _paths),
)

LAYOUTS: Sequence[tuple[str, dict[str, Any]]] = (
    ("layout compact", {"separators": (",", ":"), "ensure_ascii": False}),
    ("layout indented, ASCII", {"indent": 4, "ensure_ascii": True}),
)


def read_data(content: bytes, kind: str) -> tuple[bool, Any]:
    """Whether it can be read, and the value."""
    try:
        if kind == "json":
            return True, load(content, "json")
        if kind == "jsonl":
            return True, load(content, "jsonl")
        return True, load(content, "yaml")
    except Refused:
        return False, None


def write_data(value: Any, kind: str, **layout: Any) -> bytes:
    options = layout or {"indent": 2, "ensure_ascii": False}
    if kind == "json":
        return (json.dumps(value, **options) + "\n").encode()
    if kind == "jsonl":
        options = {name: given for name, given in options.items() if name != "indent"}
        return "".join(json.dumps(one, **options) + "\n" for one in value).encode()
    flow = "separators" in layout
    return yaml.safe_dump(
        value, sort_keys=False, allow_unicode=True, default_flow_style=flow or None
    ).encode()  # fmt: skip


def same(value: Any, other: Any) -> bool:
    """Whether two values are the same also in the order of their keys and in types."""
    return json.dumps(value, default=str) == json.dumps(other, default=str)
