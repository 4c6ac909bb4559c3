"""The command `clawgym-data`. Exit codes: 0 done, 2 could not run."""

from typing import Annotated

import typer

from clawgym_bench.cli import run
from clawgym_data.convert import convert

app = typer.Typer(
    name="clawgym-data",
    help="Make and convert sets of ClawGym tasks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def root() -> None:
    """Make and convert sets of ClawGym tasks."""


@app.command("convert")
def convert_set(
    source: Annotated[str, typer.Argument(help="Task folders, JSON Lines or ClawGym folders.")],
    target: Annotated[str, typer.Argument(help="A .jsonl file (also .gz, .zst) or a folder.")],
) -> None:
    """Write a task set in another form."""
    print(f"{convert(source, target)} tasks written to {target}")


def main() -> None:
    run(app)
