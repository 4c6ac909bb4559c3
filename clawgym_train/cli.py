"""The command `clawgym-train`. Exit codes: 0 done, 2 could not run."""

import json
from typing import Annotated

import typer

from clawgym_bench.cli import run
from clawgym_train.schemas import tool_schemas

app = typer.Typer(
    name="clawgym-train",
    help="Train agents on ClawGym tasks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def root() -> None:
    """Train agents on ClawGym tasks."""


@app.command()
def tools(
    names: Annotated[list[str] | None, typer.Argument(help="Tools; all when none.")] = None,
) -> None:
    """Print the schemas of the Claw tools as a chat template takes them."""
    print(json.dumps(tool_schemas(names), indent=2, ensure_ascii=False))


def main() -> None:
    run(app)
