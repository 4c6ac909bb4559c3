"""Transforms that add, choose or rename columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.skills.filters import WEEKDAYS, as_day, numbers, spoken_day, table_of
from clawgym_data.compose.skills.groups import do_rule
from clawgym_data.compose.values import Column, Row, Table, Value, rounded
from clawgym_data.compose.world import World


def widened(
    table: Table, column: Column, rows: Sequence[Row], said: str, do: str, code: str,
    needs: tuple[str, ...] = (),
) -> Step:  # fmt: skip
    """The step that adds a column. `said` follows "with" in the phrase."""
    phrase = f"{table.said} with {said}"
    value = replace(table, columns=(*table.columns, column), rows=tuple(rows), phrase=phrase)
    return Step(value, Say((do,), do_rule((do,)), (phrase,)), code, needs)


def clear(value: Decimal, places: int) -> bool:
    """Whether rounding is beyond doubt."""
    scaled = abs(value.scaleb(places))
    return abs(scaled % 1 - Decimal("0.5")) > Decimal("0.001")


@skill("days-between", "derive-values", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class DaysBetween(Skill):
    """A column with the days from a date of the row to a stated day."""

    column: str
    day: date

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [c.name for c in table.of_kind("date") if None not in table.values(c.name)]
        if not columns or "days" in {c.name for c in table.columns} or table.grouped:
            return None
        return cls(world.random.choice(columns), world.today)

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        rows = []
        for row in table:
            day = as_day(row[self.column])
            assert day is not None
            rows.append({**row, "days": (self.day - day).days})
        column = Column("days", "count", "number of days", summable=False)
        until = spoken_day(self.day)
        said = f"the number of days from the {label} to {until}"
        when = f"date({self.day.year}, {self.day.month}, {self.day.day})"
        code = f"«out» = [{{**row, 'days': ({when} - row[{self.column!r}]).days}} for row in «0»]"
        do = (
            f"add a column `days`, the number of days from the {label} to {until} (negative where "
            "it is later)"
        )
        return widened(table, column, rows, said, do, code, ("date",))


@skill("add-rate", "derive-values", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class AddRate(Skill):
    """A column with an amount plus or minus a stated percentage, to the places of the amount."""

    column: str
    rate: int
    surcharge: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        money = [c for c in numbers(table) if c.kind == "amount" and c.unit == world.currency]
        if not money:
            return None
        column = world.random.choice(money)
        chosen = cls(
            column.name, world.random.choice((3, 5, 7, 8, 10, 19, 20)), world.random.random() < 0.6
        )
        values = [chosen.value(row) for row in table]
        fine = all(clear(value, column.decimals) for value in values)
        return chosen if fine and chosen.added not in {c.name for c in table.columns} else None

    @property
    def added(self) -> str:
        return f"{self.column}_{'with' if self.surcharge else 'less'}_{self.rate}_percent"

    def value(self, row: Row) -> Decimal:
        factor = 100 + (self.rate if self.surcharge else -self.rate)
        return Decimal(str(row[self.column])) * factor / 100

    def detail(self) -> str:
        return "plus" if self.surcharge else "minus"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        old = table.column(self.column)
        rows = [{**row, self.added: rounded(self.value(row), old.decimals)} for row in table]
        sign = "plus" if self.surcharge else "minus"
        label = f"{old.label} {sign} {self.rate} percent"
        column = Column(self.added, "amount", label, old.unit, old.decimals, summable=old.summable)
        do = f"add a column `{self.added}`: {label}, rounded to {old.decimals} decimal places"
        factor = f"Decimal({100 + (self.rate if self.surcharge else -self.rate)}) / 100"
        code = (
            f"«out» = [{{**row, {self.added!r}: rounded(row[{self.column!r}] * {factor}, "
            f"{old.decimals})}} for row in «0»]"
        )
        said = f"the {label} (column `{self.added}`)"
        return widened(table, column, rows, said, do, code, ("rounded",))


@skill("multiply-columns", "derive-values", takes=(Table,), gives=Table, weight=0.8)
@dataclass(frozen=True)
class MultiplyColumns(Skill):
    """A count times a price of the same row."""

    count: str
    price: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        if table.grouped or "value" in {c.name for c in table.columns}:
            return None
        counts = [c for c in numbers(table) if c.kind == "count" and c.summable]
        prices = [
            c
            for c in numbers(table)
            if c.kind == "amount"
            and ("price" in c.label or " per " in c.label or "rate" in c.label)
        ]
        if not counts or not prices:
            return None
        return cls(world.random.choice(counts).name, world.random.choice(prices).name)

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        count, price = table.column(self.count), table.column(self.price)
        rows = [
            {**row, "value": Decimal(str(row[self.count])) * Decimal(str(row[self.price]))}
            for row in table
        ]
        column = Column("value", "amount", "value", price.unit.split("/")[0], price.decimals)
        do = f"add a column `value`: {count.label} times {price.label}"
        said = f"the value of each (column `value`, {count.label} times {price.label})"
        product = f"row[{self.count!r}] * row[{self.price!r}]"
        code = f"«out» = [{{**row, 'value': {product}}} for row in «0»]"
        return widened(table, column, rows, said, do, code)


@skill("bands", "derive-values", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class Bands(Skill):
    """A column with the band in which a number lies, by two stated thresholds."""

    column: str
    low: int
    high: int
    words: tuple[str, str, str]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        if table.grouped or "band" in {c.name for c in table.columns} or len(table) < 8:
            return None
        options = []
        for column in numbers(table):
            values = sorted(v for v in table.values(column.name) if isinstance(v, int | Decimal))
            low, high = (int(values[len(values) * part // 3]) for part in (1, 2))
            for step in (100, 50, 10, 5, 1):
                a, b = low // step * step, high // step * step
                if values[0] < a < b <= values[-1]:
                    options.append((column.name, a, b))
                    break
        if not options:
            return None
        words = world.random.choice(
            (("low", "middle", "high"), ("A", "B", "C"), ("small", "medium", "large"))
        )
        return cls(*world.random.choice(options), words)

    def band(self, row: Row) -> str:
        value = row[self.column]
        assert isinstance(value, int | Decimal)
        return self.words[0 if value < self.low else 1 if value < self.high else 2]

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        old = table.column(self.column)
        rows = [{**row, "band": self.band(row)} for row in table]
        a, b, c = self.words
        unit = f" {old.unit}" if old.unit else ""
        rule = (
            f"`{a}` below {self.low}{unit}, `{b}` from {self.low} to below {self.high}{unit}, "
            f"`{c}` from {self.high}{unit} on"
        )
        phrases = {word: f"in the band “{word}”" for word in self.words}
        column = Column("band", "category", "band", phrases=phrases)
        do = f"add a column `band` by the {old.label}: {rule}"
        code = (
            f"«out» = [{{**row, 'band': {a!r} if row[{self.column!r}] < {self.low} else {b!r} "
            f"if row[{self.column!r}] < {self.high} else {c!r}}} for row in «0»]"
        )
        return widened(table, column, rows, f"its band by {old.label} ({rule})", do, code)


@skill("weekday-of", "derive-values", takes=(Table,), gives=Table, weight=0.6)
@dataclass(frozen=True)
class WeekdayOf(Skill):
    """A column with the weekday of a date."""

    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [
            c.name for c in table.of_kind("date", "time") if None not in table.values(c.name)
        ]
        if not columns or table.grouped or "weekday" in {c.name for c in table.columns}:
            return None
        return cls(world.random.choice(columns))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        rows = []
        for row in table:
            day = as_day(row[self.column])
            assert day is not None
            rows.append({**row, "weekday": WEEKDAYS[day.weekday()]})
        column = Column("weekday", "category", "weekday")
        do = f"add a column `weekday` with the weekday of the {label}, in English"
        code = (
            f"«out» = [{{**row, 'weekday': WEEKDAYS[row[{self.column!r}].weekday()]}} "
            "for row in «0»]"
        )
        said = f"the weekday of the {label} in English (column `weekday`)"
        return widened(table, column, rows, said, do, code, ("weekdays",))


@skill("running-total", "derive-values", takes=(Table,), gives=Table, weight=0.7)
@dataclass(frozen=True)
class RunningTotal(Skill):
    """Sorted by day, a column that adds up a number so far."""

    day: str
    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        days = [
            c.name
            for c in table.of_kind("date", "time")
            if len(set(table.values(c.name))) == len(table) and None not in table.values(c.name)
        ]
        columns = numbers(table, summable=True)
        if not days or not columns or table.grouped or table.ordered:
            return None
        if "running_total" in {c.name for c in table.columns}:
            return None
        return cls(world.random.choice(days), world.random.choice(columns).name)

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        day, old = table.column(self.day), table.column(self.column)
        so_far = Decimal(0)
        rows = []
        for row in sorted(table, key=lambda row: str(row[self.day])):
            so_far += Decimal(str(row[self.column]))
            value = so_far if old.kind == "amount" else int(so_far)
            rows.append({**row, "running_total": value})
        column = Column(
            "running_total", old.kind, f"running total of the {old.label}", old.unit, old.decimals,
            summable=False,
        )  # fmt: skip
        order = f"{day.label}, earliest first"
        do = (
            f"sort by {order} and add a column `running_total` that adds up the {old.label} "
            "from line to line"
        )
        code = "\n".join(
            (
                "«out», so_far = [], 0",
                f"for row in sorted(«0», key=lambda row: row[{self.day!r}]):",
                f"    so_far += row[{self.column!r}]",
                "    «out».append({**row, 'running_total': so_far})",
            )
        )
        said = f"a running total of the {old.label} (column `running_total`), sorted by {order}"
        step = widened(table, column, rows, said, do, code)
        assert isinstance(step.value, Table)
        return replace(step, value=replace(step.value, ordered=order))


@skill("choose-columns", "reshape-data", takes=(Table,), gives=Table, weight=1.2)
@dataclass(frozen=True)
class ChooseColumns(Skill):
    """Some columns only, in a stated order, one or two under another name."""

    columns: tuple[tuple[str, str], ...]
    """Old and new name, in the new order."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        if table.grouped or len(table.columns) < 4:
            return None
        names = [column.name for column in table.columns]
        rest = [name for name in names if name != table.key]
        chosen = world.random.sample(rest, world.random.randint(2, min(4, len(rest) - 1)))
        if table.key:
            chosen.insert(0, table.key)
        new = {name: name for name in chosen}
        for name in world.random.sample(chosen, world.random.randint(0, 2)):
            label = table.column(name).label.replace(" ", "_").replace("-", "_").lower()
            if label.isascii() and label not in names and label not in new.values():
                new[name] = label
        return cls(tuple(new.items()))

    def detail(self) -> str:
        renamed = sum(old != new for old, new in self.columns)
        return f"{len(self.columns)}-{renamed}"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        new = dict(self.columns)
        columns = tuple(replace(table.column(old), name=name) for old, name in self.columns)
        rows = tuple({name: row[old] for old, name in self.columns} for row in table)
        parts = [
            f"`{name}`" if old == name else f"`{name}` (that is `{old}`)"
            for old, name in self.columns
        ]
        listed = ", ".join(parts)
        do = f"keep just the columns {listed}, in this order"
        phrase = f"{table.said}, with just the columns {listed}"
        value = replace(
            table, columns=columns, rows=rows, key=new.get(table.key or ""), phrase=phrase
        )
        code = f"«out» = [{{new: row[old] for old, new in {self.columns!r}}} for row in «0»]"
        return Step(value, Say((do,), do_rule((do,)), (phrase,)), code)
