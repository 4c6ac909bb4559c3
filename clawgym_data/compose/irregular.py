"""Irregularities of files, each with a reading that is said: what real lists are like.

An irregularity works on rows of texts, before they are written in whatever format. `rule` is the
sentence that the request (or a document it points to) says, with `{where}` for the file; `code`
undoes it in the reference program, where the rows of texts are called `rows`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from clawgym_data.compose.values import Column, Row, Table, plain
from clawgym_data.compose.world import World

Texts = list[dict[str, str]]
VOID = "#"
SUM = "Total"


@dataclass(frozen=True)
class Irregularity:
    """`name` goes into the skeleton."""

    name: str
    rule: str
    code: str
    spoil: Callable[[Texts], Texts]


Maker = Callable[[Table, World], Irregularity | None]


def texts(table: Table) -> Texts:
    return [
        {column.name: plain(row[column.name], column.decimals) for column in table.columns}
        for row in table
    ]


def decimal_comma(table: Table, world: World) -> Irregularity | None:
    names = [column.name for column in table.of_kind("amount")]
    if not names:
        return None

    def spoil(rows: Texts) -> Texts:
        def shown(text: str) -> str:
            whole, _, part = text.partition(".")
            sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
            grouped = f"{int(digits):,}".replace(",", ".") if digits else ""
            return f"{sign}{grouped}" + (f",{part}" if part else "")

        return [{k: shown(v) if k in names else v for k, v in row.items()} for row in rows]

    labels = " and ".join(table.column(name).label for name in names[:2])
    rule = (
        f"Amounts in {{where}} ({labels}{' and so on' if len(names) > 2 else ''}) have a decimal "
        "comma, and a point between thousands."
    )
    code = "\n".join(
        (
            "for row in rows:",
            f"    for name in {names!r}:",
            "        row[name] = row[name].replace('.', '').replace(',', '.')",
        )
    )
    return Irregularity("comma", rule, code, spoil)


def local_dates(table: Table, world: World) -> Irregularity | None:
    names = [column.name for column in table.of_kind("date")]
    if not names:
        return None
    american = world.locale in ("en", "en-us") and world.random.random() < 0.5
    shape = "%m/%d/%Y" if american else "%d.%m.%Y"

    def spoil(rows: Texts) -> Texts:
        def shown(text: str) -> str:
            return date.fromisoformat(text).strftime(shape) if text else ""

        return [{k: shown(v) if k in names else v for k, v in row.items()} for row in rows]

    said = "MM/DD/YYYY" if american else "DD.MM.YYYY"
    rule = f"Dates in {{where}} are written {said}; in what you deliver, write YYYY-MM-DD."
    code = "\n".join(
        (
            "for row in rows:",
            f"    for name in {names!r}:",
            "        if row[name]:",
            f"            day = datetime.strptime(row[name], {shape!r})",
            "            row[name] = day.strftime('%Y-%m-%d')",
        )
    )
    return Irregularity("dates", rule, code, spoil)


def repeats(table: Table, world: World) -> Irregularity | None:
    if not table.key or len(table) < 6:
        return None
    places = world.random.sample(range(len(table)), min(4, 1 + len(table) // 8))
    gaps = [world.random.randint(0, len(table)) for _ in places]

    def spoil(rows: Texts) -> Texts:
        found = list(rows)
        for place, gap in zip(places, gaps, strict=True):
            found.insert(gap, dict(rows[place]))
        return found

    one, label = table.noun.singular, table.column(table.key).label
    rule = (
        f"Some lines of {{where}} are there twice by mistake (same {label}); each {one} counts "
        "once."
    )
    code = f"rows = list({{row[{table.key!r}]: row for row in rows}}.values())"
    return Irregularity("repeats", rule, code, spoil)


def corrections(table: Table, world: World) -> Irregularity | None:
    numbers = [
        column
        for column in table.of_kind("amount", "count")
        if None not in table.values(column.name)
    ]
    if not table.key or len(table) < 8 or not numbers:
        return None
    column = world.random.choice(numbers)
    places = sorted(world.random.sample(range(len(table) - 2), min(3, 1 + len(table) // 10)))
    factor = world.random.choice((2, 3))

    def spoil(rows: Texts) -> Texts:
        """The first mention holds a wrong number; the right line stands at the end."""
        found = [dict(row) for row in rows]
        for place in places:
            right = found[place]
            wrong = dict(right)
            digits = right[column.name]
            head = "1" + digits if not digits.startswith("-") else "-1" + digits[1:]
            wrong[column.name] = head if factor == 2 else digits.replace(digits[-1], "7") + "0"
            found[place] = wrong
            found.append(right)
        return found

    label = table.column(table.key).label
    rule = (
        f"A {label} that comes up again in {{where}} is a correction: the last line with it counts."
    )
    code = f"rows = list({{row[{table.key!r}]: row for row in rows}}.values())"
    return Irregularity("corrections", rule, code, spoil)


def sum_row(table: Table, world: World) -> Irregularity | None:
    columns = [
        column
        for column in table.of_kind("amount", "count")
        if column.summable and None not in table.values(column.name)
    ]
    if not table.key or not columns:
        return None
    key = table.key

    def spoil(rows: Texts) -> Texts:
        last = dict.fromkeys(rows[0], "")
        last[key] = SUM
        for column in columns:
            last[column.name] = plain(_sum(table.rows, column), column.decimals)
        return [*rows, last]

    rule = f"The last line of {{where}}, “{SUM}”, is the sum and not a {table.noun.singular}."
    code = f"rows = [row for row in rows if row[{key!r}] != {SUM!r}]"
    return Irregularity("sum", rule, code, spoil)


def _sum(rows: Sequence[Row], column: Column) -> Decimal | int:
    total = sum((Decimal(str(row[column.name])) for row in rows), Decimal(0))
    return total if column.kind == "amount" else int(total)


def struck(table: Table, world: World) -> Irregularity | None:
    if not table.key or len(table) < 6:
        return None
    key = table.key
    places = world.random.sample(range(len(table)), min(3, 1 + len(table) // 12))

    def spoil(rows: Texts) -> Texts:
        """Lines that look like others, with another number, and are struck out."""
        found = list(rows)
        for place in places:
            line = dict(rows[(place + 1) % len(rows)])
            line[key] = VOID + line[key]
            found.insert(place, line)
        return found

    label = table.column(key).label
    rule = f"Lines of {{where}} whose {label} begins with {VOID} are struck out and do not count."
    code = f"rows = [row for row in rows if not row[{key!r}].startswith({VOID!r})]"
    return Irregularity("struck", rule, code, spoil)


def loose_case(table: Table, world: World) -> Irregularity | None:
    options = []
    for column in table.of_kind("category"):
        values = sorted({str(v) for v in table.values(column.name) if v is not None})
        folded = {value.lower() for value in values}
        worded = all(value.replace(" ", "").replace("-", "").isalpha() for value in values)
        if 2 <= len(values) <= 6 and len(folded) == len(values) and worded:
            options.append((column, values))
    if not options:
        return None
    column, values = world.random.choice(options)
    draws = [world.random.random() for _ in table]

    def spoil(rows: Texts) -> Texts:
        found = []
        for row, drawn in zip(rows, draws, strict=False):
            text = row[column.name]
            if drawn < 0.15:
                text = text.upper()
            elif drawn < 0.3:
                text = f" {text} "
            found.append({**row, column.name: text})
        return found + rows[len(found) :]

    listed = ", ".join(f"“{value}”" for value in values)
    rule = (
        f"The {column.label} in {{where}} is not written alike everywhere (capitals, spaces); it "
        f"is always one of {listed}, and so it is to be written."
    )
    mapping = {value.lower(): value for value in values}
    code = "\n".join(
        (
            f"spelling = {mapping!r}",
            "for row in rows:",
            f"    text = row[{column.name!r}].strip()",
            f"    row[{column.name!r}] = spelling.get(text.lower(), text)",
        )
    )
    return Irregularity("case", rule, code, spoil)


TEXTUAL: Mapping[str, Maker] = {
    "repeats": repeats,
    "corrections": corrections,
    "struck": struck,
    "sum": sum_row,
    "case": loose_case,
    "dates": local_dates,
    "comma": decimal_comma,
}
"""For formats of texts, in the order in which they spoil; they are undone in reverse."""
STRUCTURAL = ("case", "repeats", "corrections", "struck")
"""For formats whose numbers and dates have a form of their own."""


def draw_irregularities(table: Table, world: World, *, textual: bool) -> list[Irregularity]:
    """None in half of the cases, else one or two, in the order in which they spoil."""
    if world.random.random() < 0.45:
        return []
    names = list(TEXTUAL) if textual else list(STRUCTURAL)
    chosen: list[Irregularity] = []
    for name in world.random.sample(names, world.random.choice((1, 1, 2))):
        keyed = {"repeats", "corrections"} & {entry.name for entry in chosen}
        if name in ("repeats", "corrections") and keyed:
            continue
        made = TEXTUAL[name](table, world)
        if made is not None:
            chosen.append(made)
    order = list(TEXTUAL)
    return sorted(chosen, key=lambda entry: order.index(entry.name))
