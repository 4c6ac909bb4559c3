"""All skills, by import: each module registers its own in `skill.SKILLS`."""

from clawgym_data.compose.skills import (
    code,
    config,
    facts,
    files,
    folders,
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
    "config",
    "facts",
    "files",
    "folders",
    "mail",
    "messages",
    "planning",
    "read_tables",
    "rows",
    "shell",
    "texts",
    "write_tables",
]
