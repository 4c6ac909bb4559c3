"""All domains, by import."""

from clawgym_data.compose.domains import finance, office, trade

__all__ = ["finance", "office", "trade"]
