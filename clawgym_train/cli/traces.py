"""`clawgym-train traces`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from clawgym_bench.errors import InputError
from clawgym_train.traces import FORMATS, Filters, collect
from clawgym_train.traces.card import ROWS, number


def traces(
    logs: Annotated[list[str], typer.Argument(help="Inspect logs, or folders of them.")],
    out: Annotated[Path, typer.Option(help="The folder to make.")],
    min_score: Annotated[float, typer.Option(help="Least score of a kept trace.")] = 0.5,
    strict: Annotated[bool, typer.Option("--strict", help="Only strict successes.")] = False,
    best_of: Annotated[
        int | None, typer.Option(help="Of every task, keep at most so many, the best first.")
    ] = None,
    max_per_task: Annotated[
        int | None, typer.Option(help="Of every task, keep at most so many, the first ones.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help=f"{', '.join(FORMATS)}.")] = "trl",
    reasoning: Annotated[str, typer.Option(help="keep or drop.")] = "keep",
    finished: Annotated[
        bool, typer.Option("--finished", help="Only traces whose every session has an answer.")
    ] = False,
    max_tokens: Annotated[int | None, typer.Option(help="Leave out longer traces.")] = None,
    max_rounds: Annotated[
        int | None, typer.Option(help="Leave out traces with more turns of the model.")
    ] = None,
    max_tool_errors: Annotated[
        float, typer.Option(help="Leave out traces of which a larger share of calls was refused.")
    ] = 0.5,
    keep_refusals: Annotated[
        bool, typer.Option("--keep-refusals", help="Also keep answers that refuse the task.")
    ] = False,
    tokenizer: Annotated[
        str | None,
        typer.Option(help="A tokenizer.json, to count tokens; four bytes are one without."),
    ] = None,
) -> None:
    """Make training conversations from Inspect logs of any agent.

    Whatever overlaps with ClawGym-Bench, and whatever holds a key or token, is left out; no option
    changes that. Exit 0: done, 2: could not run, or nothing was kept.
    """
    if reasoning not in ("keep", "drop"):
        raise InputError(f"--reasoning {reasoning}: must be keep or drop")
    filters = Filters(
        min_score=min_score,
        strict=strict,
        finished=finished,
        max_tokens=max_tokens,
        max_rounds=max_rounds,
        max_tool_errors=max_tool_errors,
        refusals=keep_refusals,
    )
    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("samples", total=None)
        outcome = collect(
            logs,
            out,
            filters=filters,
            best_of=best_of,
            max_per_task=max_per_task,
            form=form,
            reasoning=reasoning == "keep",
            tokenizer=tokenizer,
            on_progress=lambda done, total: bars.update(bar, completed=done, total=total),
        )
    console = Console()
    console.print(figures(outcome.card))
    left = outcome.card["left_out"]
    if left:
        told = "; ".join(f"{count} {why}" for why, count in left.items())
        console.print(f"left out: {escape(told)}", highlight=False)
    counts = outcome.card["counts"]
    print(f"{counts['kept']} of {counts['samples']} samples kept, in {outcome.folder}")


def figures(card: dict[str, Any]) -> Table:
    """The kept traces next to the paper's."""
    table = Table(box=None, pad_edge=False)
    for name in ("per trace", "mean", "median", "90 %", "paper, mean"):
        table.add_column(name, justify="left" if name == "per trace" else "right")
    for name, label in ROWS:
        found = card["statistics"]["per_trace"][name]
        shown = [number(found.get(key)) for key in ("mean", "median", "p90")]
        table.add_row(label, *shown, number(card["paper"].get(name)))
    return table
