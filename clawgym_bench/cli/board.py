"""`clawgym-bench board`: results and the site built from them."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

app = typer.Typer(help="The leaderboard: results, site, submissions.", no_args_is_help=True)

Results = Annotated[Path, typer.Option(help="The folder of results.")]


@app.command("add")
def add(
    logs: Annotated[list[str], typer.Argument(help="Inspect logs (.eval) of finished runs.")],
    results: Results = Path("results"),
    by: Annotated[str, typer.Option(help="Who ran it, as the board shall say.")] = "",
    recipe: Annotated[str, typer.Option(help="The command that makes this run again.")] = "",
    open_weights: Annotated[
        bool | None, typer.Option(help="Whether the model's weights are open.")
    ] = None,
    judge_calibration: Annotated[
        str, typer.Option(help="Hash of the judge's calibration, where one was made.")
    ] = "",
    tasks: Annotated[
        str | None, typer.Option(help="The task set, when it is not the one the log names.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Name of the folder, for one log; the run's id when not given.")
    ] = "",
    replace: Annotated[bool, typer.Option(help="Write a folder anew that is there.")] = False,
) -> None:
    """Add runs to the results: RESULTS/RUN with the trimmed log, result.json and trials.zip."""
    from clawgym_bench.board.add import RESULTS_BYTES, add_run, size_of
    from clawgym_bench.errors import InputError

    if name and len(logs) != 1:
        raise InputError("--name goes with one log")
    console = Console(highlight=False)
    for log in logs:
        folder = add_run(
            log,
            results,
            by=by,
            recipe=recipe,
            open_weights=open_weights,
            judge_calibration=judge_calibration,
            tasks=tasks,
            name=name,
            replace=replace,
        )
        console.print(f"{folder}  {size_of(folder) / 2**10:,.0f} KB", markup=False)
    if (total := size_of(results)) > RESULTS_BYTES:
        console.print(f"[yellow]{results} holds {total / 2**20:.0f} MB; 30 MB are meant[/]")


@app.command("build")
def build(
    results: Results = Path("results"),
    out: Annotated[Path, typer.Option(help="The folder of the site.")] = Path("site"),
    url: Annotated[
        str, typer.Option(help="Where the site will be, for the links of feed and badges.")
    ] = "",
    viewer: Annotated[
        bool, typer.Option(help="Build Inspect's log viewer beside it (11 MB; needs a server).")
    ] = False,
) -> None:
    """Build the static site. It opens from the disk: OUT/index.html."""
    from clawgym_bench.board.site import build_site

    built = build_site(results, out, url=url, viewer=viewer)
    console = Console(highlight=False)
    for note in built.notes:
        console.print(f"note: {note}", markup=False)
    console.print(
        f"{built.runs} runs, {built.tasks} tasks, {built.seconds:.1f} s: {out / 'index.html'}",
        markup=False,
    )
