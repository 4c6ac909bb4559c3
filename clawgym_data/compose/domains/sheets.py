"""A small language to describe datasets: sheets of fields, each with a way to draw its values.

A field's maker sees the `Draft` of its row: what is drawn already, the related row that a `ref`
picked, the place in the sheet. Fields whose name begins with `_` are drawn but not shown. Wordings
of a category are separated by `|`; one is taken per dataset.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from clawgym_data.compose.domain import Dataset, domain
from clawgym_data.compose.values import Column, Kind, Noun, Row, Table, rounded
from clawgym_data.compose.world import World

MONEY = "¤"
"""The unit of amounts of money; stands for the currency of the world."""
SCALE: Mapping[str, int] = {"SEK": 11, "NOK": 11, "DKK": 7, "PLN": 4, "CZK": 24}
"""What a euro is about worth, where it is far from one."""

LEVELS = re.compile(
    r"%|°C|bpm|rpm|mg/l|µS/cm|m³/s|px|cm|points( of 5)?|years|months|weeks"
    r"|.*\b(pH|level|rate|mean|average|minimum|year|load|per|unit|score|excess|validity|limit)\b.*"
)
"""Units and labels of numbers that nobody would add up."""
SPELT: Mapping[str, str] = {"h": "hours", "min": "minutes"}


@dataclass
class Draft:
    """A row that is being drawn. `entry` is its line of the sheet's list, if it has one."""

    world: World
    number: int
    total: int
    memory: dict[str, Any]
    pools: Mapping[str, Sequence[Mapping[str, Any]]]
    entry: tuple[Any, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)
    picked: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        return next(row[name] for row in self.picked.values() if name in row)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Drawn once for the whole sheet."""
        if name not in self.memory:
            self.memory[name] = make()
        return self.memory[name]

    def pick(self, *options: Any) -> Any:
        return self.world.random.choice(options)

    def often(self, share: float) -> bool:
        return self.world.random.random() < share

    def whole(self, low: int, high: int) -> int:
        return self.world.random.randint(low, high)

    def between(self, low: float, high: float, places: int = 2) -> Decimal:
        """Small values more often than large ones."""
        chance = self.world.random
        if low > 0:
            value = math.exp(chance.uniform(math.log(low), math.log(high)))
        else:
            value = chance.uniform(low, high)
        return rounded(Decimal(repr(value)), places)

    def near(self, value: float | Decimal, spread: float, places: int = 2) -> Decimal:
        """About this much, by a relative spread."""
        factor = 1 + max(-2.5, min(2.5, self.world.random.gauss(0, 1))) * spread
        return rounded(Decimal(repr(float(value) * factor)), places)

    def money(self, value: float | Decimal, places: int = 2) -> Decimal:
        """A number of euros in the currency of the world."""
        return rounded(Decimal(str(value)) * SCALE.get(self.world.currency, 1), places)

    def after(self, name: str, low: int, high: int, until: int | None = 0) -> date:
        """A day some days after another; not after today (`until` days from now, None: ever)."""
        day: date = self[name]
        if isinstance(day, datetime):
            day = day.date()
        later = day + timedelta(days=self.world.random.randint(low, high))
        if until is None:
            return later
        return max(day, min(later, self.world.today + timedelta(days=until)))

    def age(self, name: str) -> int:
        """Days since a date of this row."""
        day: date = self[name]
        return (self.world.today - (day.date() if isinstance(day, datetime) else day)).days


Maker = Callable[[Draft], Any]


@dataclass(frozen=True)
class Field:
    """A column and the way to draw it. `said` is a pattern for wordings of all its values."""

    name: str
    kind: Kind
    label: str
    make: Maker
    unit: str = ""
    decimals: int = 0
    phrases: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    unique: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table to draw. Its first field of the kind `id` is its key. `rows` is how many rows; of
    `entries`, a list of lines, as many are taken, without repetition."""

    singular: str
    plural: str
    rows: tuple[int, int]
    fields: tuple[Field, ...]
    entries: tuple[tuple[Any, ...], ...] = ()

    @property
    def key(self) -> str | None:
        return next((f.name for f in self.fields if f.kind == "id"), None)


def register(name: str, subcategories: Iterable[str], main: Sheet, *related: Sheet) -> None:
    """A domain of these sheets. Related ones are drawn first, in order."""

    def draw(world: World) -> Dataset:
        pools: dict[str, Sequence[Mapping[str, Any]]] = {}
        tables = [_draw(sheet, world, pools, sheet is main) for sheet in (*related, main)]
        return Dataset(tables[-1], tuple(tables[:-1]))

    domain(name, *subcategories)(draw)


