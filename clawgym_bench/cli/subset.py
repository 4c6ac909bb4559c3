"""`clawgym-bench tasks subset`."""

from pathlib import Path
from typing import Annotated

import typer
import yaml

from clawgym_bench.errors import InputError
from clawgym_bench.taskset import SUBSETS, bench_folder, read_subsets, task_set


def subset(
    runs: Annotated[
        list[str] | None,
        typer.Argument(help="Logs or results of runs that tell which tasks vary."),
    ] = None,
    path: Annotated[
        str | None, typer.Option(help="A task set; the shipped one when not given.")
    ] = None,
    size: Annotated[int, typer.Option(min=2, help="So many tasks at most.")] = 24,
    name: Annotated[str, typer.Option(help="What it is called: -T subset=NAME.")] = "smoke",
    write: Annotated[
        bool, typer.Option("--write", help=f"Write it into the set's {SUBSETS}.")
    ] = False,
) -> None:
    """Choose a small part of a set that looks like the whole and tells most."""
    from clawgym_bench.board import read_result
    from clawgym_bench.board.smoke import choose

    chosen = choose(task_set(path), size, [read_result(run) for run in runs or ()])
    if not write:
        print("\n".join(chosen))
        return
    folder = Path(path) if path else bench_folder()
    if not folder.is_dir():
        raise InputError(f"{folder}: only a folder of tasks can hold {SUBSETS}")
    found = read_subsets(folder) | {name: chosen}
    head = "# Parts of this set: -T subset=NAME. Chosen by `clawgym-bench tasks subset --write`.\n"
    text = yaml.safe_dump(found, sort_keys=True, allow_unicode=True)
    (folder / SUBSETS).write_text(head + text, encoding="utf-8")
    print(f"{folder / SUBSETS}: {name}, {len(chosen)} tasks")
