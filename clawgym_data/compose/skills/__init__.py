"""All skills, by import: each module registers its own in `skill.SKILLS`."""

from clawgym_data.compose.skills import (
    code,
    columns,
    config,
    facts,
    files,
    filters,
    folders,
    groups,
    mail,
    messages,
    planning,
    read_tables,
    rows,
    shell,
    texts,
    write_tables,
)

__all__ = [
    "code",
    "columns",
    "config",
    "facts",
    "files",
    "filters",
    "folders",
    "groups",
    "mail",
    "messages",
    "planning",
    "read_tables",
    "rows",
    "shell",
    "texts",
    "write_tables",
]
