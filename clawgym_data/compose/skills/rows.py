"""Transforms that order rows, take the first of them, or bring a related table to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from clawgym_data.compose.skill import Say, Skill, Step, skill
from clawgym_data.compose.skills.filters import numbers, table_of
from clawgym_data.compose.values import Cell, Column, Noun, Row, Table, Value
from clawgym_data.compose.world import World


def distinct(table: Table, name: str) -> bool:
    values = table.values(name)
    return None not in values and len(set(values)) == len(values)


@skill("sort-rows", "sort-rank", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class SortRows(Skill):
    """By one column without ties, or by a category and then such a column."""

    first: str
    column: str
    falling: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [
            column.name
            for column in table.columns
            if column.kind in ("amount", "count", "date", "time") and distinct(table, column.name)
        ]
        if not options or len(table) < 4 or table.ordered:
            return None
        groups = [
            column.name
            for column in table.of_kind("category")
            if None not in table.values(column.name)
            and len(set(map(str.lower, map(str, table.values(column.name))))) <= len(table) // 2
            and all(str(v).isascii() for v in table.values(column.name))
        ]
        first = world.random.choice(groups) if groups and world.random.random() < 0.4 else ""
        return cls(first, world.random.choice(options), world.random.random() < 0.6)

    def detail(self) -> str:
        return ("by-group-" if self.first else "") + ("falling" if self.falling else "rising")

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        dated = column.kind in ("date", "time")
        ways = ("latest first", "earliest first") if dated else ("largest first", "smallest first")
        how = f"{column.label}, {ways[0] if self.falling else ways[1]}"
        rows: list[Row] = sorted(
            table,
            key=lambda row: row[self.column],  # type: ignore[arg-type,return-value]
            reverse=self.falling,
        )
        code = f"sorted(«0», key=lambda row: row[{self.column!r}], reverse={self.falling})"
        if self.first:
            rows = sorted(rows, key=lambda row: str(row[self.first]).lower())
            how = f"{table.column(self.first).label} in alphabetical order, then {how}"
            code = f"sorted({code}, key=lambda row: row[{self.first!r}].lower())"
        phrase = f"{table.said}, sorted by {how}"
        do = (f"sort them by {how}", f"put them in order: {how}")
        return Step(
            table.with_rows(rows, phrase, how),
            Say(do, (f"Order of the {table.noun.plural}: {how}.",), (phrase,)),
            f"«out» = {code}",
        )


@skill("largest", "sort-rank", takes=(Table,), gives=Table)
@dataclass(frozen=True)
class Largest(Skill):
    """The rows with the largest or smallest values of a number, in that order; no ties."""

    column: str
    count: int
    largest: bool

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        options = [column.name for column in numbers(table) if distinct(table, column.name)]
        if not options or len(table) < 5 or table.ordered:
            return None
        count = world.random.randint(3, min(8, len(table) - 1))
        return cls(world.random.choice(options), count, world.random.random() < 0.7)

    def detail(self) -> str:
        return "largest" if self.largest else "smallest"

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        column = table.column(self.column)
        side = "largest" if self.largest else "smallest"
        rows = sorted(table, key=lambda row: row[self.column], reverse=self.largest)[: self.count]  # type: ignore[arg-type,return-value]
        order = f"{column.label}, {side} first"
        of = table.said.removeprefix("the ")
        phrase = f"the {self.count} {of} with the {side} {column.label}, {side} first"
        if table.phrase:
            phrase = f"out of {table.said}, the {self.count} with the {side} {column.label}"
            phrase += f" ({side} first)"
        do = (
            f"take the {self.count} {table.noun.plural} with the {side} {column.label}, "
            f"{side} first",
            f"pick the {self.count} with the {side} {column.label}, beginning with the {side}",
        )
        rule = (
            f"Only the {self.count} {table.noun.plural} with the {side} {column.label} matter, "
            f"{side} first.",
        )
        code = (
            f"«out» = sorted(«0», key=lambda row: row[{self.column!r}], "
            f"reverse={self.largest})[:{self.count}]"
        )
        return Step(table.with_rows(rows, phrase, order), Say(do, rule, (phrase,)), code)


@skill("best-per-group", "sort-rank", takes=(Table,), gives=Table, weight=0.8)
@dataclass(frozen=True)
class BestPerGroup(Skill):
    """For each value of a category, its row with the largest (or latest) value."""

    by: str
    column: str

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        groups = [
            column.name
            for column in table.of_kind("category")
            if 3 <= len(set(table.values(column.name))) <= len(table) // 2
            and None not in table.values(column.name)
        ]
        options = [
            column.name
            for column in table.columns
            if column.kind in ("amount", "count", "date", "time") and distinct(table, column.name)
        ]
        if not groups or not options or table.grouped or table.ordered:
            return None
        return cls(world.random.choice(groups), world.random.choice(options))

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        by, column = table.column(self.by), table.column(self.column)
        word = "latest" if column.kind in ("date", "time") else "largest"
        best: dict[Cell, Row] = {}
        for row in table:
            held = best.get(row[self.by])
            if held is None or row[self.column] > held[self.column]:  # type: ignore[operator]
                best[row[self.by]] = row
        one = table.noun.singular
        phrase = f"for each {by.label} the {one} with the {word} {column.label}"
        if table.phrase:
            phrase += f" among {table.said}"
        do = (f"keep, for each {by.label}, only the {one} with the {word} {column.label}",)
        rule = (f"Per {by.label} only the {one} with the {word} {column.label} counts.",)
        code = "\n".join(
            (
                "«out»_best = {}",
                f"for row in sorted(«0», key=lambda row: row[{self.column!r}]):",
                f"    «out»_best[row[{self.by!r}]] = row",
                "«out» = list(«out»_best.values())",
            )
        )
        return Step(table.with_rows(list(best.values()), phrase), Say(do, rule, (phrase,)), code)


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
        names = [column.label for column in added]
        labels = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
        key = left.column(right.key).label
        one, what = left.noun.singular, right.noun.plural
        do = (
            f"look up the {labels} for each {one} by its {key}",
            f"match the {left.noun.plural} with the {what} by {key} to get the {labels}",
        )
        rule = (
            f"The {labels} for each {one} come from the list of {what}, by {key}.",
            f"Which {labels} belongs to a {one} is in the list of {what} (same {key}).",
        )
        phrase = f"{left.said} together with the {labels} from the list of {what} (by {key})"
        code = "\n".join(
            (
                f"«out»_by_key = {{row[{right.key!r}]: row for row in «1»}}",
                f"«out» = [{{**row, **«out»_by_key[row[{right.key!r}]]}} for row in «0»]",
            )
        )
        value = replace(left, columns=columns, rows=tuple(rows), phrase=phrase)
        return Step(value, Say(do, rule, (phrase,)), code)


@skill("without-partner", "join-tables", takes=(Table, Table), gives=Table)
@dataclass(frozen=True)
class WithoutPartner(Skill):
    """The rows of the related table to which nothing refers."""

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        left, right = inputs
        assert isinstance(left, Table)
        assert isinstance(right, Table)
        if not right.key or len(right) < 4 or len(right.columns) < 2:
            return None
        used = set(left.values(right.key))
        idle = sum(row[right.key] not in used for row in right)
        return cls() if 1 <= idle <= len(right) - 1 and idle >= 2 else None

    def apply(self, inputs: Sequence[Value]) -> Step:
        left, right = inputs
        assert isinstance(left, Table)
        assert isinstance(right, Table)
        assert right.key
        used = set(left.values(right.key))
        rows = [row for row in right if row[right.key] not in used]
        of = left.said
        phrase = f"the {right.noun.plural} that do not occur among {of}"
        do = (f"find the {right.noun.plural} that do not occur among {of}",)
        rule = (f"Wanted are the {right.noun.plural} that do not occur among {of}.",)
        code = "\n".join(
            (
                f"«out»_used = {{row[{right.key!r}] for row in «0»}}",
                f"«out» = [row for row in «1» if row[{right.key!r}] not in «out»_used]",
            )
        )
        return Step(right.with_rows(rows, phrase), Say(do, rule, (phrase,)), code)


@skill("distinct-values", "reshape-data", takes=(Table,), gives=Table, weight=0.6)
@dataclass(frozen=True)
class DistinctValues(Skill):
    """The combinations of two categories that occur, each once."""

    columns: tuple[str, str]

    @classmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        table = table_of(inputs)
        names = [
            column.name
            for column in table.of_kind("category", "name")
            if None not in table.values(column.name)
        ]
        if len(names) < 2 or table.grouped:
            return None
        first, second = world.random.sample(names, 2)
        pairs = {(row[first], row[second]) for row in table}
        return cls((first, second)) if 4 <= len(pairs) <= len(table) - 2 else None

    def apply(self, inputs: Sequence[Value]) -> Step:
        table = table_of(inputs)
        columns: tuple[Column, ...] = tuple(table.column(name) for name in self.columns)
        pairs = dict.fromkeys(tuple(row[name] for name in self.columns) for row in table)
        rows = tuple(dict(zip(self.columns, pair, strict=True)) for pair in pairs)
        a, b = (column.label for column in columns)
        phrase = f"each combination of {a} and {b} that occurs among {table.said}, once"
        do = (f"list each combination of {a} and {b} that occurs, once",)
        code = "\n".join(
            (
                f"names = {self.columns!r}",
                "«out»_pairs = dict.fromkeys(tuple(row[n] for n in names) for row in «0»)",
                "«out» = [dict(zip(names, pair)) for pair in «out»_pairs]",
            )
        )
        noun = Noun("combination", "combinations")
        value = Table(noun, columns, rows, None, phrase, grouped=True)
        return Step(value, Say(do, (f"{do[0][0].upper()}{do[0][1:]}.",), (phrase,)), code)
