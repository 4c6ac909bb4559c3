"""Rule of *lint* on names: keys, columns, headings and phrases that checks need are asked for.

A name that stands in an input and not in the request is a note (the request sends the agent
there, or it is data); one that stands nowhere is an error, because no agent can know it. Numbers
and dates are answers, not names; so is a phrase that is made of words of the inputs.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_checks import looks_at_tables
from clawgym_bench.audit.lint_reading import Looked, Reading, folded, holds
from clawgym_bench.checks.compare import as_date, as_number
from clawgym_bench.checks.data import DataCheck
from clawgym_bench.checks.documents import format_of, load
from clawgym_bench.checks.files import FilesCheck
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.table_files import heading
from clawgym_bench.checks.wording import normal
from clawgym_bench.errors import TaskFault
from clawgym_bench.grading import untouched_evidence

NAMES = 2_000
SHOWN = 6
_WORD = re.compile(r"[^\W_]+")


@dataclass
class _Found:
    """Names of a check by where they stand."""

    inputs: list[str]
    nowhere: list[str]
    loose: list[str]


def names(reading: Reading) -> Iterator[Finding]:
    found: dict[str, _Found] = {}
    for one in reading.bodies:
        where = found.setdefault(one.check, _Found([], [], []))
        for name, others in list(needed(reading, one))[:NAMES]:
            _place(reading, one, name, others, where)
    for check, where in found.items():
        if where.nowhere:
            yield Finding(
                "error",
                f"check {check} needs {_few(where.nowhere)}, which nobody tells the agent",
                "name it in the request or the contract",
                file="task.yaml",
            )
        if where.loose:
            yield Finding(
                "warning",
                f"check {check} looks for {_few(where.loose)}, words that nobody asked for",
                "ask for the word, or check a value instead",
                file="task.yaml",
            )
        if where.inputs:
            evidence = f"check {check} needs {_few(where.inputs)}, which only inputs say"
            yield Finding("note", evidence, file="task.yaml")


def needed(reading: Reading, one: Looked) -> Iterator[tuple[str, Sequence[str]]]:
    """Names that a body needs, each with the alternatives that would do as well."""
    lists = list(_lists(one.body.model_dump(mode="json")))
    for literal in one.body.literals():
        yield literal, next((group for group in lists if group[0] == literal), [literal])
    evidence = untouched_evidence(reading.task)
    for table in looks_at_tables(one.body):
        if table.equals is not None:
            try:
                yield from ((name, [name]) for name in table.wanted_columns(evidence))
            except (TaskFault, KeyError):
                continue
    if isinstance(one.body, DataCheck) and one.body.equals is not None:
        yield from ((name, [name]) for name in _expected_keys(reading, one.body.equals))


def _expected_keys(reading: Reading, path: str) -> list[str]:
    file, format = reading.task.files.get(path), format_of(path)
    if file is None or format is None:
        return []
    try:
        return list(dict.fromkeys(_keys(load(file.content, format))))
    except Refused:
        return []


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _lists(value: Any) -> Iterator[list[str]]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _lists(inner)
    elif isinstance(value, list):
        if len(value) > 1 and all(isinstance(one, str) for one in value):
            yield value
        for inner in value:
            yield from _lists(inner)


def _place(reading: Reading, one: Looked, name: str, others: Sequence[str], where: _Found) -> None:
    if _is_value(name) or any(_asked(reading, other) for other in others):
        return
    if one.case is not None and (
        isinstance(one.body, FilesCheck) or any(holds(reading.kept, other) for other in others)
    ):
        return
    if any(holds(reading.given, other) for other in others):
        where.inputs.append(name)
    elif len(others) > 2:
        where.loose.append(name)
    elif _composed(reading, name, kept=one.case is not None):
        where.inputs.append(name)
    else:
        where.nowhere.append(name)


def _is_value(name: str) -> bool:
    return as_number(name) is not None or as_date(name) is not None or not _WORD.search(name)


def _asked(reading: Reading, name: str) -> bool:
    return (
        holds(reading.asked, name)
        or holds(reading.normal, normal(name))
        or holds(reading.headings, heading(name))
    )


def _composed(reading: Reading, name: str, *, kept: bool) -> bool:
    """Whether a phrase of several words is made of words of the request and the inputs, with
    `kept` also of those inputs that a command check brings along."""
    words = _WORD.findall(folded(name))
    return len(words) > 1 and all(
        word.isdigit()
        or holds(reading.asked, word)
        or holds(reading.given, word)
        or (kept and holds(reading.kept, word))
        for word in words
    )


def _few(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    shown = ", ".join(repr(name[:60]) for name in unique[:SHOWN])
    return f"{shown} and {len(unique) - SHOWN} more" if len(unique) > SHOWN else shown
