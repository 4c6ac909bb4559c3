"""All skills, by import: each module registers its own in `skill.SKILLS`."""

from clawgym_data.compose.skills import (
    code,
    facts,
    files,
    folders,
    messages,
    read_tables,
    rows,
    write_tables,
)

__all__ = ["code", "facts", "files", "folders", "messages", "read_tables", "rows", "write_tables"]
