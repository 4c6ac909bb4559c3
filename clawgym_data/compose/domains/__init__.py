"""All domains, by import."""

from clawgym_data.compose.domains import (
    customers,
    finance,
    home,
    office,
    operations,
    publishing,
    reporting,
    research,
    software,
    trade,
)

__all__ = [
    "customers",
    "finance",
    "home",
    "office",
    "operations",
    "publishing",
    "reporting",
    "research",
    "software",
    "trade",
]
