"""All domains, by import."""

from clawgym_data.compose.domains import (
    customers,
    finance,
    office,
    publishing,
    reporting,
    research,
    trade,
)

__all__ = ["customers", "finance", "office", "publishing", "reporting", "research", "trade"]
