"""Answers drawn from a table: one or a few values with the words for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.values import Fact, Facts, Table, Value
from clawgym_data.compose.world import World


@skill("totals", "compute-aggregates", takes=(Table,), gives=Facts)
@dataclass(frozen=True)
class Totals(Skill):
    """How many rows there are, and the sum of a number over them."""

    measure: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        (table,) = inputs
        assert isinstance(table, Table)
        numbers = [
            c.name
            for c in table.columns
            if c.numeric and c.summable and None not in table.values(c.name)
        ]
        if not numbers or len(table) < 4 or table.grouped:
            return None
        return cls(world.random.choice(numbers))

    def apply(self, inputs: Sequence[Value]) -> Step:
        (table,) = inputs
        assert isinstance(table, Table)
        column = table.column(self.measure)
        total = sum(v for v in table.values(self.measure) if isinstance(v, Decimal | int))
        rows = table.said.removeprefix("the ")
        plural = table.noun.plural
        counted = Fact(
            "count", f"the number of {rows}", (plural, f"number of {plural}"), len(table)
        )
        summed = Fact(
            "total",
            f"their total {column.label}",
            (f"total {column.label}", column.label, "total"),
            total,
            column.decimals,
            column.unit,
        )
        code = f"«out» = {{'count': len(«0»), 'total': sum(r[{self.measure!r}] for r in «0»)}}"
        of = f"the number of {rows} and their total {column.label}"
        value = Facts((counted, summed), table.noun.plural)
        return Step(value, Say((f"work out {of}",), (), (of,)), code)
