"""Cells compared column by column, and rows paired by them in near-linear time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clawgym_bench.checks.compare import as_date, as_number, equal, equal_path, normal
from clawgym_bench.checks.table_files import blank

COMPARED_CELLS = 400_000


@dataclass(frozen=True)
class AnyOf:
    """An expected cell that may hold any of several values."""

    values: tuple[object, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.values))


@dataclass
class Comparer:
    """Compares cells column by column, and pairs rows whose cells are equal."""

    decimals: Sequence[int | None]
    tolerance: Sequence[float | None]
    exact: Sequence[bool]
    workspace: str = "/workspace"

    def __post_init__(self) -> None:
        self._tokens: dict[tuple[object, int], object] = {}

    def same(self, column: int, found: object, expected: object) -> bool:
        if isinstance(expected, AnyOf):
            return any(self.same(column, found, value) for value in expected.values)
        if isinstance(found, str) and isinstance(expected, str) and found == expected:
            return True
        if isinstance(found, list) and isinstance(expected, list):
            return len(found) == len(expected) and all(
                self.same(column, one, other) for one, other in zip(found, expected, strict=True)
            )
        if isinstance(found, dict) and isinstance(expected, dict):
            return found.keys() == expected.keys() and all(
                self.same(column, found[name], expected[name]) for name in expected
            )
        if equal(
            found,
            expected,
            decimals=self.decimals[column],
            tolerance=self.tolerance[column],
            exact=self.exact[column],
        ):
            return True
        return (
            isinstance(found, str)
            and isinstance(expected, str)
            and "/" in found
            and not self.exact[column]
            and equal_path(found, expected, self.workspace)
        )

    def pairs(
        self,
        found: Mapping[int, Sequence[object]],
        expected: Mapping[int, Sequence[object]],
        columns: Sequence[int],
    ) -> dict[int, int]:
        """Expected rows to found rows, each used once, equal in all `columns`, in near-linear time.

        First rows with the same text, then those whose cells mean the same, then by the columns
        that mostly agree, then what is left pair by pair as far as a bound allows.
        """
        paired: dict[int, int] = {}
        left_found = dict(found)
        left_expected = dict(expected)

        def join(key: Callable[[Sequence[object]], object], bound: int) -> None:
            index: dict[object, list[int]] = defaultdict(list)
            for number in reversed(left_found):
                index[key(left_found[number])].append(number)
            for number, row in list(left_expected.items()):
                bucket = index.get(key(row), [])
                for at in range(len(bucket) - 1, -1, -1):
                    bound -= 1
                    if bound < 0:
                        return
                    if all(self.same(c, left_found[bucket[at]][c], row[c]) for c in columns):
                        paired[number] = bucket.pop(at)
                        del left_expected[number], left_found[paired[number]]
                        break

        def text(row: Sequence[object]) -> object:
            return tuple(written(row[c]) for c in columns)

        def token(chosen: Sequence[int]) -> Callable[[Sequence[object]], object]:
            return lambda row: tuple(self._token(c, row[c]) for c in chosen)

        budget = COMPARED_CELLS
        join(text, budget)
        if left_expected and left_found:
            join(token(columns), budget)
        if left_expected and left_found:
            agreeing = [
                c for c in columns if self._agree(c, left_found.values(), left_expected.values())
            ]
            if agreeing:
                join(token(agreeing), budget // 2)
        if left_expected and left_found:
            join(lambda row: None, budget // 2)
        return paired

    def _agree(
        self, column: int, found: Iterable[Sequence[object]], expected: Iterable[Sequence[object]]
    ) -> bool:
        known = {self._token(column, row[column]) for row in found}
        hits = [self._token(column, row[column]) in known for row in expected]
        return 2 * sum(hits) > len(hits)

    def _token(self, column: int, value: object) -> object:
        """The same for two cells that are almost surely `same`."""
        if isinstance(value, AnyOf | list | dict):
            return None
        places = self.decimals[column]
        memo = (written(value), -1 if places is None else places)
        if memo not in self._tokens:
            self._tokens[memo] = _meaning(value, places)
        return self._tokens[memo]


def written(value: object) -> object:
    return value if isinstance(value, str) else (type(value).__name__, str(value))


def _meaning(value: object, places: int | None) -> object:
    if value is None or blank(value):
        return ""
    number = as_number(value)
    if number is not None:
        if places is not None and abs(number) < 10**20 and places < 12:
            number = round(number, places)
        return number
    moment = as_date(value)
    if moment is not None:
        return moment.isoformat().removesuffix("T00:00:00")
    return normal(str(value))
