"""Transforms that keep, drop, order or condense rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.values import Cell, Column, Noun, Row, Table, Value, rounded
from clawgym_data.compose.world import World


def table_of(inputs: Sequence[Value]) -> Table:
    table = inputs[0]
    assert isinstance(table, Table)
    return table


@skill("filter-category", "filter-rows", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class FilterCategory(Skill):
    """Rows with one value of a category, or all but these."""

    column: str
    value: str
    keep: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.of_kind("category"):
            for value in sorted({str(v) for v in table.values(column.name) if v is not None}):
                share = sum(row[column.name] == value for row in table) / len(table)
                if 0.1 <= share <= 0.9 and len(table) >= 6:
                    options.append((column.name, value, column.phrases.get(value, "")))
        if not options:
            return None
        spoken = [option for option in options if option[2]] or options
        name, value, _ = world.random.choice(spoken)
        return cls(name, value, world.random.random() < 0.6)

    def detail(self) -> str:
        return "keep" if self.keep else "drop"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        rows = [row for row in table if (row[self.column] == self.value) == self.keep]
        which = column.phrases.get(self.value, f"whose {column.label} is “{self.value}”")
        plural = table.noun.plural
        if self.keep:
            phrase = f"{table.said} {which}"
            do = (f"keep only the {plural} {which}", f"look only at the {plural} {which}")
            rule = (f"Only the {plural} {which} count.", f"This is about the {plural} {which}.")
        else:
            phrase = f"{table.said} except those {which}"
            do = (f"leave out the {plural} {which}", f"drop the {plural} {which}")
            rule = (f"The {plural} {which} do not count.", f"Ignore the {plural} {which}.")
        test = "==" if self.keep else "!="
        code = f"«out» = [row for row in «0» if row[{self.column!r}] {test} {self.value!r}]"
        return Step(table.with_rows(rows, phrase), Say(do, rule, (phrase,)), code)


@skill("total-by-category", "compute-aggregates", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class TotalByCategory(Skill):
    """One row per value of a category: the sum of a number, or how many rows there are."""

    by: str
    measure: str
    function: Literal["sum", "count"]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        groups = [
            column.name
            for column in table.of_kind("category", "name")
            if 2 <= len(set(table.values(column.name))) <= max(2, len(table) // 2)
        ]
        numbers = [
            column.name
            for column in table.columns
            if column.numeric and column.summable and None not in table.values(column.name)
        ]
        if not groups or len(table) < 5 or table.grouped:
            return None
        by = world.random.choice(groups)
        if numbers and world.random.random() < 0.75:
            return cls(by, world.random.choice(numbers), "sum")
        return cls(by, "", "count")

    def detail(self) -> str:
        return self.function

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        by = table.column(self.by)
        groups: dict[Cell, list[Decimal | int]] = {}
        for row in table:
            number = row[self.measure] if self.measure else 1
            assert isinstance(number, Decimal | int)
            groups.setdefault(row[self.by], []).append(number)
        if self.function == "sum":
            measured = table.column(self.measure)
            name, label = f"total_{self.measure}", f"total {measured.label}"
            value = Column(name, measured.kind, label, measured.unit, measured.decimals)
            summed = f"sum(row[{self.measure!r}] for row in rows)"
            of = f"the {label} of {table.said} per {by.label}"
            do = f"add up the {measured.label} per {by.label}"
        else:
            name, label = f"number_of_{table.noun.plural}".replace(" ", "_"), "number"
            value = Column(name, "count", f"number of {table.noun.plural}")
            summed = "len(rows)"
            of = f"the number of {table.said.removeprefix('the ')} per {by.label}"
            do = f"count the {table.noun.plural} per {by.label}"
        rows: list[Row] = [{self.by: key, name: sum(numbers)} for key, numbers in groups.items()]
        code = "\n".join(
            (
                "«out»_groups = {}",
                "for row in «0»:",
                f"    «out»_groups.setdefault(row[{self.by!r}], []).append(row)",
                f"«out» = [{{{self.by!r}: key, {name!r}: {summed}}} "
                "for key, rows in «out»_groups.items()]",
            )
        )
        noun = Noun(by.label, f"{by.label} totals")
        result = Table(noun, (by, value), tuple(rows), self.by, of, grouped=True)
        return Step(result, Say((do,), (f"{do[0].upper()}{do[1:]}.",), (of,)), code)


@skill("largest", "sort-rank", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class Largest(Skill):
    """The rows with the largest values of a number, largest first; no ties at the edge."""

    column: str
    count: int

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.columns:
            values = table.values(column.name)
            if column.numeric and None not in values and len(set(values)) == len(values):
                options.append(column.name)
        if not options or len(table) < 5:
            return None
        return cls(world.random.choice(options), world.random.randint(3, min(8, len(table) - 1)))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        rows = sorted(table, key=lambda row: -rounded(row[self.column], 6))[: self.count]  # type: ignore[arg-type]
        order = f"{column.label}, largest first"
        plain_said = table.said.removeprefix("the ")
        phrase = f"the {self.count} {plain_said} with the largest {column.label}, largest first"
        do = f"take the {self.count} with the largest {column.label}, largest first"
        code = f"«out» = sorted(«0», key=lambda row: -row[{self.column!r}])[:{self.count}]"
        return Step(
            table.with_rows(rows, phrase, order),
            Say(
                (do,),
                (f"Only the {self.count} with the largest {column.label} matter.",),
                (phrase,),
            ),
            code,
        )


@skill("join", "join-tables", takes=(Table, Table), gives=Table)
@dataclass(frozen=True)
class Join(Skill):
    """Adds the columns of a related table by its key."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        left, right = inputs
        assert isinstance(left, Table)
        assert isinstance(right, Table)
        known = set(right.values(right.key)) if right.key else set()
        return cls() if right.key and set(left.values(right.key)) <= known else None

    def apply(self, inputs: Sequence[Value]) -> Step:
        left, right = inputs
        assert isinstance(left, Table)
        assert isinstance(right, Table)
        assert right.key
        found = {row[right.key]: row for row in right}
        rows = [{**row, **found[row[right.key]]} for row in left]
        added = [column for column in right.columns if column.name != right.key]
        columns = (*left.columns, *added)
        labels = " and ".join(column.label for column in added)
        key = left.column(right.key).label
        do = f"look up the {labels} of each {left.noun.singular} by its {key}"
        code = "\n".join(
            (
                f"«out»_by_key = {{row[{right.key!r}]: row for row in «1»}}",
                f"«out» = [{{**row, **«out»_by_key[row[{right.key!r}]]}} for row in «0»]",
            )
        )
        rule = f"The {labels} of each {left.noun.singular} follows from its {key}."
        value = Table(left.noun, columns, tuple(rows), left.key, left.phrase, left.ordered)
        return Step(value, Say((do,), (rule,), (left.said,)), code)
