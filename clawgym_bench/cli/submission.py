"""`clawgym-bench board submit` and `clawgym-bench board verify`."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

SHOWN = 30


def submit(
    logs: Annotated[list[str], typer.Argument(help="Inspect logs (.eval) of whole runs.")],
    out: Annotated[Path, typer.Option(help="The archive to write, for example mine.zip.")],
    by: Annotated[str, typer.Option(help="Who ran it, as the board shall say.")] = "",
    recipe: Annotated[str, typer.Option(help="The command that makes this run again.")] = "",
    open_weights: Annotated[
        bool | None, typer.Option(help="Whether the model's weights are open.")
    ] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(help="A home folder or e-mail address that may stay. May be repeated."),
    ] = None,
    tasks: Annotated[
        str | None, typer.Option(help="The task set, when it is not the one the log names.")
    ] = None,
) -> None:
    """Pack a submission. Exit 1 when something in it must not be published."""
    from clawgym_bench.board.finding import plain
    from clawgym_bench.board.submission import pack_submission

    packing = pack_submission(
        logs,
        out,
        by=by,
        recipe=recipe,
        open_weights=open_weights,
        accept=accept or (),
        tasks=tasks,
    )
    console = Console(highlight=False)
    if packing.manifest is None:
        console.print("[red]not packed[/]: this must not be published", style="bold")
        for leak in packing.leaks[:SHOWN]:
            console.print(f"  {plain(str(leak))}", markup=False, soft_wrap=True)
        if len(packing.leaks) > SHOWN:
            console.print(f"  … and {len(packing.leaks) - SHOWN} more")
        console.print(
            "Revoke keys, and run the samples again without them. A home folder or an address "
            "that may stay: --accept TEXT",
            markup=False,
        )
        raise typer.Exit(1)
    for run in packing.manifest.runs:
        console.print(f"{run.name}  log {run.log_sha256[:12]}", markup=False)
    console.print(
        f"written to {out}; try it: clawgym-bench board verify {out}", markup=False, soft_wrap=True
    )


def verify(
    path: Annotated[str, typer.Argument(help="A packed submission, a folder of results, a log.")],
    tasks: Annotated[
        str | None, typer.Option(help="The task set to verify against; the shipped one if not set.")
    ] = None,
    sandbox: Annotated[
        str | None, typer.Option(help="docker or bwrap: where checks and recorded calls run.")
    ] = None,
    replay: Annotated[
        bool, typer.Option(help="Make the recorded calls again and compare the workspaces.")
    ] = True,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the outcome.")] = None,
    mark: Annotated[
        bool, typer.Option(help="In a folder of results: write verified into its result.json.")
    ] = False,
    summary: Annotated[
        Path | None,
        typer.Option(help="Append Markdown; $GITHUB_STEP_SUMMARY when that is set."),
    ] = None,
    unpack: Annotated[
        Path | None, typer.Option(help="Lay verified runs of a pack out here, as results/RUN.")
    ] = None,
) -> None:
    """Verify a submission. Exit 0 verified, 1 refused, 2 cannot be read."""
    from clawgym_bench.board.finding import markdown, plain
    from clawgym_bench.board.submission import mark_verified, unpack_to
    from clawgym_bench.board.verify import verify_submission
    from clawgym_bench.errors import InputError
    from clawgym_bench.sandbox.choices import OWN

    if sandbox is not None and sandbox not in OWN:
        raise InputError(f"no sandbox {sandbox!r} for verifying; there are {', '.join(OWN)}")
    try:
        found = verify_submission(
            path,
            tasks=tasks,
            sandbox=sandbox,  # type: ignore[arg-type]
            replayed=replay,
        )
    except InputError as error:
        raise InputError(plain(str(error))) from error
    console = Console(highlight=False)
    for run in found:
        colour = "green" if run.status == "verified" else "red"
        score = "" if run.score is None else f", score {run.score:.4f}"
        console.print(f"[bold {colour}]{run.status}[/]  ", end="")
        console.print(f"{run.run}  {run.model}, {run.agent}{score}", markup=False, soft_wrap=True)
        console.print(
            f"  {run.samples} samples, {run.graded_again} graded again, {run.replayed} played again"
        )
        for finding in [*run.reasons, *(f for f in run.findings if f.note)][:SHOWN]:
            console.print(
                f"  {'note, ' if finding.note else ''}{finding}", markup=False, soft_wrap=True
            )
        if len(run.findings) > SHOWN:
            console.print(f"  … and {len(run.findings) - SHOWN} more; --json has all")
    if json_file:
        data = [run.model_dump(mode="json") for run in found]
        json_file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    target = summary or (Path(given) if (given := os.environ.get("GITHUB_STEP_SUMMARY")) else None)
    if target:
        with target.open("a", encoding="utf-8") as file:
            file.write(markdown(found))
    good = all(run.status == "verified" for run in found)
    if mark:
        mark_verified(path, {run.run: run.status == "verified" for run in found})
    if unpack and good:
        for folder in unpack_to(path, unpack, tasks):
            console.print(f"  {folder}", markup=False)
    if not good:
        raise typer.Exit(1)
