"""`clawgym-data convert`."""

from typing import Annotated

import typer

from clawgym_data.convert import convert


def convert_set(
    source: Annotated[str, typer.Argument(help="Task folders, JSON Lines or ClawGym folders.")],
    target: Annotated[str, typer.Argument(help="A .jsonl file (also .gz, .zst) or a folder.")],
) -> None:
    """Write a task set in another form."""
    print(f"{convert(source, target)} tasks written to {target}")
