"""Tables: csv, tsv, json and jsonl records, xlsx sheets; columns by name, rows by key or content.

Tolerant: the delimiter, a byte order mark, upper case and `_-` in headings, further columns, blank
rows, every way of writing a number or a date (`compare.equal`). Strict: each cell of each expected
row, rows that do not belong, the order where one was asked for.

Partial credit is by row, and a row that does not belong costs as much as a missing one; more
surplus rows than expected ones, and nothing counts: to copy the input is not to filter it.
"""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from clawgym_bench.checks.base import (
    CheckBody,
    Evidence,
    Finding,
    StrictModel,
    file_content,
    hidden_content,
)
from clawgym_bench.checks.documents import Expression
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.order import first_disorder
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.rows import COMPARED_CELLS, AnyOf, Comparer, written
from clawgym_bench.checks.table_files import (
    Format,
    Table,
    blank,
    format_of,
    from_grid,
    heading,
    read_table,
)
from clawgym_bench.checks.text import Range
from clawgym_bench.errors import TaskFault

__all__ = ["Scalar", "Table", "TableAssertions", "TableCheck", "from_grid", "heading"]


def _scalar(value: Any) -> Any:
    """Dates as ISO text, so that a task is the same after a trip through JSON."""
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, list):
        return [_scalar(one) for one in value]
    return value


Scalar = Annotated[str | int | float | bool | None, BeforeValidator(_scalar)]
Cell = Annotated[Scalar | list[Scalar], BeforeValidator(_scalar)]
Columns = Annotated[list[str], Field(min_length=1)]


