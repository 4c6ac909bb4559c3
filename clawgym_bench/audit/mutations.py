"""Seeded errors: what a mutant is, and which module makes those of which file format.

    mutations_values    one number, date or name made wrong
    mutations_table     csv, tsv, xlsx sheets: cells, rows, headings, order
    mutations_database  sqlite: the same in each of its tables
    mutations_archive   zip and tar: members, and the same inside them
    mutations_tree      json, jsonl, yaml, toml: leaves, list elements, keys
    mutations_blocks    ics and vcf: properties, entries
    mutations_prose     text, Markdown, HTML, docx, mail, messages: facts, sentences
    mutations_program   Python and shell: constants, operators
    mutations_subjects  which files of the reference are mutated, and by what rules
    mutations_detect    whether a mutant costs points

Groups: `data` and `fact` are gated; `prose` only where a judge reads it; `program` and `edited`
(files that the reference changed although the contract does not list them) are reported.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

Group = Literal["data", "fact", "prose", "program", "edited"]

DIGIT, SIGN, SCALE = "number digit", "number sign", "number scale"
DATE, NAME = "date shifted", "name exchanged"
DROPPED, DUPLICATED, SWAPPED = "row dropped", "row duplicated", "values swapped"
RENAMED, ORDER, LABELS = "field renamed", "order broken", "labels exchanged"
FIELD = "column wrong"
"""Every value of a column, or of a key wherever it stands."""
FACT = {
    DIGIT: "fact digit", SIGN: "fact sign", SCALE: "fact scale",
    DATE: "fact date", NAME: "fact name", LABELS: "facts exchanged",
}  # fmt: skip
NEGATED, ADDED, SHUFFLED = "sentence negated", "paragraph added", "words shuffled"
PROGRAM = "program changed"


@dataclass(frozen=True)
class Mutant:
    """One seeded error. `make` gives the whole file with it; `line` counts from 1."""

    kind: str
    group: Group
    before: str
    after: str
    make: Callable[[], bytes]
    line: int | None = None


@dataclass(frozen=True)
class Rules:
    """What is asked of a file beyond its values.

    `fields`: the columns or keys that the contract asks for (normalised; empty: all). `order`:
    what the rows are ordered by ("" when no order is asked). `decimals`, `tolerances`: by
    normalised field name, or "" for all numbers; `facts`: values that checks round. `others`:
    the same text in other right answers; only a fact that stands in all of them is asked for.
    """

    fields: frozenset[str] = frozenset()
    order: str = ""
    decimals: Mapping[str, int] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    facts: Sequence[tuple[object, int]] = ()
    others: Sequence[str] = ()

    def places(self, name: str) -> int | None:
        return self.decimals.get(name, self.decimals.get(""))

    def tolerance(self, name: str) -> float:
        return self.tolerances.get(name, self.tolerances.get("", 0.0))


@dataclass(frozen=True)
class Mutations:
    """`same` writes the file anew without an error: it must lose nothing."""

    mutants: Sequence[Mutant]
    same: Callable[[], bytes] | None = None


Maker = Callable[[bytes, Rules, Random], Mutations]
"""Raises `Refused` or `ValueError` for a file that it cannot read."""


ALIASES = {
    "md": "markdown", "txt": "text", "log": "text", "htm": "html", "yml": "yaml", "ndjson": "jsonl",
    "py": "python", "sh": "shell", "bash": "shell", "tab": "tsv", "script": "python",
    "tgz": "tar", "tbz": "tar", "tbz2": "tar", "txz": "tar", "tar.gz": "tar", "gz": "tar",
}  # fmt: skip


def format_of(path: str, declared: str = "") -> str:
    """The name of a format: the declared one, else by the suffix."""
    last = path.rsplit("/", 1)[-1].lower()
    _, dot, suffix = last.rpartition(".")
    name = declared or ("tar" if ".tar." in last else suffix if dot else "")
    return ALIASES.get(name, name)


def shown(value: object, length: int = 60) -> str:
    """A value in a finding, on one line."""
    text = " ".join(str(value).split())
    return text if len(text) <= length else text[: length - 1] + "…"
