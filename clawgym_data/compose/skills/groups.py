"""Transforms that condense rows: totals per category, per period, shares, pivots."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Self

from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.skills.filters import WEEKDAYS, as_day, median, numbers, table_of
from clawgym_data.compose.values import Cell, Column, Noun, Row, Table, Value, rounded
from clawgym_data.compose.world import World

Function = Literal["sum", "count", "mean", "largest", "smallest", "median"]
helper("statistics", "", ["import statistics"])

WORDS: dict[str, tuple[str, str]] = {
    "sum": ("total", "total"),
    "mean": ("mean", "average"),
    "largest": ("max", "largest"),
    "smallest": ("min", "smallest"),
    "median": ("median", "median"),
}
"""In a column's name, and in words."""
PYTHON = {
    "sum": "sum({})",
    "mean": "Decimal(sum({0})) / len({0})",
    "largest": "max({})",
    "smallest": "min({})",
    "median": "statistics.median(map(Decimal, {}))",
}


def work_out(function: str, values: Sequence[int | Decimal]) -> int | Decimal:
    if function == "sum":
        return sum(values)
    if function == "mean":
        return Decimal(sum(values)) / len(values)
    if function == "median":
        return median(values)
    return max(values) if function == "largest" else min(values)


def exact(function: str, column: Column, groups: Sequence[Sequence[int | Decimal]]) -> bool:
    """Whether rounding the results is beyond doubt: no result lies near the middle of two."""
    if function not in ("mean", "median"):
        return True
    places = places_of(function, column)
    for values in groups:
        scaled = Decimal(work_out(function, values)).scaleb(places)
        if abs(abs(scaled - scaled.to_integral_value(rounding="ROUND_FLOOR")) - Decimal("0.5")) < (
            Decimal("0.02")
        ):
            return False
    return True


def places_of(function: str, column: Column) -> int:
    """Decimal places of the result."""
    if function in ("mean", "median"):
        return max(column.decimals, 1 if column.kind == "count" else 2)
    return column.decimals


def measured(function: Function, column: Column | None, noun: Noun) -> Column:
    """The column of results."""
    if column is None:
        name = f"number_of_{noun.plural}".replace(" ", "_").replace("-", "_")
        return Column(name, "count", f"number of {noun.plural}")
    short, word = WORDS[function]
    kind = "amount" if function in ("mean", "median") else column.kind
    label = column.label.removeprefix("total ") if function == "sum" else column.label
    places = places_of(function, column)
    return Column(f"{short}_{column.name}", kind, f"{word} {label}", column.unit, places)


@dataclass(frozen=True)
class Measure:
    """What is worked out per group; `column` is empty for a count of rows."""

    function: Function
    column: str

    def values(self, rows: Sequence[Row]) -> int | Decimal:
        if not self.column:
            return len(rows)
        found = [row[self.column] for row in rows]
        return work_out(self.function, [v for v in found if isinstance(v, int | Decimal)])

    def python(self) -> str:
        if not self.column:
            return "len(rows)"
        return PYTHON[self.function].format(f"[row[{self.column!r}] for row in rows]")

    def result(self, table: Table) -> Column:
        return measured(
            self.function, table.column(self.column) if self.column else None, table.noun
        )


def draw_measure(table: Table, world: World, groups: Sequence[Sequence[Row]]) -> Measure | None:
    """A measure whose results have no doubtful rounding."""
    function: Function = world.random.choices(
        ("sum", "count", "mean", "largest", "smallest", "median"), (6, 3, 3, 1, 1, 1)
    )[0]
    if function == "count":
        return Measure("count", "")
    columns = numbers(table, summable=function == "sum")
    if not columns:
        return Measure("count", "")
    column = world.random.choice(columns)
    parts = [[v for row in g if isinstance(v := row[column.name], int | Decimal)] for g in groups]
    return Measure(function, column.name) if exact(function, column, parts) else None


def grouped_rows(table: Table, key: str) -> dict[Cell, list[Row]]:
    groups: dict[Cell, list[Row]] = {}
    for row in table:
        groups.setdefault(row[key], []).append(row)
    return groups


