"""`clawgym-data show`."""

from typing import Annotated

import typer

from clawgym_bench.cli.tasks import print_task
from clawgym_bench.errors import InputError
from clawgym_data.sets import read_set


def show(
    task: Annotated[str, typer.Argument(help="The id of a task, or its first letters.")],
    path: Annotated[str, typer.Option(help="A folder of `synth`, or any task set.")] = ".",
    spoil: Annotated[
        bool, typer.Option("--spoil", help="Also show checks, rubric and solution files.")
    ] = False,
) -> None:
    """Show what the agent is asked and given."""
    for found in read_set(path):
        if found.id.startswith(task):
            print_task(found, spoil)
            return
    raise InputError(
        f"{path}: no task {task!r}; `clawgym-bench tasks list --path {path}/train` shows the ids "
        "of a split, --path names another set"
    )
