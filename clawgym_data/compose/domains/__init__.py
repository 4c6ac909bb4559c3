"""All domains, by import."""

from clawgym_data.compose.domains import trade

__all__ = ["trade"]