def group_columns(table: Table) -> list[str]:
    return [
        column.name
        for column in table.of_kind("category", "name")
        if 2 <= len(set(table.values(column.name))) <= max(2, len(table) // 2)
        and None not in table.values(column.name)
    ]


def of_rows(table: Table) -> str:
    """ "of the orders that are still open"; nothing when all rows are meant anyway."""
    return f" of {table.said}" if table.phrase else f" of the {table.noun.plural}"


def said_measure(measure: Measure, result: Column, table: Table) -> str:
    """The noun phrase of a measure over the rows of a table."""
    if not measure.column:
        return f"the number of {table.said.removeprefix('the ')}"
    return f"the {result.label}{of_rows(table)}"


@skill("total-by-category", "compute-aggregates", takes=(Table,), gives=Table, weight=1.5)
@dataclass(frozen=True)
class TotalByCategory(Skill):
    """One row per value of a category, with one or two measures."""

    by: str
    measures: tuple[Measure, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = group_columns(table)
        if not options or len(table) < 5 or table.grouped:
            return None
        by = world.random.choice(options)
        groups = list(grouped_rows(table, by).values())
        drawn = [draw_measure(table, world, groups) for _ in range(world.random.choice((1, 1, 2)))]
        measures = tuple(dict.fromkeys(measure for measure in drawn if measure is not None))
        names = [measure.result(table).name for measure in measures]
        if not measures or len(set(names)) < len(names) or by in names:
            return None
        return cls(by, measures)

    def detail(self) -> str:
        return "+".join(measure.function for measure in self.measures)

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        by = table.column(self.by)
        results = [measure.result(table) for measure in self.measures]
        rows: list[Row] = [
            {self.by: key}
            | {c.name: m.values(found) for m, c in zip(self.measures, results, strict=True)}
            for key, found in grouped_rows(table, self.by).items()
        ]
        first = said_measure(self.measures[0], results[0], table)
        labels = [f"the {column.label}" for column in results]
        phrase = f"{first} per {by.label}"
        if len(results) > 1:
            phrase = f"{labels[0]} and {labels[1]} per {by.label}{of_rows(table)}"
        what = " and ".join(labels)
        do = (
            f"work out {what} per {by.label}",
            f"group the {table.noun.plural} by {by.label} and take {what} of each group",
        )
        parts = ", ".join(
            f"{column.name!r}: {measure.python()}"
            for measure, column in zip(self.measures, results, strict=True)
        )
        code = "\n".join(
            (
                "«out»_groups = {}",
                "for row in «0»:",
                f"    «out»_groups.setdefault(row[{self.by!r}], []).append(row)",
                f"«out» = [{{{self.by!r}: key, {parts}}} for key, rows in «out»_groups.items()]",
            )
        )
        noun = Noun(f"{by.label} line", f"{by.label} lines")
        value = Table(noun, (by, *results), tuple(rows), self.by, phrase, grouped=True)
        rule = (f"Wanted per {by.label}: {what}.", f"{what[0].upper()}{what[1:]} go by {by.label}.")
        return Step(value, Say(do, rule[:1], (phrase,)), code, ("decimal", "statistics"))


PERIODS = {"month": "month (YYYY-MM)", "weekday": "weekday", "quarter": "quarter (like 2026-Q1)"}


def period(day: Cell, unit: str) -> str:
    found = as_day(day)
    assert found is not None
    if unit == "month":
        return f"{found:%Y-%m}"
    if unit == "quarter":
        return f"{found.year}-Q{(found.month + 2) // 3}"
    return WEEKDAYS[found.weekday()]


PERIOD_CODE = {
    "month": "f'{{:%Y-%m}}'.format(row[{0!r}])",
    "quarter": "f'{{}}-Q{{}}'.format(row[{0!r}].year, (row[{0!r}].month + 2) // 3)",
    "weekday": "WEEKDAYS[row[{0!r}].weekday()]",
}
helper("weekdays", f"WEEKDAYS = {WEEKDAYS!r}")


@skill("total-by-period", "compute-aggregates", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class TotalByPeriod(Skill):
    """One row per month, quarter or weekday that occurs."""

    column: str
    unit: str
    measure: Measure

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [
            c.name for c in table.of_kind("date", "time") if None not in table.values(c.name)
        ]
        if not columns or table.grouped or len(table) < 8:
            return None
        column = world.random.choice(columns)
        unit = world.random.choice(("month", "month", "weekday", "quarter"))
        groups: dict[str, list[Row]] = {}
        for row in table:
            groups.setdefault(period(row[column], unit), []).append(row)
        measure = draw_measure(table, world, list(groups.values()))
        if measure is None or not 3 <= len(groups) <= 14 or unit in {c.name for c in table.columns}:
            return None
        return cls(column, unit, measure)

    def detail(self) -> str:
        return f"{self.unit}-{self.measure.function}"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        groups: dict[str, list[Row]] = {}
        for row in table:
            groups.setdefault(period(row[self.column], self.unit), []).append(row)
        result = self.measure.result(table)
        keys = Column(self.unit, "category", PERIODS[self.unit])
        order = list(WEEKDAYS) if self.unit == "weekday" else sorted(groups)
        rows: list[Row] = [
            {self.unit: key, result.name: self.measure.values(groups[key])}
            for key in order
            if key in groups
        ]
        said = said_measure(self.measure, result, table)
        phrase = f"{said} per {PERIODS[self.unit]} of the {label}"
        do = (f"work out {said} per {PERIODS[self.unit]}, by the {label}",)
        rule = (
            f"It goes by {PERIODS[self.unit]} of the {label}; periods without any do not appear.",
        )
        key = PERIOD_CODE[self.unit].format(self.column).replace("f'", "'")
        sort = "WEEKDAYS.index" if self.unit == "weekday" else "str"
        code = "\n".join(
            (
                "«out»_groups = {}",
                "for row in «0»:",
                f"    «out»_groups.setdefault({key}, []).append(row)",
                f"«out» = [{{{self.unit!r}: key, {result.name!r}: {self.measure.python()}}} "
                f"for key in sorted(«out»_groups, key={sort}) for rows in [«out»_groups[key]]]",
            )
        )
        noun = Noun(f"line per {self.unit}", f"lines per {self.unit}")
        value = Table(noun, (keys, result), tuple(rows), self.unit, phrase, grouped=True)
        needs = ("decimal", "statistics", "weekdays", "date")
        return Step(value, Say(do, do_rule(do), (phrase,)), code, needs, rules=rule[:0])


def do_rule(do: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{text[0].upper()}{text[1:]}." for text in do)


@skill("share-of-total", "derive-values", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class ShareOfTotal(Skill):
    """A column with each row's part of the sum, in percent to one place."""

    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in numbers(table, summable=True):
            values = [v for v in table.values(column.name) if isinstance(v, int | Decimal)]
            total = sum(values)
            if min(values) < 0 or total <= 0 or not 3 <= len(values) <= 40:
                continue
            parts = [Decimal(v) * 100 / total for v in values]
            if column.name.startswith(("mean_", "max_", "min_", "median_")):
                continue
            if all(abs((p * 10) % 1 - Decimal("0.5")) > Decimal("0.02") for p in parts):
                options.append(column.name)
        taken = {column.name for column in table.columns}
        if not options or "share_percent" in taken:
            return None
        return cls(world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        total = sum(v for v in table.values(self.column) if isinstance(v, int | Decimal))
        rows = [
            {**row, "share_percent": rounded(Decimal(str(row[self.column])) * 100 / total, 1)}
            for row in table
        ]
        share = Column("share_percent", "amount", "share in percent", "", 1, summable=False)
        phrase = f"{table.said}, with each one's share of the {column.label} in percent"
        do = (f"add each one's share of the whole {column.label} in percent, to one decimal place",)
        rule = (
            f"The share is the part of the whole {column.label} in percent, to one decimal place.",
        )
        code = "\n".join(
            (
                f"«out»_sum = sum(row[{self.column!r}] for row in «0»)",
                "«out» = [{**row, 'share_percent': "
                f"Decimal(row[{self.column!r}]) * 100 / «out»_sum}} for row in «0»]",
            )
        )
        value = table.with_rows(rows, phrase)
        value = Table(
            value.noun, (*table.columns, share), value.rows, value.key, phrase, table.ordered,
            table.grouped,
        )  # fmt: skip
        return Step(value, Say(do, rule, (phrase,)), code, ("decimal",))


@skill("pivot", "reshape-data", takes=(Table,), gives=Table, weight=0.8)
@dataclass(frozen=True)
class Pivot(Skill):
    """A category down, another across, counts or sums in the cells; 0 where nothing is."""

    down: str
    across: str
    measure: Measure

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = group_columns(table)
        flat = [
            name
            for name in options
            if len(set(table.values(name))) <= 5
            and all(str(v).replace(" ", "").replace("-", "").isalnum() for v in table.values(name))
        ]
        if len(options) < 2 or not flat or table.grouped or len(table) < 8:
            return None
        across = world.random.choice(flat)
        rest = [name for name in options if name != across]
        if not rest:
            return None
        down = world.random.choice(rest)
        columns = numbers(table, summable=True)
        measure = Measure("count", "")
        if columns and world.random.random() < 0.6:
            measure = Measure("sum", world.random.choice(columns).name)
        if down.lower() in {str(value).lower() for value in table.values(across)}:
            return None
        return cls(down, across, measure)

    def detail(self) -> str:
        return self.measure.function

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        down, across = table.column(self.down), table.column(self.across)
        result = self.measure.result(table)
        heads = sorted({str(value) for value in table.values(self.across)})
        cells: dict[Cell, dict[str, list[Row]]] = {}
        for row in table:
            cells.setdefault(row[self.down], {}).setdefault(str(row[self.across]), []).append(row)
        rows: list[Row] = [
            {self.down: key}
            | {head: self.measure.values(found[head]) if head in found else 0 for head in heads}
            for key, found in cells.items()
        ]
        columns = tuple(
            Column(head, result.kind, f"{head}", result.unit, result.decimals) for head in heads
        )
        said = said_measure(self.measure, result, table)
        phrase = f"{said}, with one line per {down.label} and one column per {across.label}"
        do = (
            f"work out {said} with a line per {down.label} and a column per {across.label} "
            "(0 where there is none)",
        )
        zero = "Where a combination does not occur, the cell is 0."
        code = "\n".join(
            (
                f"«out»_heads = sorted({{row[{self.across!r}] for row in «0»}})",
                "«out»_cells = {}",
                "for row in «0»:",
                f"    «out»_cells.setdefault(row[{self.down!r}], {{}})"
                f".setdefault(row[{self.across!r}], []).append(row)",
                f"«out» = [{{{self.down!r}: key, **{{head: ({self.measure.python()}) "
                "if (rows := found.get(head)) else 0 for head in «out»_heads}} "
                "for key, found in «out»_cells.items()]",
            )
        )
        noun = Noun(f"{down.label} line", f"{down.label} lines")
        value = Table(noun, (down, *columns), tuple(rows), self.down, phrase, grouped=True)
        return Step(value, Say(do, do_rule(do), (phrase,)), code, ("decimal",), rules=(zero,))
