"""What flows along the edges of a plan: tables and facts, as they truly are.

A plan is composed in memory from these values, and its files, expected results and request follow
from them. The reference program never sees them: it reads the files that were written.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

Cell = str | int | Decimal | date | datetime | bool | None
Row = Mapping[str, Cell]
Kind = Literal["id", "name", "category", "amount", "count", "date", "time", "flag", "text"]
"""`id` is unique in its table; `name` is a proper name; `category` one of few values; `amount` a
Decimal with a unit; `count` an int; `time` a datetime to the minute; `text` free words."""


@dataclass(frozen=True)
class Noun:
    """What one row is, in words."""

    singular: str
    plural: str


@dataclass(frozen=True)
class Column:
    """A column: its heading in files, what it is called in speech, and what its values are.

    `phrases` says of a category's value how a sentence would put it after the noun
    ("that are still open"); values without one are put as "whose LABEL is VALUE". Those of a flag
    are by `yes` and `no`. `summable` says whether the sum over rows of the column's own table
    means something (amounts do; temperatures, shares and list prices do not).
    """

    name: str
    kind: Kind
    label: str
    unit: str = ""
    decimals: int = 0
    phrases: Mapping[str, str] = field(default_factory=dict)
    summable: bool = True

    @property
    def numeric(self) -> bool:
        return self.kind in ("amount", "count")


@dataclass(frozen=True)
class Table:
    """Rows of one noun. `key` names the column that identifies a row, if one does.

    `phrase` is how a sentence refers to exactly these rows ("the orders that are still open");
    `ordered` says whether the order of rows means something, and then in what words. `grouped`
    tables hold one row per group of records: their numbers are totals already.
    """

    noun: Noun
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    key: str | None = None
    phrase: str = ""
    ordered: str = ""
    grouped: bool = False

    def column(self, name: str) -> Column:
        """Raises `KeyError` when there is no such column."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def of_kind(self, *kinds: Kind) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    def values(self, name: str) -> list[Cell]:
        return [row[name] for row in self.rows]

    @property
    def said(self) -> str:
        return self.phrase or f"the {self.noun.plural}"

    def with_rows(self, rows: Sequence[Row], phrase: str, ordered: str | None = None) -> "Table":
        kept = self.ordered if ordered is None else ordered
        return replace(self, rows=tuple(rows), phrase=phrase, ordered=kept)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Fact:
    """One answer: what it is called in a sentence, wordings a reader would accept as its label,
    and its value. `asked` is the noun phrase of the request ("the total net amount")."""

    name: str
    asked: str
    labels: tuple[str, ...]
    value: Cell
    decimals: int = 0
    unit: str = ""


@dataclass(frozen=True)
class Facts:
    """Answers that belong together, about one thing."""

    facts: tuple[Fact, ...]
    about: str = ""


Value = Table | Facts


def rounded(value: Decimal | int, places: int) -> Decimal:
    """Half away from zero, as people round."""
    return Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def plain(value: Cell, decimals: int = 0) -> str:
    """As a plain file writes it: ISO dates, decimal point, no grouping."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return str(rounded(value, decimals))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
