"""Who asks for what: nine categories of everyday work with 43 subcategories.

Each subcategory belongs to one of the six categories of the benchmark and says which roles ask,
in what kind of organisation, and which operations are common there (weights on the draw).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Subcategory:
    """`occasions` complete "I need this …" ("for Thursday's stock meeting")."""

    name: str
    category: str
    bench_category: str
    roles: tuple[str, ...]
    organisations: tuple[str, ...]
    """Patterns with `{name}` (a family name) or `{place}`."""
    occasions: tuple[str, ...]
    weights: Mapping[str, float] = field(default_factory=dict)


SUBCATEGORIES: dict[str, Subcategory] = {}


def subcategory(entry: Subcategory) -> None:
    if entry.name in SUBCATEGORIES:
        raise ValueError(f"two subcategories are called {entry.name!r}")
    SUBCATEGORIES[entry.name] = entry


subcategory(
    Subcategory(
        "order-handling",
        "sales-customers",
        "productivity-collaboration",
        ("order desk clerk", "sales assistant", "shop manager"),
        ("{name} Interiors", "{place} Home Supply"),
        ("for the weekly order round", "before the warehouse closes", "for my boss"),
    )
)
subcategory(
    Subcategory(
        "sales-reporting",
        "sales-customers",
        "analysis-reasoning",
        ("sales analyst", "regional sales lead"),
        ("{name} & Daughters", "{place} Trading"),
        ("for Monday's sales meeting", "for the quarterly review"),
        {"compute-aggregates": 2.0, "sort-rank": 1.5},
    )
)
