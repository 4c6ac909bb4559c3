"""Answers drawn from a table: one to four values with the words for them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.skills.columns import clear
from clawgym_data.compose.skills.filters import as_day, numbers, table_of
from clawgym_data.compose.skills.groups import period
from clawgym_data.compose.skills.rows import distinct
from clawgym_data.compose.values import Cell, Fact, Facts, Table, Value
from clawgym_data.compose.world import World


def step_of(about: str, facts: Sequence[Fact], code: str, needs: tuple[str, ...] = ()) -> Step:
    phrases = [fact.asked for fact in facts]
    of = phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " and " + phrases[-1]
    return Step(Facts(tuple(facts), about), Say((f"work out {of}",), (), (of,)), code, needs)


def amounts(table: Table, name: str) -> list[int | Decimal]:
    return [v for v in table.values(name) if isinstance(v, int | Decimal)]


def plain_name(value: Cell) -> bool:
    """A value that stands for itself in prose: no words with a number that reads as one."""
    text = str(value)
    return not (" " in text and any(char.isdigit() for char in text))


def counted(table: Table) -> Fact:
    plural = table.noun.plural
    asked = f"the number of {table.said.removeprefix('the ')}"
    return Fact("count", asked, (plural, f"number of {plural}", "number", "count"), len(table))


@skill("totals", "compute-aggregates", takes=(Table,), gives=Facts, weight=1.2)
@dataclass(frozen=True)
class Totals(Skill):
    """How many rows there are, and the sum of a number over them."""

    measure: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [column.name for column in numbers(table, summable=True)]
        if not options or len(table) < 4 or table.grouped:
            return None
        return cls(world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.measure)
        label = column.label.removeprefix("total ")
        labels = (
            f"total {label}",
            label,
            "total",
            "together",
            *((column.unit,) * bool(column.unit)),
        )
        total = sum(amounts(table, self.measure))
        fact = Fact("total", f"their total {label}", labels, total, column.decimals, column.unit)
        code = f"«out» = {{'count': len(«0»), 'total': sum(r[{self.measure!r}] for r in «0»)}}"
        return step_of(table.noun.plural, (counted(table), fact), code)


@skill("average", "compute-aggregates", takes=(Table,), gives=Facts)
@dataclass(frozen=True)
class Average(Skill):
    """The mean of a number, or its median, and its largest value."""

    column: str
    median: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [c for c in numbers(table) if not table.grouped and len(table) >= 5]
        if not options:
            return None
        column = world.random.choice(options)
        chosen = cls(column.name, world.random.random() < 0.4)
        return chosen if clear(chosen.value(table), 2) else None

    def value(self, table: Table) -> Decimal:
        values = sorted(map(Decimal, amounts(table, self.column)))
        if not self.median:
            return sum(values, Decimal(0)) / len(values)
        middle = len(values) // 2
        return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2

    def detail(self) -> str:
        return "median" if self.median else "mean"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        word = "median" if self.median else "average"
        labels = (f"{word} {column.label}", word, *(("mean",) if not self.median else ()))
        asked = f"the {word} {column.label} of {table.said} (to 2 decimal places)"
        fact = Fact("middle", asked, labels, self.value(table), 2, column.unit)
        top = f"the largest {column.label} among them"
        words = (f"largest {column.label}", "largest", "highest", "maximum")
        peak = max(amounts(table, self.column))
        largest = Fact("largest", top, words, peak, column.decimals, column.unit)
        values = f"[Decimal(row[{self.column!r}]) for row in «0»]"
        how = "statistics.median" if self.median else "statistics.mean"
        code = (
            f"«out» = {{'middle': rounded({how}({values}), 2), "
            f"'largest': max(row[{self.column!r}] for row in «0»)}}"
        )
        return step_of(table.noun.plural, (fact, largest), code, ("rounded", "statistics"))


@skill("extreme-row", "sort-rank", takes=(Table,), gives=Facts)
@dataclass(frozen=True)
class ExtremeRow(Skill):
    """Which row has the largest or smallest value, and that value."""

    column: str
    label: str
    largest: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [c.name for c in numbers(table) if distinct(table, c.name)]
        labels = [
            column.name
            for column in table.of_kind("id", "name", "category")
            if distinct(table, column.name) and all(map(plain_name, table.values(column.name)))
        ]
        if not options or not labels or len(table) < 3:
            return None
        label = table.key if table.key in labels else world.random.choice(labels)
        return cls(world.random.choice(options), str(label), world.random.random() < 0.7)

    def detail(self) -> str:
        return "largest" if self.largest else "smallest"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column, label = table.column(self.column), table.column(self.label)
        side = "largest" if self.largest else "smallest"
        others = ("highest", "most", "top") if self.largest else ("lowest", "least", "fewest")
        pick = max if self.largest else min
        row = pick(table.rows, key=lambda row: Decimal(str(row[self.column])))
        among = table.said
        which = Fact(
            "which",
            f"the {label.label} with the {side} {column.label} in {among}"
            if table.grouped
            else f"the {label.label} of the one with the {side} {column.label} among {among}",
            (side, *others, label.label, column.label),
            row[self.label],
        )
        value = Fact(
            "value",
            f"that {column.label}",
            (column.label, side, *others),
            row[self.column],
            column.decimals,
            column.unit,
        )
        code = (
            f"best = {pick.__name__}(«0», key=lambda row: row[{self.column!r}])\n"
            f"«out» = {{'which': best[{self.label!r}], 'value': best[{self.column!r}]}}"
        )
        return step_of(table.noun.plural, (which, value), code)


@skill("share-of-category", "compute-aggregates", takes=(Table,), gives=Facts)
@dataclass(frozen=True)
class ShareOfCategory(Skill):
    """How many rows are of a kind, and what share in percent that is."""

    column: str
    value: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.of_kind("category"):
            for value, count in sorted(Counter(map(str, table.values(column.name))).items()):
                share = Decimal(count) * 100 / len(table)
                if 2 <= count <= len(table) - 2 and clear(share, 1) and value != "None":
                    options.append((column.name, value))
        if not options or table.grouped or len(table) < 6:
            return None
        spoken = [(c, v) for c, v in options if v in table.column(c).phrases]
        return cls(*world.random.choice(spoken or options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        which = column.phrases.get(self.value, f"whose {column.label} is “{self.value}”")
        count = sum(row[self.column] == self.value for row in table)
        plural = table.noun.plural
        of = table.said if table.phrase else f"all {plural}"
        number = Fact(
            "count",
            f"the number of {plural} {which}" + (f" among {table.said}" if table.phrase else ""),
            (self.value, plural, "number", "count"),
            count,
        )
        share = Fact(
            "share",
            f"their share of {of} in percent (to 1 decimal place)",
            ("share", "percent", "%", "percentage"),
            Decimal(count) * 100 / len(table),
            1,
            "percent",
        )
        code = "\n".join(
            (
                f"hits = sum(row[{self.column!r}] == {self.value!r} for row in «0»)",
                "«out» = {'count': hits, 'share': rounded(Decimal(hits) * 100 / len(«0»), 1)}",
            )
        )
        return step_of(plural, (number, share), code, ("rounded",))


@skill("most-frequent", "compute-aggregates", takes=(Table,), gives=Facts)
@dataclass(frozen=True)
class MostFrequent(Skill):
    """The value of a category that occurs most, how often, and how many values there are."""

    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.of_kind("category", "name"):
            counts = Counter(v for v in table.values(column.name) if v is not None)
            common = counts.most_common(2)
            unique = len(counts) >= 3 and common[0][1] > common[1][1]
            if unique and len(counts) < len(table) - 2 and plain_name(common[0][0]):
                options.append(column.name)
        if not options or table.grouped or len(table) < 6:
            return None
        return cls(world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        counts = Counter(v for v in table.values(self.column) if v is not None)
        value, count = counts.most_common(1)[0]
        of = table.said
        facts = (
            Fact("value", f"the most frequent {label} among {of}", (label, "most frequent", "most",
                 "frequent", "common"), value),
            Fact("count", "how often it occurs", ("times", "occurs", "often"), count),
            Fact("kinds", f"how many different values of {label} occur",
                 ("different", "distinct", "values", "kinds"), len(counts)),
        )  # fmt: skip
        code = "\n".join(
            (
                f"counts = Counter(row[{self.column!r}] for row in «0» "
                f"if row[{self.column!r}] is not None)",
                "top = counts.most_common(1)[0]",
                "«out» = {'value': top[0], 'count': top[1], 'kinds': len(counts)}",
            )
        )
        return step_of(table.noun.plural, facts, code, ("counter",))


@skill("time-span", "compute-aggregates", takes=(Table,), gives=Facts, weight=0.8)
@dataclass(frozen=True)
class TimeSpan(Skill):
    """The earliest and the latest day."""

    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [
            c.name for c in table.of_kind("date", "time") if None not in table.values(c.name)
        ]
        if not columns or table.grouped or len(table) < 4:
            return None
        chosen = cls(world.random.choice(columns))
        first, last = chosen.ends(table)
        return chosen if first != last else None

    def ends(self, table: Table) -> tuple[Cell, Cell]:
        days = sorted(day for v in table.values(self.column) if (day := as_day(v)))
        return days[0], days[-1]

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        first, last = self.ends(table)
        facts = (
            Fact("first", f"the earliest {label} among {table.said}",
                 ("earliest", "first", "from"), first),
            Fact("last", f"the latest {label}", ("latest", "last", "to", "until"), last),
        )  # fmt: skip
        code = "\n".join(
            (
                f"days = sorted(str(row[{self.column!r}])[:10] for row in «0»)",
                "«out» = {'first': date.fromisoformat(days[0]), "
                "'last': date.fromisoformat(days[-1])}",
            )
        )
        return step_of(table.noun.plural, facts, code, ("date",))


@skill("change-over-months", "compute-aggregates", takes=(Table,), gives=Facts, weight=0.8)
@dataclass(frozen=True)
class ChangeOverMonths(Skill):
    """The sums of two named months and the change between them."""

    day: str
    column: str
    months: tuple[str, str]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        days = [c.name for c in table.of_kind("date", "time") if None not in table.values(c.name)]
        columns = [c.name for c in numbers(table, summable=True)]
        if not days or not columns or table.grouped or len(table) < 10:
            return None
        day = world.random.choice(days)
        months = sorted({period(value, "month") for value in table.values(day)})
        if len(months) < 3:
            return None
        first = world.random.randint(0, len(months) - 2)
        chosen = cls(day, world.random.choice(columns), (months[first], months[first + 1]))
        before, after = chosen.sums(table)
        return chosen if before != after and before and after else None

    def sums(self, table: Table) -> tuple[int | Decimal, int | Decimal]:
        found: list[int | Decimal] = [0, 0]
        for row in table:
            month = period(row[self.day], "month")
            value = row[self.column]
            if month in self.months and isinstance(value, int | Decimal):
                found[self.months.index(month)] += value
        return found[0], found[1]

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column, label = table.column(self.column), table.column(self.day).label
        before, after = self.sums(table)
        name = column.label.removeprefix("total ")
        a, b = self.months
        of = f" of {table.said}" if table.phrase else ""
        change = f"the change from {a} to {b} (negative for a fall)"
        facts = (
            Fact("before", f"the total {name}{of} in {a} (month of the {label})", (a, "before"),
                 before, column.decimals, column.unit),
            Fact("after", f"that in {b}", (b, "after"), after, column.decimals, column.unit),
            Fact("change", change, ("change", "difference"), after - before,
                 column.decimals, column.unit),
        )  # fmt: skip
        code = "\n".join(
            (
                f"sums = {{{a!r}: 0, {b!r}: 0}}",  # an earlier state may have nothing there
                "for row in «0»:",
                f"    month = str(row[{self.day!r}])[:7]",
                f"    sums[month] = sums.get(month, 0) + row[{self.column!r}]",
                f"«out» = {{'before': sums[{a!r}], 'after': sums[{b!r}], "
                f"'change': sums[{b!r}] - sums[{a!r}]}}",
            )
        )
        return step_of(table.noun.plural, facts, code)
