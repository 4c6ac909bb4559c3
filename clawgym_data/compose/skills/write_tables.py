"""Sinks: a table as a file to deliver."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from clawgym_bench.task import Output
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Deliverable, Say, Skill, Step, skill
from clawgym_data.compose.values import Table, Value, plain
from clawgym_data.compose.world import World

helper(
    "write_csv",
    """
    def write_csv(path, rows, places):
        with open(folder(path), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(places)
            for row in rows:
                writer.writerow([plain(row[name], digits) for name, digits in places.items()])
    """,
    ["import csv"],
    ["folder", "plain"],
)


def csv_text(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table:
        writer.writerow([plain(row[c.name], c.decimals) for c in table.columns])
    return text.getvalue()


def table_check(path: str, table: Table, expected: str) -> dict[str, Any]:
    """A check of a delivered table, without its id and `cites`."""
    body: dict[str, Any] = {"path": path, "equals": expected}
    if table.key:
        body["key"] = table.key
    if table.ordered:
        body["ordered"] = True
    decimals = {c.name: c.decimals for c in table.columns if c.kind == "amount"}
    if decimals:
        body["decimals"] = decimals
    # Part of the points only where rows are made anew: a filtered list shares rows with its input.
    return {"table": body, "weight": 3} | ({"partial": True} if table.grouped else {})


def places_of(table: Table) -> Mapping[str, int]:
    return {column.name: column.decimals for column in table.columns}


@skill("write-csv", "write-structured", takes=(Table,), gives=None, sink=True)
@dataclass(frozen=True)
class WriteCsv(Skill):
    path: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        if not 2 <= len(table) <= 200:
            return None
        return cls(world.path(table.noun.plural, ".csv", "out", "output", "results"))

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        expected = f"expected/{self.path}"
        places = {c.decimals for c in table.columns if c.kind == "amount"}
        output = Output(
            path=self.path,
            format="csv",
            columns=[column.name for column in table.columns],
            order=table.ordered or None,
            decimals=places.pop() if len(places) == 1 else None,
        )
        code = f"write_csv({self.path!r}, «0», {places_of(table)!r})"
        deliver = Deliverable(
            self.path,
            table.said,
            (output,),
            (table_check(self.path, table, expected),),
            hidden={expected: csv_text(table).encode()},
        )
        say = Say(do=(f"write {table.said} to `{self.path}`",))
        return Step(None, say, code, ("write_csv",), deliver=deliver)
