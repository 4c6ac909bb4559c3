"""What changed in a workspace, as a page can show it: added, changed and removed files.

Text is compared line by line, tables row by row. All of it is the agent's data: every size is
bounded, and nothing but text comes out.
"""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.readable import readable_text
from clawgym_bench.checks.table_files import format_of, read_table

FILES = 60
LINES = 240
LINE_LENGTH = 400
ROWS = 120
COLUMNS = 24
CELL_LENGTH = 80
COMPARED_BYTES = 512 * 2**10
TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm")

Mark = Literal[" ", "+", "-", "@"]


@dataclass(frozen=True)
class FileChange:
    """One file. `lines` are marked `+`, `-`, ` `, or `@` for what is left out between them;
    `rows` the same with cells, for tables. `note` says why neither is there, or what was cut."""

    path: str
    change: Literal["added", "changed", "removed"]
    size: int = 0
    lines: Sequence[tuple[Mark, str]] = ()
    rows: Sequence[tuple[Mark, Sequence[str]]] = ()
    note: str = ""

    def plain(self) -> dict[str, Any]:
        data: dict[str, Any] = {"path": self.path, "change": self.change, "size": self.size}
        if self.rows:
            data["rows"] = [[mark, *cells] for mark, cells in self.rows]
        if self.lines:
            data["lines"] = [[mark, text] for mark, text in self.lines]
        if self.note:
            data["note"] = self.note
        return data


@dataclass(frozen=True)
class WorkspaceDiff:
    """All changes in the order of their paths; `left_out` counts those over the limit."""

    changes: Sequence[FileChange] = field(default=())
    left_out: int = 0


def workspace_diff(
    given: Mapping[str, bytes] | None, now: Mapping[str, bytes], removed: Sequence[str]
) -> WorkspaceDiff:
    """`given`: the inputs by path, or None when the task is not at hand; `now`: the files that
    differ from them."""
    known = given or {}
    paths = sorted({*now, *removed})
    changes = []
    for path in paths[:FILES]:
        if path not in now:
            size = len(known.get(path, b""))
            changes.append(FileChange(path, "removed", size))
        elif path in known:
            changes.append(_compared(path, known[path], now[path]))
        else:
            note = "" if given is not None else "the task is not at hand: shown as it is now"
            changes.append(_compared(path, b"", now[path], note))
    return WorkspaceDiff(changes, max(0, len(paths) - FILES))


def _compared(path: str, old: bytes, new: bytes, note: str = "") -> FileChange:
    change: Literal["added", "changed"] = "changed" if old else "added"
    size = len(new)
    if size > COMPARED_BYTES or len(old) > COMPARED_BYTES:
        return FileChange(path, change, size, note=f"{size:,} bytes: too large to be shown")
    if path.lower().endswith(TABLES):
        try:
            rows, cut = _rows(_grid(path, old), _grid(path, new))
            return FileChange(path, change, size, rows=rows, note=cut or note)
        except Refused:
            pass  # a table in name only: shown as text
    lines, cut = _lines(_text(path, old), _text(path, new))
    return FileChange(path, change, size, lines=lines, note=cut or note)


def _text(path: str, content: bytes) -> list[str]:
    if not content:
        return []
    return [line[:LINE_LENGTH] for line in readable_text(path, content).splitlines()]


def _grid(path: str, content: bytes) -> list[tuple[str, ...]]:
    if not content:
        return []
    kind = format_of(path)
    assert kind is not None
    table = read_table(content, kind)
    if len(table.rows) > 20_000:
        raise Refused("it has too many rows to be compared")
    cells: list[Sequence[object]] = [table.columns, *table.rows]
    return [
        tuple("" if cell is None else str(cell)[:CELL_LENGTH] for cell in row[:COLUMNS])
        for row in cells
    ]


def _lines(old: list[str], new: list[str]) -> tuple[list[tuple[Mark, str]], str]:
    marked: list[tuple[Mark, str]] = []
    for mark, part in _steps(old, new):
        marked += [(mark, line) for line in part]
        if len(marked) > LINES:
            return marked[:LINES], f"only the first {LINES} lines are shown"
    return marked, ""


def _rows(
    old: list[tuple[str, ...]], new: list[tuple[str, ...]]
) -> tuple[list[tuple[Mark, Sequence[str]]], str]:
    marked: list[tuple[Mark, Sequence[str]]] = []
    for mark, part in _steps(old, new):
        marked += [(mark, row if isinstance(row, tuple) else ()) for row in part]
        if len(marked) > ROWS:
            return marked[:ROWS], f"only the first {ROWS} rows are shown"
    return marked, ""


def _steps(old: Sequence[Any], new: Sequence[Any], context: int = 2) -> Any:
    """Runs of equal, removed and added items, with `context` items around each change."""
    if not old:
        yield "+", new
        return
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) > 2_000)
    for number, group in enumerate(matcher.get_grouped_opcodes(context)):
        if number:
            yield "@", old[:1]
        for kind, a, b, c, d in group:
            if kind == "equal":
                yield " ", old[a:b]
                continue
            yield "-", old[a:b]
            yield "+", new[c:d]
