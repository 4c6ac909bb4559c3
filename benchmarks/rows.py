"""Results: one row per measured quantity, as JSON."""

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """`value` is the median of `n` measurements that lay between `min` and `max`."""

    what: str
    concurrency: int
    metric: str
    value: float
    unit: str
    n: int
    min: float
    max: float


def median_row(what: str, concurrency: int, metric: str, unit: str, values: Sequence[float]) -> Row:
    return Row(
        what,
        concurrency,
        metric,
        shortened(statistics.median(values)),
        unit,
        len(values),
        shortened(min(values)),
        shortened(max(values)),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def shortened(value: float) -> float:
    """Four significant digits: more would pretend to a precision that is not there."""
    return float(f"{value:.4g}")


def find(rows: Iterable[Row], what: str, concurrency: int, metric: str) -> float | None:
    for row in rows:
        if (row.what, row.concurrency, row.metric) == (what, concurrency, metric):
            return row.value
    return None


def write(name: str, rows: Sequence[Row], facts: dict[str, object]) -> Path:
    """`NAME.json` holds the rows and `NAME-machine.json` where and how they were measured."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    lines = ",\n".join(json.dumps(asdict(row)) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    machine = RESULTS / f"{name}-machine.json"
    machine.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return path


def read(name: str) -> list[Row]:
    found = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return [Row(**row) for row in found]