def _draw(
    sheet: Sheet, world: World, pools: dict[str, Sequence[Mapping[str, Any]]], main: bool
) -> Table:
    chance = world.random
    total = chance.randint(*sheet.rows)
    entries: list[tuple[Any, ...]] = list(sheet.entries)
    if entries:
        total = min(total, len(entries))
        entries = chance.sample(entries, total)
    memory: dict[str, Any] = {}
    seen: dict[str, set[Any]] = {f.name: set() for f in sheet.fields if f.unique}
    drafts: list[Draft] = []
    for number in range(total):
        entry = entries[number] if entries else ()
        for _ in range(30):
            draft = Draft(world, number, total, memory, pools, entry)
            for entry_field in sheet.fields:
                draft.values[entry_field.name] = entry_field.make(draft)
            if all(draft.values[name] not in values for name, values in seen.items()):
                break
        for name, values in seen.items():
            values.add(draft.values[name])
        drafts.append(draft)
    if sheet.key:
        pools[sheet.key] = [draft.values for draft in drafts]
    shown = [f for f in sheet.fields if not f.name.startswith("_")]
    rows: list[Row] = [{f.name: draft.values[f.name] for f in shown} for draft in drafts]
    columns = tuple(_column(f, rows, world, main) for f in shown)
    return Table(Noun(sheet.singular, sheet.plural), columns, tuple(rows), sheet.key)


def _column(entry: Field, rows: Sequence[Row], world: World, main: bool) -> Column:
    """`main` tells a table's own numbers from those that a join repeats, row by row."""
    choose = world.random.choice
    phrases: dict[str, str] = {}
    if entry.said:
        pattern = choose(entry.said.split("|"))
        values = dict.fromkeys(str(row[entry.name]) for row in rows if row[entry.name])
        phrases |= {value: pattern.replace("{}", value) for value in values}
    for value, wordings in entry.phrases.items():
        phrases[value] = choose(wordings.split("|"))
    unit = world.currency if entry.unit == MONEY else entry.unit
    if SPELT.get(unit, unit) in entry.label.split():
        unit = ""  # the label says it already: "hours worked", "number of words"
    level = (entry.unit and LEVELS.fullmatch(entry.unit)) or LEVELS.fullmatch(entry.label)
    summable = main and not level
    return Column(entry.name, entry.kind, entry.label, unit, entry.decimals, phrases, summable)


def ident(
    name: str, label: str, patterns: str, start: tuple[int, int] = (100, 900), gap: int = 1
) -> Field:
    """A running number in one of the styles of `patterns`; `{y}` is the year of the request."""

    def make(draft: Draft) -> str:
        pattern = draft.once(f"{name} pattern", lambda: draft.pick(*patterns.split("|")))
        numbers = draft.once(name, lambda: _numbers(draft, start, gap))
        return str(pattern.format(numbers[draft.number], y=draft.world.today.year))

    return Field(name, "id", label, make)


def _numbers(draft: Draft, start: tuple[int, int], gap: int) -> list[int]:
    numbers = [draft.whole(*start)]
    while len(numbers) < draft.total:
        numbers.append(numbers[-1] + draft.whole(1, gap))
    return numbers


def code(name: str, label: str, position: int = 0) -> Field:
    """A key that stands in the sheet's list."""
    return Field(name, "id", label, lambda draft: draft.entry[position])


def given(
    name: str, kind: Kind, label: str, position: int, said: str = "", unit: str = ""
) -> Field:
    """What the sheet's list says, as it is."""
    return Field(name, kind, label, lambda draft: draft.entry[position], unit, said=said)


def ref(key: str, label: str, said: str = "") -> Field:
    """The key of a related row; some of them come up more often than others."""

    def make(draft: Draft) -> str:
        pool = draft.pools[key]
        weights = draft.once(key, lambda: [draft.whole(1, 5) for _ in pool])
        row = draft.world.random.choices(pool, weights)[0]
        draft.picked[key] = row
        return str(row[key])

    return Field(key, "category", label, make, said=said)


def enum(
    name: str,
    label: str,
    values: Mapping[str, str] | Sequence[str],
    weights: Sequence[float] = (),
    said: str = "",
    make: Maker | None = None,
) -> Field:
    """A category. A mapping says how each value is put after a plural noun."""
    options = list(values)

    def drawn(draft: Draft) -> Any:
        return draft.world.random.choices(options, weights or None)[0]

    phrases = values if isinstance(values, Mapping) else {}
    return Field(name, "category", label, make or drawn, phrases=phrases, said=said)


def flag(name: str, label: str, share: float | Maker, yes: str = "", no: str = "") -> Field:
    """Yes or no; `yes` and `no` put it after a plural noun ("that are paid")."""

    def make(draft: Draft) -> bool:
        return bool(share(draft)) if callable(share) else draft.often(share)

    phrases = {value: said for value, said in (("yes", yes), ("no", no)) if said}
    return Field(name, "flag", label, make, phrases=phrases)


