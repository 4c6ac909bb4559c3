"""`clawgym-data bench`."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from clawgym_bench.errors import InputError
from clawgym_bench.setcard import CARD, require_version
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.taskset import load_bench
from clawgym_data.bench import SIZE, draw_bench, write_card
from clawgym_data.cli.synth import INCOMPLETE, Display, summary
from clawgym_data.engines import EngineOptions, open_engine


def bench(
    out: Annotated[Path, typer.Option(help="The folder of the benchmark; a new one.")],
    seed: Annotated[int, typer.Option(help="Another seed draws other tasks.")] = 0,
    size: Annotated[int, typer.Option(help="How many tasks, authored ones included.")] = SIZE,
    authored: Annotated[
        str | None,
        typer.Option(help="Hand-written tasks that count; default: those that ship; '' for none."),
    ] = None,
    version: Annotated[str, typer.Option(help="Semantic version of the set.")] = "0.2.0",
    sandbox: Annotated[str, typer.Option(help="Where drafts are audited: bwrap or docker.")] = (
        "bwrap"
    ),
    workers: Annotated[int, typer.Option(help="Worker processes; 0: one per core.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on in OUT.drawn.")] = False,
    card: Annotated[
        bool, typer.Option("--card", help=f"Only write {CARD} anew, for the tasks in --out.")
    ] = False,
) -> None:
    """Draw a benchmark: authored tasks and composed ones that pass every gate of the audit.

    Exit codes: 0 done, 2 could not run, 3 stopped before the set was complete.
    """
    require_version(version)
    if card:
        if not out.is_dir():
            raise InputError(f"--card --out {out}: no such folder")
        written = write_card(out, version)
        print(f"{out / CARD}: {written.name} {written.version}, {len(written.tasks)} tasks")
        return
    given = authored_tasks(authored)
    engine = open_engine("composer", EngineOptions(seed=seed))
    with Display(size - len(given)) as display:
        drawn = draw_bench(
            engine,
            out,
            authored=given,
            size=size,
            version=version,
            sandbox=sandbox,
            workers=workers,
            resume=resume,
            on_decision=display.update,
        )
    Console().print(summary(drawn.manifest))
    if drawn.card is None:
        print(f"not complete: {drawn.why}\nGo on with the same command and --resume.")
        raise typer.Exit(INCOMPLETE)
    print(f"{len(drawn.card.tasks)} tasks in {out}, {len(given)} of them authored")
    print(counted(list(read_tasks(out))))
    print(f"{drawn.card.name} {drawn.card.version} {drawn.card.hash[:12]}")


def authored_tasks(path: str | None) -> list[Task]:
    """Those of the shipped set, of the set at `path`, or none for an empty `path`."""
    if path == "":
        return []
    tasks = load_bench() if path is None else read_tasks(path)
    return [task for task in tasks if task.provenance.kind == "authored"]


def counted(tasks: list[Task]) -> str:
    """Categories, kinds of grading, sessions and difficulty in a few lines."""

    def line(name: str, counts: Counter[str]) -> str:
        return f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.most_common())

    return "\n".join(
        (
            line("categories", Counter(task.category for task in tasks)),
            line("grading", Counter("hybrid" if t.hybrid else "checks only" for t in tasks)),
            line("sessions", Counter(f"with {len(task.sessions)}" for task in tasks)),
            line("difficulty", Counter(task.difficulty or "unrated" for task in tasks)),
            line("operations", Counter(name for task in tasks for name in task.operations)),
        )
    )
