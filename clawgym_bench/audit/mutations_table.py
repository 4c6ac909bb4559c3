"""Errors in a table: a grid of cells with a header row, whatever file it came from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from clawgym_bench.audit.mutations import (
    DROPPED,
    DUPLICATED,
    FIELD,
    LABELS,
    NAME,
    ORDER,
    RENAMED,
    SWAPPED,
    Mutant,
    Rules,
    shown,
)
from clawgym_bench.audit.mutations_values import (
    foreign_value,
    is_name,
    is_number,
    other_name,
    wrong_values,
)
from clawgym_bench.checks.compare import equal
from clawgym_bench.checks.table_files import heading

ROWS = 40
"""Of a longer table that many rows, drawn by chance, are spoilt."""

Grid = list[list[object]]
Write = Callable[[Grid], bytes]


@dataclass(frozen=True)
class Sheet:
    """`header` is the index of the header row in `grid`; `lines` says that rows are lines."""

    grid: Grid
    write: Write
    header: int = 0
    name: str = ""
    lines: bool = True


def table_mutants(sheet: Sheet, rules: Rules, random: Random) -> list[Mutant]:
    """All candidates; the gate draws from them."""
    return list(_Table(sheet, rules, random).mutants())


class _Table:
    def __init__(self, sheet: Sheet, rules: Rules, random: Random) -> None:
        self.sheet, self.rules, self.random = sheet, rules, random
        self.names = [heading(str(cell or "")) for cell in sheet.grid[sheet.header]]
        body = range(sheet.header + 1, len(sheet.grid))
        self.rows = [row for row in body if any(_filled(cell) for cell in sheet.grid[row])]
        self.some = sorted(random.sample(self.rows, min(ROWS, len(self.rows))))
        self.columns = [
            at
            for at, name in enumerate(self.names)
            if name and (not rules.fields or name in rules.fields)
        ]

    def mutants(self) -> Iterator[Mutant]:
        yield from self._cells()
        yield from self._fields()
        yield from self._rows()
        yield from self._swapped()
        yield from self._labels()
        yield from self._renamed()
        if self.rules.order:
            yield from self._order()

    def cell(self, row: int, column: int) -> object:
        cells = self.sheet.grid[row]
        return cells[column] if column < len(cells) else None

    def _mutant(self, kind: str, row: int, before: str, after: str, new: Grid) -> Mutant:
        where = f"{self.sheet.name}: " if self.sheet.name else ""
        return Mutant(
            kind,
            "data",
            where + shown(before),
            shown(after),
            lambda: self.sheet.write(new),
            row + 1 if self.sheet.lines else None,
        )

    def _with(self, changes: dict[tuple[int, int], object]) -> Grid:
        grid = list(self.sheet.grid)
        for (row, column), value in changes.items():
            cells = list(grid[row])
            cells[column] = value
            grid[row] = cells
        return grid

    def _cells(self) -> Iterator[Mutant]:
        for column in self.columns:
            name = self.names[column]
            pool = [self.cell(row, column) for row in self.rows]
            for row in self.some:
                value = self.cell(row, column)
                if not _filled(value):
                    continue
                wrong = wrong_values(value, self.rules, name)
                if is_name(value):
                    other = other_name(value, pool, self.random.randrange(1 << 16))
                    wrong = [(NAME, other)] if other is not None else []
                for kind, new in wrong:
                    before, after = f"{name}: {value}", str(new)
                    grid = self._with({(row, column): new})
                    yield self._mutant(kind, row, before, after, grid)

    def _fields(self) -> Iterator[Mutant]:
        """All of a column wrong: in a wide table one that nothing looks at would not show."""
        for column in self.columns:
            name = self.names[column]
            filled = [row for row in self.rows if _filled(self.cell(row, column))]
            wrong = [foreign_value(self.cell(row, column), self.rules, name) for row in filled]
            if wrong and None not in wrong:
                changes = {(row, column): new for row, new in zip(filled, wrong, strict=True)}
                new = self._with(changes)
                yield self._mutant(FIELD, self.sheet.header, name, "wrong in every row", new)

    def _rows(self) -> Iterator[Mutant]:
        grid = self.sheet.grid
        for row in self.some:
            line = ", ".join(str(cell) for cell in grid[row] if _filled(cell))
            if len(self.rows) > 1:
                yield self._mutant(
                    DROPPED, row, line, "(no such row)", grid[:row] + grid[row + 1 :]
                )
            twice = grid[: row + 1] + grid[row:]
            yield self._mutant(DUPLICATED, row, line, "(the row twice)", twice)

    def _swapped(self) -> Iterator[Mutant]:
        """One column's values exchanged between two rows."""
        for column in self.columns:
            rows = [row for row in self.some if _short(self.cell(row, column))]
            self.random.shuffle(rows)
            for one, two in zip(rows[::2], rows[1::2], strict=False):
                a, b = self.cell(one, column), self.cell(two, column)
                if equal(a, b) or self._alike(one, two, column):
                    continue
                before = f"{self.names[column]}: {a} in row {one + 1}, {b} in row {two + 1}"
                new = self._with({(one, column): b, (two, column): a})
                yield self._mutant(SWAPPED, one, before, "exchanged", new)

    def _alike(self, one: int, two: int, but: int) -> bool:
        """Whether two rows differ in this column only: exchanged, they are the same table."""
        return all(
            equal(self.cell(one, column), self.cell(two, column))
            for column in self.columns
            if column != but
        )

    def _labels(self) -> Iterator[Mutant]:
        """Two numbers of one row exchanged between their columns."""
        for row in self.some:
            numbers = [column for column in self.columns if is_number(self.cell(row, column))]
            self.random.shuffle(numbers)
            for one, two in zip(numbers[::2], numbers[1::2], strict=False):
                a, b = self.cell(row, one), self.cell(row, two)
                if not equal(a, b):
                    before = f"{self.names[one]}: {a}, {self.names[two]}: {b}"
                    new = self._with({(row, one): b, (row, two): a})
                    yield self._mutant(LABELS, row, before, "exchanged", new)

    def _renamed(self) -> Iterator[Mutant]:
        header = self.sheet.header
        for column in self.columns:
            name = str(self.cell(header, column))
            new = self._with({(header, column): f"{name} x"})
            yield self._mutant(RENAMED, header, name, f"{name} x", new)

    def _order(self) -> Iterator[Mutant]:
        """Two rows in a row exchanged that differ in what the rows are ordered by."""
        asked = f" {heading(self.rules.order)} "
        keys = [column for column, name in enumerate(self.names) if name and f" {name} " in asked]
        if not keys:
            keys = self.columns[:1]
        grid = self.sheet.grid
        for one, two in zip(self.rows, self.rows[1:], strict=False):
            differ = [
                column
                for column in keys
                if not equal(self.cell(one, column), self.cell(two, column))
            ]
            if differ and one in self.some:
                a, b = self.cell(one, differ[0]), self.cell(two, differ[0])
                new = [*grid]
                new[one], new[two] = grid[two], grid[one]
                yield self._mutant(ORDER, one, f"{a} before {b}", f"{b} before {a}", new)


def _filled(cell: object) -> bool:
    return cell is not None and str(cell).strip() != ""


def _short(cell: object) -> bool:
    return _filled(cell) and (not isinstance(cell, str) or is_name(cell) or bool(_kinds(cell)))


def _kinds(cell: object) -> Sequence[object]:
    return wrong_values(cell, Rules())
