"""All subcategories, by import."""

from clawgym_data.compose.scenarios import business, engineering, knowledge, publishing

__all__ = ["business", "engineering", "knowledge", "publishing"]
