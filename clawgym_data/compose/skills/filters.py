"""Transforms that keep some rows: by category, number, day, flag, word, or what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.values import Cell, Column, Row, Table, Value
from clawgym_data.compose.world import World

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def table_of(inputs: Sequence[Value]) -> Table:
    table = inputs[0]
    assert isinstance(table, Table)
    return table


def spoken_day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def as_day(value: Cell) -> date | None:
    """The day of a date or a time."""
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def kept(table: Table, which: str, keep: bool, rows: Sequence[Row], test: str) -> Step:
    """The step of a filter. `which` follows the noun ("that are still open"); `test` is Python
    over `row` that is true for the rows that `which` describes."""
    plural = table.noun.plural
    if keep:
        phrase = f"{table.said} {which}"
        do = (
            f"keep only the {plural} {which}",
            f"look only at the {plural} {which}",
            f"take just the {plural} {which}",
        )
        rule = (
            f"Only the {plural} {which} count.",
            f"This is about the {plural} {which}.",
            f"I only care about the {plural} {which}.",
        )
    else:
        phrase = f"{table.said}, leaving out those {which}"
        do = (
            f"leave out the {plural} {which}",
            f"drop the {plural} {which}",
            f"do not count the {plural} {which}",
        )
        rule = (
            f"The {plural} {which} do not count.",
            f"Ignore the {plural} {which}.",
            f"Without the {plural} {which}, please.",
        )
    condition = test if keep else f"not ({test})"
    code = f"«out» = [row for row in «0» if {condition}]"
    return Step(table.with_rows(rows, phrase), Say(do, rule, (phrase,)), code)


def fair(table: Table, share: int) -> bool:
    """A filter that keeps neither nearly all nor nearly nothing."""
    return len(table) >= 6 and 3 <= share <= len(table) - 2


def chained(table: Table) -> bool:
    """Whether the phrase already has enough relative clauses for one sentence."""
    return table.phrase.count(" that ") + table.phrase.count(" whose ") >= 2


@skill("filter-category", "filter-rows", takes=(Table,), gives=Table, weight=1.3)
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
                count = sum(row[column.name] == value for row in table)
                keep = world.random.random() < 0.6
                if fair(table, count if keep else len(table) - count):
                    options.append((column.name, value, column.phrases.get(value, ""), keep))
        if not options or table.grouped or chained(table):
            return None
        spoken = [option for option in options if option[2]] or options
        name, value, _, keep = world.random.choice(spoken)
        return cls(name, value, keep)

    def detail(self) -> str:
        return "keep" if self.keep else "drop"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        rows = [row for row in table if (row[self.column] == self.value) == self.keep]
        which = column.phrases.get(self.value, f"whose {column.label} is “{self.value}”")
        return kept(table, which, self.keep, rows, f"row[{self.column!r}] == {self.value!r}")


@skill("filter-categories", "filter-rows", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class FilterCategories(Skill):
    """Rows with one of two or three values of a category."""

    column: str
    values: tuple[str, ...]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.of_kind("category"):
            found = sorted({str(v) for v in table.values(column.name) if v is not None})
            if 4 <= len(found) <= 12:
                values = tuple(world.random.sample(found, world.random.randint(2, 3)))
                if fair(table, sum(row[column.name] in values for row in table)):
                    options.append((column.name, values))
        if not options or table.grouped or chained(table):
            return None
        return cls(*world.random.choice(options))

    def detail(self) -> str:
        return str(len(self.values))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        rows = [row for row in table if row[self.column] in self.values]
        quoted = [f"“{value}”" for value in self.values]
        which = f"whose {label} is {', '.join(quoted[:-1])} or {quoted[-1]}"
        return kept(table, which, True, rows, f"row[{self.column!r}] in {self.values!r}")


@skill("filter-number", "filter-rows", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class FilterNumber(Skill):
    """Rows with a number above or below a round threshold that no row meets exactly."""

    column: str
    threshold: int
    above: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.columns:
            values = [v for v in table.values(column.name) if isinstance(v, int | Decimal)]
            if not column.numeric or len(values) < len(table) or len(set(values)) < 5:
                continue
            ordered = sorted(values)
            middle = int(ordered[world.random.randint(len(values) // 3, 2 * len(values) // 3)])
            for step in (1000, 500, 100, 50, 10, 5, 1):
                threshold = middle // step * step
                if threshold > ordered[0] and threshold not in values:
                    options.append((column.name, threshold))
                    break
        if not options or chained(table):
            return None
        name, threshold = world.random.choice(options)
        above = world.random.random() < 0.6
        count = sum(row[name] > threshold for row in table)  # type: ignore[operator]
        return (
            cls(name, threshold, above)
            if fair(table, count if above else len(table) - count)
            else None
        )

    def detail(self) -> str:
        return "above" if self.above else "below"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        rows = [row for row in table if (row[self.column] > self.threshold) == self.above]  # type: ignore[operator]
        unit = f" {column.unit}" if column.unit else ""
        side = "above" if self.above else "below"
        which = f"whose {column.label} is {side} {self.threshold}{unit}"
        sign = ">" if self.above else "<"
        return kept(table, which, True, rows, f"row[{self.column!r}] {sign} {self.threshold}")


@skill("filter-period", "filter-rows", takes=(Table,), gives=Table, weight=1.2)
@dataclass(frozen=True)
class FilterPeriod(Skill):
    """Rows whose day lies in a month, from a day on, before a day, or within two days."""

    column: str
    first: date | None
    last: date | None
    """Both included; None is open."""
    words: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [c for c in table.of_kind("date", "time") if None not in table.values(c.name)]
        if not columns or table.grouped or chained(table):
            return None
        column = world.random.choice(columns)
        days = sorted(day for value in table.values(column.name) if (day := as_day(value)))
        middle = days[world.random.randint(len(days) // 4, 3 * len(days) // 4)]
        start = middle.replace(day=1)
        end = (start + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        label = column.label
        kind = world.random.choice(("month", "from", "before", "between"))
        if kind == "month":
            chosen = cls(column.name, start, end, f"whose {label} is in {start:%B %Y}")
        elif kind == "from":
            words = f"whose {label} is {spoken_day(start)} or later"
            chosen = cls(column.name, start, None, words)
        elif kind == "before":
            words = f"whose {label} is before {spoken_day(start)}"
            chosen = cls(column.name, None, start - timedelta(days=1), words)
        else:
            stop = min(end + timedelta(days=world.random.choice((15, 31))), days[-1])
            words = (
                f"whose {label} is from {spoken_day(start)} to {spoken_day(stop)} (both included)"
            )
            chosen = cls(column.name, start, stop, words)
        count = sum(chosen.holds(row) for row in table)
        return chosen if fair(table, count) else None

    def holds(self, row: Row) -> bool:
        day = as_day(row[self.column])
        assert day is not None
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)

    def detail(self) -> str:
        return ("from" if self.first else "") + ("to" if self.last else "")

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        rows = [row for row in table if self.holds(row)]
        day = f"str(row[{self.column!r}])[:10]"
        if self.first and self.last:
            test = f"{self.first.isoformat()!r} <= {day} <= {self.last.isoformat()!r}"
        elif self.first:
            test = f"{day} >= {self.first.isoformat()!r}"
        else:
            assert self.last is not None
            test = f"{day} <= {self.last.isoformat()!r}"
        return kept(table, self.words, True, rows, test)


@skill("filter-weekday", "filter-rows", takes=(Table,), gives=Table, weight=0.6)
@dataclass(frozen=True)
class FilterWeekday(Skill):
    """Rows whose day is at a weekend, or is not."""

    column: str
    weekend: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [c for c in table.of_kind("date", "time") if None not in table.values(c.name)]
        if not columns or table.grouped or chained(table):
            return None
        chosen = cls(world.random.choice(columns).name, world.random.random() < 0.5)
        count = sum(chosen.holds(row) for row in table)
        return chosen if fair(table, count) else None

    def holds(self, row: Row) -> bool:
        day = as_day(row[self.column])
        assert day is not None
        return (day.weekday() >= 5) == self.weekend

    def detail(self) -> str:
        return "weekend" if self.weekend else "weekdays"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        span = "on a Saturday or Sunday" if self.weekend else "on a day from Monday to Friday"
        rows = [row for row in table if self.holds(row)]
        sign = ">=" if self.weekend else "<"
        test = f"row[{self.column!r}].weekday() {sign} 5"
        return kept(table, f"whose {label} falls {span}", True, rows, test)


@skill("filter-flag", "filter-rows", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class FilterFlag(Skill):
    """Rows for which something is so, or is not."""

    column: str
    value: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        columns = [c.name for c in table.of_kind("flag") if None not in table.values(c.name)]
        if not columns or table.grouped or chained(table):
            return None
        chosen = cls(world.random.choice(columns), world.random.random() < 0.5)
        count = sum(row[chosen.column] is chosen.value for row in table)
        return chosen if fair(table, count) else None

    def detail(self) -> str:
        return "yes" if self.value else "no"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        rows = [row for row in table if row[self.column] is self.value]
        said = "yes" if self.value else "no"
        which = column.phrases.get(said, f"where “{column.label}” is {said}")
        return kept(table, which, True, rows, f"row[{self.column!r}] is {self.value}")


@skill("filter-missing", "detect-anomalies", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class FilterMissing(Skill):
    """Rows in which a value is missing, or rows in which it is there."""

    column: str
    missing: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [
            column.name
            for column in table.columns
            if fair(table, sum(row[column.name] is None for row in table))
        ]
        if not options or table.grouped or chained(table):
            return None
        return cls(world.random.choice(options), world.random.random() < 0.5)

    def detail(self) -> str:
        return "missing" if self.missing else "there"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        rows = [row for row in table if (row[self.column] is None) == self.missing]
        which = f"that have {'no' if self.missing else 'a'} {label}"
        test = f"row[{self.column!r}] is {'' if self.missing else 'not '}None"
        return kept(table, which, True, rows, test)


@skill("filter-word", "filter-rows", takes=(Table,), gives=Table, weight=0.8)
@dataclass(frozen=True)
class FilterWord(Skill):
    """Rows whose text or name has a word, in any case."""

    column: str
    word: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.of_kind("text"):
            texts = [str(v).lower() for v in table.values(column.name) if v is not None]
            words = sorted(
                {w for text in texts for w in text.split() if w.isalpha() and len(w) > 3}
            )
            for word in words:
                whole = sum(word in text.split() for text in texts)
                inside = sum(word in text for text in texts)
                if whole == inside and fair(table, whole):
                    options.append((column.name, word))
        if not options or table.grouped or chained(table):
            return None
        return cls(*world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        rows = [
            row
            for row in table
            if row[self.column] is not None and self.word in str(row[self.column]).lower().split()
        ]
        which = f"whose {label} contains the word “{self.word}”"
        test = f"{self.word!r} in (row[{self.column!r}] or '').lower()"
        return kept(table, which, True, rows, test)


@skill("outliers", "detect-anomalies", takes=(Table,), gives=Table, weight=0.8)
@dataclass(frozen=True)
class Outliers(Skill):
    """Rows with a number more than so many times the median."""

    column: str
    times: int

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = []
        for column in table.columns:
            values = [v for v in table.values(column.name) if isinstance(v, int | Decimal)]
            if not column.numeric or len(values) < len(table) or min(values) <= 0:
                continue
            for times in (2, 3):
                count = sum(v > times * median(values) for v in values)
                if 2 <= count <= len(table) // 3 and len(table) >= 8:
                    options.append((column.name, times))
        if not options or table.grouped or chained(table):
            return None
        return cls(*world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        label = table.column(self.column).label
        limit = self.times * median([v for v in table.values(self.column) if v is not None])  # type: ignore[misc]
        rows = [row for row in table if row[self.column] > limit]  # type: ignore[operator]
        how = {2: "twice", 3: "three times"}[self.times]
        of = table.said.removeprefix("the ")
        which = f"whose {label} is more than {how} the median of all {of}"
        step = kept(table, which, True, rows, f"row[{self.column!r}] > limit")
        first = f"limit = {self.times} * statistics.median(r[{self.column!r}] for r in «0»)"
        return Step(step.value, step.say, f"{first}\n{step.code}", ("statistics",))


def median(values: Sequence[int | Decimal]) -> Decimal:
    ordered = sorted(map(Decimal, values))
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def numbers(table: Table, *, summable: bool = False) -> list[Column]:
    """Numeric columns without gaps."""
    return [
        column
        for column in table.columns
        if column.numeric
        and (column.summable or not summable)
        and None not in table.values(column.name)
    ]