class TableAssertions(StrictModel):
    """What a table must hold. Columns go by name; only the expected ones are compared.

    `equals` is a hidden file, `rows` the same inline (a list as a cell is any of its values).
    Rows are paired by `key`, else by content. `subset` allows others, `ordered` asks for the
    order of the expected rows, `sorted_by` for an order by columns (`-name` descends).
    """

    columns: list[str] = Field(default_factory=list)
    exact_columns: bool = False
    column_order: bool = False
    equals: str | None = None
    rows: list[dict[str, Cell]] | None = None
    key: str | Columns | None = None
    ordered: bool = False
    sorted_by: list[str] = Field(default_factory=list)
    subset: bool = False
    lacks_rows: list[dict[str, Cell]] = Field(default_factory=list)
    row_count: Annotated[int, Field(ge=0)] | Range | None = None
    decimals: Annotated[int, Field(ge=0, le=12)] | dict[str, int] | None = None
    tolerance: Annotated[float, Field(gt=0)] | dict[str, float] | None = None
    exact: bool | Columns = False

    @field_validator("lacks_rows")
    @classmethod
    def _patterns(cls, rows: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
        if not all(rows):
            raise ValueError("an empty pattern forbids every row: name a column and its value")
        return rows

    @model_validator(mode="after")
    def _sensible_table(self) -> Self:
        self._require_assertion()
        if self.equals is not None and self.rows is not None:
            raise ValueError("give either equals or rows")
        if self.equals is not None and format_of(self.equals) in (None, "xlsx"):
            raise ValueError(f"equals: {self.equals!r} is not csv, tsv, json or jsonl")
        expected = self.equals is not None or self.rows is not None
        for name in ("key", "ordered", "subset", "decimals", "tolerance", "exact"):
            if getattr(self, name) and not expected:
                raise ValueError(f"{name} says how expected rows are compared: add equals or rows")
        if self.ordered and self.sorted_by:
            raise ValueError("give either ordered (as the expected rows) or sorted_by")
        if self.subset and self.ordered and self.key is None:
            raise ValueError("ordered with subset needs a key")
        if (self.exact_columns or self.column_order) and not (self.columns or expected):
            raise ValueError("exact_columns and column_order need columns, equals or rows")
        if self.rows:
            self._check_rows(self.rows)
        return self

    def _require_assertion(self) -> None:
        asserted = (
            self.columns or self.equals or self.sorted_by or self.lacks_rows
            or self.rows is not None or self.row_count is not None
        )  # fmt: skip
        if not asserted:
            raise ValueError(
                "nothing is asserted: give columns, equals, rows, row_count, lacks_rows, ..."
            )

    def _check_rows(self, rows: list[dict[str, Cell]]) -> None:
        names = rows[0].keys()
        for number, row in enumerate(rows, start=1):
            if row.keys() != names or not row:
                raise ValueError(f"rows: row {number} has other columns than row 1")
        known = {heading(name) for name in names}
        if len(known) < len(names):
            raise ValueError("rows: two columns have the same name")
        for name in self._keys():
            if heading(name) not in known:
                raise ValueError(f"key: {name!r} is not a column of rows")
        for field in (self.decimals, self.tolerance, self.exact):
            for name in field if isinstance(field, dict | list) else ():
                if heading(name) not in known:
                    raise ValueError(f"{name!r} is not a column of rows")
        if self.exact_columns and self.columns and not known <= set(map(heading, self.columns)):
            raise ValueError("exact_columns: rows has columns that `columns` does not list")
        if isinstance(self.row_count, int) and (
            self.row_count < len(rows) or (self.row_count > len(rows) and not self.subset)
        ):
            raise ValueError(f"row_count is {self.row_count}, but rows has {len(rows)}")
        if self._keys():
            seen = Counter(
                tuple(str(written(row[name])) for name in names if heading(name) in self._key_set())
                for row in rows
            )
            twice = [key for key, count in seen.items() if count > 1]
            if twice:
                raise ValueError(f"rows: two rows have the key {twice[0]}")

    def _keys(self) -> list[str]:
        return [self.key] if isinstance(self.key, str) else list(self.key or [])

    def _key_set(self) -> set[str]:
        return {heading(name) for name in self._keys()}

    def affirms(self) -> bool:
        """Rows affirm, and a number of rows; columns, order and absence alone do not."""
        if self.equals is not None or self.rows:
            return True
        if isinstance(self.row_count, int):
            return self.row_count > 0
        return self.row_count is not None and (self.row_count.min or 0) > 1

    def hidden_files(self) -> frozenset[str]:
        return frozenset({self.equals} if self.equals else ())

    def literals(self) -> Sequence[str]:
        names = [*self.columns, *self._keys(), *(name.lstrip("-") for name in self.sorted_by)]
        names += [name for row in self.rows or [] for name in row]
        return list(dict.fromkeys(names))

    def wanted_columns(self, evidence: Evidence) -> list[str]:
        """All columns that must be there, each once."""
        expected = self._expected(evidence)
        names = [*self.columns, *(expected.columns if expected else ()), *self._keys()]
        names += [name.removeprefix("-") for name in self.sorted_by]
        names += [name for row in self.lacks_rows for name in row]
        first: dict[str, str] = {}
        for name in names:
            first.setdefault(heading(name), name)
        return list(first.values())

    def _expected(self, evidence: Evidence) -> Table | None:
        if self.rows is not None:
            columns = list(self.rows[0]) if self.rows else []
            rows: list[list[object]] = [
                [AnyOf(tuple(row[c])) if isinstance(row[c], list) else row[c] for c in columns]  # type: ignore[arg-type]
                for row in self.rows
            ]
            return Table(columns, rows)
        if self.equals is None:
            return None
        format = format_of(self.equals)
        assert format is not None
        try:
            return read_table(hidden_content(evidence, self.equals), format)
        except Refused as refused:
            raise TaskFault(f"the hidden file {self.equals} is no table: {refused}") from None

    def findings(self, table: Table, where: str, evidence: Evidence) -> list[Finding]:
        """What is right and wrong with `table`; `where` names it in the reasons."""
        wanted = self.wanted_columns(evidence)
        columns = [heading(name) for name in table.columns]
        structure = self._structure(columns, table, wanted, where)
        if not all(one.ok for one in structure):
            return structure
        at = {name: columns.index(name) for name in map(heading, wanted)}
        findings = [*structure]
        if table.faults:
            more = f" (and {len(table.faults) - 1} more)" if len(table.faults) > 1 else ""
            findings.append(finding(False, f"{where}: {table.faults[0]}{more}"))
        expected = self._expected(evidence)
        if expected is not None:
            findings += self._compare(table, expected, at, where, evidence.workspace)
        if self.row_count is not None:
            findings.append(self._counted(len(table.rows), where, earns=not self._has_rows()))
        if self.sorted_by:
            findings += self._sorted(table, at, where)
        findings += self._absent(table, at, where)
        return findings

    def _has_rows(self) -> bool:
        return self.equals is not None or bool(self.rows)

    def _structure(
        self, columns: list[str], table: Table, wanted: list[str], where: str
    ) -> list[Finding]:
        def required(ok: bool, reason: str) -> Finding:
            return finding(ok, f"{where}: {reason}", required=True)

        known = Counter(columns)
        missing = [name for name in wanted if heading(name) not in known]
        if missing:
            found = ", ".join(table.columns)
            return [required(False, f"no column {_few(missing)}; it has {found}")]
        twice = [name for name in wanted if known[heading(name)] > 1]
        if twice:
            return [required(False, f"two columns are called {twice[0]}")]
        findings = [required(True, f"it has the columns {_few(wanted)}")] if wanted else []
        asked = [heading(name) for name in self.columns or wanted]
        if self.exact_columns:
            more = [n for n, key in zip(table.columns, columns, strict=True) if key not in asked]
            if more:
                findings.append(required(False, f"it has other columns too: {_few(more)}"))
        if self.column_order and [name for name in columns if name in asked] != asked:
            order = ", ".join(self.columns or wanted)
            findings.append(required(False, f"columns in the order {order} wanted"))
        return findings

    def _comparer(self, expected: Table, workspace: str) -> Comparer:
        names = [heading(name) for name in expected.columns]
        for field in (self.decimals, self.tolerance, self.exact):
            for name in field if isinstance(field, dict | list) else ():
                if heading(name) not in names:
                    raise TaskFault(f"{name!r} is not a column of {self.equals}")

        def places(value: Any) -> list[Any]:
            if not isinstance(value, dict):
                return [value] * len(names)
            by_name = {heading(name): one for name, one in value.items()}
            return [by_name.get(name) for name in names]

        if isinstance(self.exact, list):
            chosen = {heading(name) for name in self.exact}
            exact = [name in chosen for name in names]
        else:
            exact = [self.exact] * len(names)
        return Comparer(places(self.decimals), places(self.tolerance), exact, workspace)

    def _compare(
        self, table: Table, expected: Table, at: Mapping[str, int], where: str, workspace: str
    ) -> list[Finding]:
        surplus = len(table.rows) - len(expected.rows)
        if not self.subset and surplus > len(expected.rows):
            reason = f"{where}: {len(expected.rows)} rows wanted, found {len(table.rows)}"
            return [finding(False, reason, required=bool(expected.rows))]
        if len(table.rows) * len(expected.columns) > COMPARED_CELLS:
            reason = f"{where}: {len(table.rows)} rows are more than can be compared"
            return [finding(False, reason, required=True)]
        places = [at[heading(name)] for name in expected.columns]
        found = {n: [row[c] for c in places] for n, row in enumerate(table.rows)}
        wanted: dict[int, list[object]] = dict(enumerate(expected.rows))
        comparer = self._comparer(expected, workspace)
        every = range(len(places))
        right = comparer.pairs(found, wanted, every)
        used = set(right.values())
        left_found = {n: row for n, row in found.items() if n not in used}
        left_wanted = {n: row for n, row in wanted.items() if n not in right}
        keys = [n for n in every if heading(expected.columns[n]) in self._key_set()]
        if keys:
            self._check_key(expected, keys)
        wrong = comparer.pairs(left_found, left_wanted, keys) if keys else {}
        label = _Labels(expected.columns, keys)
        findings = []
        hints = 20
        for number, row in wanted.items():
            name = label.of(row)
            if number in right:
                findings.append(finding(True, f"{where}: {name} is right"))
            elif number in wrong:
                said = label.difference(comparer, found[wrong[number]], row)
                findings.append(finding(False, f"{where}: {name}: {said}"))
            elif keys or not left_found or hints <= 0:
                findings.append(finding(False, f"{where}: no row {name}"))
            else:
                hints -= 1
                near = label.nearest(comparer, left_found, row)
                findings.append(finding(False, f"{where}: no row {name}{near}"))
        if not self.subset:
            findings += self._surplus(found, {**right, **wrong}, len(wanted), keys, label, where)
        elif keys:
            findings += self._twice(found, {**right, **wrong}, comparer, keys, wanted, label, where)
        if self.ordered and len(wanted) > 1:
            findings.append(_in_order([right[n] for n in wanted if n in right], len(wanted), where))
        return findings

    def _check_key(self, expected: Table, keys: Sequence[int]) -> None:
        seen = Counter(tuple(str(written(row[c])) for c in keys) for row in expected.rows)
        twice = [key for key, count in seen.items() if count > 1]
        if twice:
            raise TaskFault(f"the key {self.key} is not unique in the expected rows: {twice[0]}")

    def _surplus(
        self,
        found: Mapping[int, Sequence[object]],
        paired: Mapping[int, int],
        wanted: int,
        keys: Sequence[int],
        label: "_Labels",
        where: str,
    ) -> list[Finding]:
        """One finding per row that does not belong.

        Without a key an unpaired row may be a wrong form of a missing one, which has its finding.
        """
        used = set(paired.values())
        others = [row for n, row in found.items() if n not in used]
        if not keys:
            others = others[: max(0, len(found) - wanted)]
        known = {label.of(found[n]) for n in used} if keys else set()
        findings = []
        for row in others:
            name = label.of(row)
            what = "appears again" if name in known else "does not belong there"
            findings.append(finding(False, f"{where}: row {name} {what}"))
        return findings

    def _twice(
        self,
        found: Mapping[int, Sequence[object]],
        paired: Mapping[int, int],
        comparer: Comparer,
        keys: Sequence[int],
        wanted: Mapping[int, Sequence[object]],
        label: "_Labels",
        where: str,
    ) -> list[Finding]:
        used = set(paired.values())
        others = {n: row for n, row in found.items() if n not in used}
        again = comparer.pairs(others, wanted, keys)
        return [
            finding(False, f"{where}: {label.of(wanted[n])} appears more than once") for n in again
        ]

    def _counted(self, count: int, where: str, *, earns: bool) -> Finding:
        wanted = self.row_count
        ok = wanted.holds(count) if isinstance(wanted, Range) else count == wanted
        return finding(
            ok, f"{where}: {wanted} rows wanted, found {count}", required=ok and not earns
        )

    def _sorted(self, table: Table, at: Mapping[str, int], where: str) -> list[Finding]:
        """A wrong order costs; a right one earns nothing, as any two rows are in some order."""
        if len(table.rows) * len(self.sorted_by) > COMPARED_CELLS:
            return [finding(False, f"{where}: too many rows to see their order", required=True)]
        columns = [
            ([row[at[heading(name.removeprefix("-"))]] for row in table.rows], name.startswith("-"))
            for name in self.sorted_by
        ]
        number = first_disorder(columns)
        if number is None:
            return [finding(True, f"{where}: it is in order", required=True)]
        cells = [str(cell)[:30] for cell in columns[0][0][number : number + 2]]
        order = ", ".join(self.sorted_by)
        return [finding(False, f"{where}: not sorted by {order}: {' is before '.join(cells)}")]

    def _absent(self, table: Table, at: Mapping[str, int], where: str) -> list[Finding]:
        findings = []
        size = sum(map(len, self.lacks_rows)) * len(table.rows)
        if size > COMPARED_CELLS:
            return [finding(False, f"{where}: too many rows to look through", required=True)]
        exact = Comparer([None], [None], [False])
        for pattern in self.lacks_rows:
            cells = {
                at[heading(name)]: AnyOf(tuple(value)) if isinstance(value, list) else value
                for name, value in pattern.items()
            }
            hit = any(
                all(exact.same(0, row[c], value) for c, value in cells.items())
                for row in table.rows
            )
            shown = ", ".join(f"{name} {value}" for name, value in pattern.items())
            reason = f"{where}: {'a' if hit else 'no'} row with {shown}"
            findings.append(finding(not hit, reason, required=not hit))
        return findings


@dataclass(frozen=True)
class _Labels:
    """How rows are named in reasons: by their key, else by their first cells."""

    columns: Sequence[str]
    keys: Sequence[int]

    def of(self, row: Sequence[object]) -> str:
        chosen = self.keys or range(min(3, len(self.columns)))
        return " / ".join(str(row[c])[:40] for c in chosen)

    def difference(
        self, comparer: Comparer, found: Sequence[object], expected: Sequence[object]
    ) -> str:
        wrong = [
            f"{name} {str(expected[c])[:40]} wanted, found {_shown(found[c])}"
            for c, name in enumerate(self.columns)
            if not comparer.same(c, found[c], expected[c])
        ]
        return "; ".join(wrong[:3])

    def nearest(
        self, comparer: Comparer, found: Mapping[int, Sequence[object]], row: Sequence[object]
    ) -> str:
        def alike(other: Sequence[object]) -> int:
            return sum(comparer.same(c, other[c], row[c]) for c in range(len(row)))

        best = max((found[n] for n in list(found)[:100]), key=alike)
        return f"; nearest: {self.difference(comparer, best, row)}" if alike(best) else ""


def _shown(value: object) -> str:
    return "nothing" if blank(value) else str(value)[:60]


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name[:40] for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def _in_order(found: Sequence[int], wanted: int, where: str) -> Finding:
    if 2 * len(found) < wanted:
        return finding(False, f"{where}: too few right rows to be in order")
    ok = all(one < other for one, other in pairwise(found))
    return finding(ok, f"{where}: rows are {'' if ok else 'not '}in the order wanted", required=ok)


class TableCheck(TableAssertions, CheckBody):
    """A table in a file; the format is told by the suffix unless given."""

    kind: ClassVar[str] = "table"

    path: str
    format: Format | None = None
    sheet: str | None = None
    header_row: Annotated[int, Field(ge=1, le=1000)] | None = None
    at: Expression | None = None

    @model_validator(mode="after")
    def _sensible_file(self) -> Self:
        format = self.format or format_of(self.path)
        if format is None:
            raise ValueError(f"the format of {self.path!r} is not clear: give format")
        if self.sheet is not None and format != "xlsx":
            raise ValueError(f"sheet is for xlsx, not for {format}")
        if self.header_row is not None and format in ("json", "jsonl"):
            raise ValueError(f"header_row is not for {format}")
        if self.at is not None and format != "json":
            raise ValueError(f"at is for json, not for {format}")
        return self

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        format = self.format or format_of(self.path)
        assert format is not None
        try:
            table = read_table(
                content,
                format,
                sheet=self.sheet,
                header_row=self.header_row,
                at=self.at,
                wanted=self.wanted_columns(evidence),
            )
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        return self.findings(table, self.path, evidence)
