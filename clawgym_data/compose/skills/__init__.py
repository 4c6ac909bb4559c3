"""All skills, by import: each module registers its own in `skill.SKILLS`."""

from clawgym_data.compose.skills import facts, messages, read_tables, rows, write_tables

__all__ = ["facts", "messages", "read_tables", "rows", "write_tables"]
