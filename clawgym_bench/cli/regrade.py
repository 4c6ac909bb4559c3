"""`clawgym-bench regrade`."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_bench.regrade import regrade


def regrade_log(
    log: Annotated[str, typer.Argument(help="An Inspect log (.eval or .json) of a ClawGym task.")],
    out: Annotated[
        str | None, typer.Option(help="Write the log with the new scores to this file.")
    ] = None,
    tasks: Annotated[
        str | None, typer.Option(help="The task set, when it is not where the log says.")
    ] = None,
    sandbox: Annotated[
        str | None, typer.Option(help="Where checks that run something do so.")
    ] = None,
) -> None:
    """Grade a log again from its stored files. Exit 1 when a score differs."""
    changes = regrade(log, out=out, tasks=tasks, sandbox=sandbox)
    differing = [change for change in changes if change.differs]
    noted = [change for change in changes if change.differs or change.note]
    if noted:
        table = Table(box=None, pad_edge=False)
        for column in ("task", "epoch", "before", "after", "note"):
            table.add_column(column)
        for change in noted:
            before, after = _shown(change.before), _shown(change.after)
            table.add_row(change.task, str(change.epoch), before, after, change.note)
        Console().print(table)
    print(f"{len(changes)} samples graded again, {len(differing)} with another score")
    if out:
        print(f"written to {out}")
    if differing:
        raise typer.Exit(1)


def _shown(score: float | None) -> str:
    return "unscored" if score is None else f"{score:.3f}"
