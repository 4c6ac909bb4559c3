"""Who asks for what: nine categories of everyday work with 43 subcategories (in `scenarios`).

Each subcategory belongs to one of the six categories of the benchmark and says which roles ask, in
what kind of organisation, on which occasions, and which operations are common there (weights on
the draw).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

BENCH_SHARES: Mapping[str, float] = {
    "productivity-collaboration": 22.0,
    "systems-automation": 21.0,
    "analysis-reasoning": 17.5,
    "content-domain": 14.0,
    "planning-knowledge": 13.0,
    "software-development": 12.5,
}
"""Target shares of the benchmark's categories over tasks, in percent."""

TEAMS: Mapping[str, tuple[str, ...]] = {
    "office-administration": ("front office", "facilities", "purchasing", "personnel"),
    "finance-bookkeeping": ("accounts", "controlling", "payroll", "management"),
    "sales-customers": ("sales", "customer desk", "warehouse", "marketing"),
    "research-study": ("research group", "lab", "teaching", "field station"),
    "data-reporting": ("reporting", "data desk", "planning", "quality"),
    "content-publishing": ("editorial desk", "picture desk", "production", "digital"),
    "software-engineering": ("platform", "browser client", "test", "data tools"),
    "systems-operations": ("operations", "networks", "help desk", "storage"),
    "personal-household": ("home", "family", "friends"),
}
"""Teams of a house, by category; a person belongs to one of them."""


@dataclass(frozen=True)
class Subcategory:
    """One kind of everyday work.

    `occasions` are complete phrases that fit after a request ("for the weekly order round").
    `contexts` are a sentence or two about the person, with `{role}`, `{organisation}`, `{place}`,
    `{team}` and `{colleague}`. `share` is relative to others of the same category of the
    benchmark; 1.0 is an equal share.
    """

    name: str
    category: str
    bench_category: str
    roles: tuple[str, ...]
    organisations: tuple[str, ...]
    """Patterns with `{name}` (a family name) or `{place}`."""
    occasions: tuple[str, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    contexts: tuple[str, ...] = ()
    share: float = 1.0


SUBCATEGORIES: dict[str, Subcategory] = {}


def subcategory(entry: Subcategory) -> None:
    if entry.name in SUBCATEGORIES:
        raise ValueError(f"two subcategories are called {entry.name!r}")
    if entry.bench_category not in BENCH_SHARES or entry.category not in TEAMS:
        raise ValueError(f"{entry.name}: no category {entry.bench_category!r}/{entry.category!r}")
    SUBCATEGORIES[entry.name] = entry


def shares(available: Collection[str]) -> dict[str, float]:
    """The share of each available subcategory in percent, so that `BENCH_SHARES` come out."""
    present = [entry for name, entry in sorted(SUBCATEGORIES.items()) if name in available]
    whole: dict[str, float] = {}
    for entry in present:
        whole[entry.bench_category] = whole.get(entry.bench_category, 0.0) + entry.share
    return {
        entry.name: BENCH_SHARES[entry.bench_category] * entry.share / whole[entry.bench_category]
        for entry in present
    }
