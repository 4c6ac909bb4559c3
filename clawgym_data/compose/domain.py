"""Domains: what the tables of a persona's world hold.

A domain draws a `Dataset`: one main table and tables related to it by a key column of the same
name. Domains know nothing of files or plans.
"""

from collections.abc import Callable
from dataclasses import dataclass

from clawgym_data.compose.values import Table
from clawgym_data.compose.world import World


@dataclass(frozen=True)
class Dataset:
    """`related` tables are joined to `table` by their `key`, a column of the same name there."""

    table: Table
    related: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Domain:
    """`subcategories` are those of `scenario.SCENARIOS` in whose world it occurs."""

    name: str
    subcategories: tuple[str, ...]
    draw: Callable[[World], Dataset]


DOMAINS: dict[str, Domain] = {}


def domain(
    name: str, *subcategories: str
) -> Callable[[Callable[[World], Dataset]], Callable[[World], Dataset]]:
    """Registers a function that draws a dataset."""

    def register(draw: Callable[[World], Dataset]) -> Callable[[World], Dataset]:
        if name in DOMAINS:
            raise ValueError(f"two domains are called {name!r}")
        DOMAINS[name] = Domain(name, subcategories, draw)
        return draw

    return register
