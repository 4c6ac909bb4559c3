"""Sinks: a table as a file to deliver."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar, Self

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Table, Value, plain
from clawgym_data.compose.world import World

MOST_ROWS = 120

helper(
    "write_csv",
    """
    def write_csv(path, rows, places, delimiter=","):
        with open(folder(path), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(places)
            for row in rows:
                writer.writerow([plain(row[name], digits) for name, digits in places.items()])
    """,
    ["import csv"],
    ["folder", "plain"],
)
helper(
    "as_data",
    """
    def as_data(rows, places):
        def cell(value, digits):
            if isinstance(value, Decimal):
                return float(plain(value, digits))
            if value is None or isinstance(value, (bool, int)):
                return value
            return plain(value)

        return [{name: cell(row[name], digits) for name, digits in places.items()} for row in rows]
    """,
    ["from decimal import Decimal"],
    ["plain"],
)


def csv_text(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table:
        writer.writerow([plain(row[c.name], c.decimals) for c in table.columns])
    return text.getvalue()


def table_body(path: str, table: Table, expected: str) -> dict[str, Any]:
    body: dict[str, Any] = {"path": path, "equals": expected}
    if table.key:
        body["key"] = table.key
    if table.ordered:
        body["ordered"] = True
    decimals = {c.name: c.decimals for c in table.columns if c.kind == "amount"}
    if decimals:
        body["decimals"] = decimals
    return body


def table_check(path: str, table: Table, expected: str) -> dict[str, Any]:
    """A check of a delivered table, without its id and `cites`."""
    # Part of the points only where rows are made anew: a filtered list shares rows with its input.
    part = {"partial": True} if table.grouped else {}
    return {"table": table_body(path, table, expected), "weight": 3, **part}


def places_of(table: Table) -> Mapping[str, int]:
    return {column.name: column.decimals for column in table.columns}


def shared_places(table: Table) -> int | None:
    """The decimal places that all amounts have; None when they differ or there are none."""
    places = {column.decimals for column in table.columns if column.kind == "amount"}
    return places.pop() if len(places) == 1 else None


def places_note(table: Table) -> str:
    """The decimal places of each amount, where they differ."""
    amounts = [column for column in table.columns if column.kind == "amount"]
    if not amounts or shared_places(table) is not None:
        return ""
    listed = ", ".join(f"`{column.name}` {column.decimals}" for column in amounts)
    return f"Decimal places: {listed}."


def filed(table: Table) -> bool:
    """Whether it makes a sensible file."""
    return 2 <= len(table) <= MOST_ROWS and 1 < len(table.columns) <= 14


class TableSink(Skill):
    """A table in one file. Subclasses name suffix, format, code and how it is asked for."""

    takes: ClassVar[tuple[type, ...]] = (Table,)
    gives: ClassVar[type | None] = None
    sink: ClassVar[bool] = True
    suffix: ClassVar[str] = ""
    form: ClassVar[str] = ""
    noun: ClassVar[str] = "file"
    """What a person calls it ("spreadsheet")."""
    note: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    path: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        if not filed(table) or not cls.suits(table):
            return None
        path = world.path(table.noun.plural, cls.suffix, "out", "output", "results", "report")
        return cls(path)  # type: ignore[call-arg]

    @classmethod
    def suits(cls, table: Table) -> bool:
        return True

    def code(self, table: Table) -> str:
        raise NotImplementedError

    def check(self, table: Table, expected: str) -> dict[str, Any]:
        return table_check(self.path, table, expected)

    def output(self, table: Table) -> Output:
        note = " ".join(filter(None, (self.note, places_note(table))))
        return Output(
            path=self.path,
            format=self.form,
            columns=[column.name for column in table.columns],
            order=table.ordered or None,
            decimals=shared_places(table),
            note=note or None,
        )

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        expected = f"expected/{self.path}.csv".replace(".csv.csv", ".csv")
        deliver = Deliverable(
            self.path,
            table.said,
            (self.output(table),),
            (self.check(table, expected),),
            hidden={expected: csv_text(table).encode()},
        )
        where = f"`{self.path}`"
        say = Say(
            do=(
                f"write {table.said} to {where}",
                f"put {table.said} into {where}",
                f"make a {self.noun} {where} with {table.said}",
                f"save {table.said} as {where}",
            )
        )
        return Step(None, say, self.code(table), self.needs, deliver=deliver)


@skill("write-csv", "write-structured", weight=1.6)
@dataclass(frozen=True)
class WriteCsv(TableSink):
    suffix, form, needs = ".csv", "csv", ("write_csv",)
    path: str

    def code(self, table: Table) -> str:
        return f"write_csv({self.path!r}, «0», {places_of(table)!r})"


@skill("write-tsv", "write-structured", weight=0.5)
@dataclass(frozen=True)
class WriteTsv(TableSink):
    suffix, form, needs = ".tsv", "tsv", ("write_csv",)
    path: str

    def code(self, table: Table) -> str:
        return f"write_csv({self.path!r}, «0», {places_of(table)!r}, '\\t')"


@skill("write-json", "write-structured", weight=1.2)
@dataclass(frozen=True)
class WriteJson(TableSink):
    suffix, form, needs = ".json", "json", ("as_data", "json", "folder", "path")
    note = "A list of objects; numbers as numbers, dates as YYYY-MM-DD."
    path: str

    def code(self, table: Table) -> str:
        data = f"as_data(«0», {places_of(table)!r})"
        return f"Path(folder({self.path!r})).write_text(json.dumps({data}, indent=2) + '\\n')"


@skill("write-jsonl", "write-structured", weight=0.5)
@dataclass(frozen=True)
class WriteJsonl(TableSink):
    suffix, form, needs = ".jsonl", "jsonl", ("as_data", "json", "write_lines")
    note = "One JSON object per line."
    path: str

    def code(self, table: Table) -> str:
        data = f"as_data(«0», {places_of(table)!r})"
        return f"write_lines({self.path!r}, [json.dumps(row) for row in {data}])"


helper(
    "write_xlsx",
    """
    def write_xlsx(path, rows, places, sheet):
        book = Workbook()
        page = book.active
        page.title = sheet
        page.append(list(places))
        for row in as_data(rows, places):
            page.append(list(row.values()))
        book.save(folder(path))
    """,
    ["from openpyxl import Workbook"],
    ["as_data", "folder"],
)


@skill("write-xlsx", "write-structured", weight=0.8)
@dataclass(frozen=True)
class WriteXlsx(TableSink):
    suffix, form, noun, needs = ".xlsx", "xlsx", "workbook", ("write_xlsx",)
    note = "Headings in the first row, plain values (no formulas)."
    path: str

    @staticmethod
    def sheet(table: Table) -> str:
        return table.noun.plural.capitalize()[:30]

    def code(self, table: Table) -> str:
        return f"write_xlsx({self.path!r}, «0», {places_of(table)!r}, {self.sheet(table)!r})"

    def check(self, table: Table, expected: str) -> dict[str, Any]:
        found = table_check(self.path, table, expected)
        found["table"]["sheet"] = self.sheet(table)
        return found

    def output(self, table: Table) -> Output:
        return super().output(table).model_copy(update={"sheet": self.sheet(table)})


helper(
    "markdown_rows",
    """
    def markdown_rows(rows, places):
        lines = ["| " + " | ".join(places) + " |", "|" + "---|" * len(places)]
        for row in rows:
            cells = [plain(row[name], digits) for name, digits in places.items()]
            lines.append("| " + " | ".join(cells) + " |")
        return lines
    """,
    [],
    ["plain"],
)


@skill("write-markdown-table", "format-document", weight=0.9)
@dataclass(frozen=True)
class WriteMarkdownTable(TableSink):
    suffix, form, noun, needs = ".md", "markdown", "page", ("markdown_rows", "write_lines")
    note = "One table."
    path: str

    @classmethod
    def suits(cls, table: Table) -> bool:
        return len(table) <= 40 and len(table.columns) <= 7

    def code(self, table: Table) -> str:
        title = f"# {table.noun.plural.capitalize()}"
        lines = f"[{title!r}, '', *markdown_rows(«0», {places_of(table)!r})]"
        return f"write_lines({self.path!r}, {lines})"

    def check(self, table: Table, expected: str) -> dict[str, Any]:
        found = table_check(self.path, table, expected)
        body = {k: v for k, v in found["table"].items() if k != "path"}
        return {**{k: v for k, v in found.items() if k != "table"}} | {
            "markdown": {"path": self.path, "tables": [body]}
        }


helper(
    "write_sqlite",
    """
    def write_sqlite(path, rows, places, table):
        Path(folder(path)).unlink(missing_ok=True)
        with sqlite3.connect(path) as base:
            names = ", ".join(f'"{name}"' for name in places)
            base.execute(f"CREATE TABLE {table} ({names})")
            marks = ", ".join("?" for _ in places)
            for row in as_data(rows, places):
                base.execute(f"INSERT INTO {table} VALUES ({marks})", list(row.values()))
    """,
    ["import sqlite3", "from pathlib import Path"],
    ["as_data", "folder"],
)


@skill("write-sqlite", "write-structured", weight=0.5)
@dataclass(frozen=True)
class WriteSqlite(TableSink):
    suffix, form, noun, needs = ".sqlite", "sqlite", "database", ("write_sqlite",)
    path: str

    @staticmethod
    def relation(table: Table) -> str:
        return "".join(c if c.isalnum() else "_" for c in table.noun.plural.lower())

    @classmethod
    def suits(cls, table: Table) -> bool:
        names = [column.name.lower() for column in table.columns]
        plain_cells = all(not isinstance(v, bool) for row in table for v in row.values())
        return cls.relation(table).isascii() and len(set(names)) == len(names) and plain_cells

    def code(self, table: Table) -> str:
        return f"write_sqlite({self.path!r}, «0», {places_of(table)!r}, {self.relation(table)!r})"

    def check(self, table: Table, expected: str) -> dict[str, Any]:
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        rows = [
            [_data(row[column.name], column.decimals) for column in table.columns] for row in table
        ]
        query = {"sql": f"SELECT {names} FROM {self.relation(table)}", "rows": rows, "decimals": 2}
        return {"sqlite": {"path": self.path, "queries": [query]}, "weight": 3}

    def output(self, table: Table) -> Output:
        note = f"One table, `{self.relation(table)}`; numbers as numbers, dates as YYYY-MM-DD."
        extra = places_note(table)
        return (
            super()
            .output(table)
            .model_copy(update={"note": f"{note} {extra}".strip(), "order": None})
        )

    def apply(self, inputs: Sequence[Value]) -> Step:
        step = super().apply(inputs)
        assert step.deliver is not None
        name = self.relation(inputs[0])  # type: ignore[arg-type]
        turned = "\n".join(
            (
                "import sqlite3",
                "",
                f"with sqlite3.connect({self.path!r}) as base:",
                f"    base.execute('CREATE TABLE turned AS SELECT * FROM {name} "
                "ORDER BY rowid DESC')",
                f"    base.execute('DROP TABLE {name}')",
                f"    base.execute('ALTER TABLE turned RENAME TO {name}')",
                "",
            )
        )
        deliver = replace(step.deliver, hidden={}, afterwards={"rows-turned": turned})
        return replace(step, deliver=deliver)


def _data(value: Any, places: int) -> Any:
    if isinstance(value, Decimal):
        return float(plain(value, places))
    return value if value is None or isinstance(value, int) else plain(value)