def amount(
    name: str,
    label: str,
    make: Maker | tuple[float, float],
    unit: str = MONEY,
    decimals: int = 2,
    unique: bool = True,
) -> Field:
    """A Decimal; a pair means between these, small ones more often (euros for money)."""
    if callable(make):
        source = make
    else:
        low, high = make

        def source(draft: Draft) -> Decimal:
            value = draft.between(low, high, decimals)
            return draft.money(value, decimals) if unit == MONEY else value

    def exact(draft: Draft) -> Decimal | None:
        value = source(draft)
        return None if value is None else rounded(Decimal(value), decimals)

    return Field(name, "amount", label, exact, unit, decimals, unique=unique)


def count(
    name: str,
    label: str,
    make: Maker | tuple[int, int],
    unit: str = "",
    unique: bool = False,
) -> Field:
    """A whole number; a pair means between these, small ones more often."""
    if callable(make):
        return Field(name, "count", label, make, unit, unique=unique)
    low, high = make

    def drawn(draft: Draft) -> int:
        return min(
            high, int(draft.between(max(low, 0.9), high + 0.9, 4)) if high > 4 * low else 0
        ) or (draft.whole(low, high))

    return Field(name, "count", label, drawn, unit, unique=unique)


def day(name: str, label: str, far: int, near: int) -> Field:
    """Dates in the order of the rows, from `far` to `near` days before today; no two the same
    where there are enough."""

    def draw(draft: Draft) -> list[date]:
        chance, ages = draft.world.random, range(near, far + 1)
        few = len(ages) < 2 * draft.total
        drawn = chance.choices(ages, k=draft.total) if few else chance.sample(ages, draft.total)
        return [draft.world.today - timedelta(days=age) for age in sorted(drawn, reverse=True)]

    def make(draft: Draft) -> date:
        result: date = draft.once(name, lambda: draw(draft))[draft.number]
        return result

    return Field(name, "date", label, make)


def when(name: str, label: str, make: Maker) -> Field:
    """A date that follows from others, or None where there is none yet."""
    return Field(name, "date", label, make)


def moment(
    name: str, label: str, far: int, near: int, hours: tuple[int, int] = (8, 18), step: int = 1
) -> Field:
    """Times in the order of the rows, no two the same."""

    def draw(draft: Draft) -> list[datetime]:
        times: dict[datetime, None] = {}
        while len(times) < draft.total:
            start = draft.world.day(near, far)
            minute = draft.whole(0, 59) // step * step
            time = datetime(start.year, start.month, start.day, draft.whole(*hours), minute)
            times[time] = None
        return sorted(times)

    def make(draft: Draft) -> datetime:
        result: datetime = draft.once(name, lambda: draw(draft))[draft.number]
        return result

    return Field(name, "time", label, make)


def who(name: str, label: str, offset: int = 0) -> Field:
    """A person of the world; every row another one."""

    def make(draft: Draft) -> str:
        people = draft.world.people
        return people[(offset + draft.number) % len(people)]

    return Field(name, "name", label, make)


def staff(name: str, label: str, size: int = 5, said: str = "", offset: int = 24) -> Field:
    """One of a few people, again and again: a category by its nature."""

    def make(draft: Draft) -> str:
        people = draft.world.people
        return people[(offset + draft.whole(0, size - 1)) % len(people)]

    return Field(name, "category", label, make, said=said)


def place(name: str, label: str, size: int = 6, said: str = "") -> Field:
    """One of the places of the world."""
    return Field(
        name,
        "category",
        label,
        lambda draft: draft.pick(*draft.world.places[:size]),
        said=said,
    )


def text(name: str, label: str, options: Sequence[str] | Maker) -> Field:
    """Free words; a list is used up before anything of it comes again."""
    if callable(options):
        return Field(name, "text", label, options)
    lines = list(options)

    def make(draft: Draft) -> str:
        shuffled = draft.once(name, lambda: draft.world.random.sample(lines, len(lines)))
        return str(shuffled[draft.number % len(shuffled)])

    return Field(name, "text", label, make)


def hidden(name: str, make: Maker) -> Field:
    """Drawn for the others, not shown."""
    return Field(f"_{name}", "text", "", make)


__all__ = [
    "MONEY",
    "Draft",
    "Field",
    "Sheet",
    "amount",
    "code",
    "count",
    "day",
    "enum",
    "flag",
    "given",
    "hidden",
    "ident",
    "moment",
    "place",
    "ref",
    "register",
    "staff",
    "text",
    "when",
    "who",
]
