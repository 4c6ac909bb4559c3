"""Sources: a table of the world as a file that the agent finds."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.values import Table, Value, plain
from clawgym_data.compose.world import World

helper(
    "rows_of_csv",
    """
    def rows_of_csv(path, kinds, delimiter=","):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter=delimiter))
        return [{name: typed(row[name], kind) for name, kind in kinds.items()} for row in rows]
    """,
    ["import csv"],
    ["typed"],
)


def kinds_of(table: Table) -> dict[str, str]:
    return {column.name: column.kind for column in table.columns}


@skill("read-csv", "read-structured", takes=(Table,), gives=Table, source=True)
@dataclass(frozen=True)
class ReadCsv(Skill):
    path: str
    delimiter: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        path = world.path(table.noun.plural, ".csv", "data", "exports", "")
        return cls(path, world.random.choice(",;"))

    def detail(self) -> str:
        return {",": "comma", ";": "semicolon"}[self.delimiter]

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        text = io.StringIO()
        names = [column.name for column in table.columns]
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(names)
        for row in table:
            writer.writerow([plain(row[c.name], c.decimals) for c in table.columns])
        code = f"«out» = rows_of_csv({self.path!r}, {kinds_of(table)!r}, {self.delimiter!r})"
        where = f"`{self.path}`"
        return Step(
            table,
            Say(
                do=(f"take the {table.noun.plural} from {where}", f"read {where}"),
                rule=(
                    f"The {table.noun.plural} are in {where}.",
                    f"You find the {table.noun.plural} in {where}.",
                ),
                of=(f"{table.said} in {where}",),
            ),
            code,
            ("rows_of_csv",),
            {self.path: text.getvalue().encode()},
        )
