"""`clawgym-bench grade`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.backends import BackendName
from clawgym_bench.task import Task, read_tasks


def grade_folder(
    task: Annotated[str, typer.Argument(help="A task folder, or a set of tasks with --id.")],
    workspace: Annotated[Path, typer.Argument(help="The workspace that an agent left.")],
    id: Annotated[str | None, typer.Option(help="Which task of the set.")] = None,
    message: Annotated[
        list[Path] | None, typer.Option(help="A file with the agent's last message; per session.")
    ] = None,
    sandbox: Annotated[str, typer.Option(help="Where checks that run something do so.")] = "bwrap",
    number: Annotated[bool, typer.Option("--number", help="Print the score and no more.")] = False,
) -> None:
    """Grade a folder by a task's checks, without an agent. Exit 2 when it cannot be graded."""
    from clawgym_bench.workspace import grade_workspace

    messages = [path.read_text(encoding="utf-8", errors="replace") for path in message or []]
    if sandbox not in ("bwrap", "docker"):
        raise InputError(f"sandbox {sandbox!r}: must be docker or bwrap")
    backend: BackendName = "docker" if sandbox == "docker" else "bwrap"
    found = grade_workspace(_task(task, id), workspace, messages, backend)
    if found.score is None:
        raise InputError(f"unscored: {found.reason}")
    if number:
        print(f"{found.score:.6f}")
        return
    table = Table(box=None, pad_edge=False)
    for column in ("check", "", "reason"):
        table.add_column(column)
    for result in found.results:
        mark = "✓" if result.passed else "✗"
        table.add_row(result.id, f"{mark} gate" if result.gate else mark, result.reason)
    Console().print(table)
    print(f"score {found.score:.3f}" + (", success" if found.success else ""))


def _task(path: str, name: str | None) -> Task:
    tasks = [task for task in read_tasks(path) if name is None or task.id == name]
    if not tasks:
        raise InputError(f"{path}: holds no task" + (f" called {name!r}" if name else ""))
    if len(tasks) > 1:
        raise InputError(f"{path}: holds several tasks; say which with --id")
    return tasks[0]
