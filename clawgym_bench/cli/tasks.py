"""`clawgym-bench tasks`: look at task sets."""

import json
from typing import Annotated

import typer
import yaml
from rich.console import Console
from rich.table import Table

from clawgym_bench.errors import InputError, TaskInvalid
from clawgym_bench.grading import untouched_checks
from clawgym_bench.task import Task, scan_tasks
from clawgym_bench.task.model import fields_of
from clawgym_bench.taskset import bench_folder, task_set

app = typer.Typer(help="Look at tasks: the shipped ones, or any set.", no_args_is_help=True)

PathOption = Annotated[
    str | None,
    typer.Option("--path", help="A task set; the shipped one when not given."),
]


@app.command("list")
def list_tasks(
    path: PathOption = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    subset: Annotated[str | None, typer.Option(help="Only tasks with this tag.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List tasks with their kind and size."""
    chosen = task_set(path).select(category=category, subset=subset)
    if as_json:
        for task in chosen.values():
            print(json.dumps(_row(task), ensure_ascii=False))
        return
    table = Table(title=f"{len(chosen)} tasks", title_justify="left", box=None, pad_edge=False)
    for column, justify in (
        ("id", "left"), ("category", "left"), ("sessions", "right"), ("checks", "right"),
        ("rubric", "right"), ("inputs", "right"), ("title", "left"),
    ):  # fmt: skip
        table.add_column(column, justify=justify, no_wrap=column == "id")  # type: ignore[arg-type]
    for task in chosen.values():
        row = _row(task)
        table.add_row(*(str(row[str(column.header)]) for column in table.columns))
    Console().print(table)


def _row(task: Task) -> dict[str, object]:
    return {
        "id": task.id,
        "category": task.category,
        "sessions": len(task.sessions),
        "checks": len(task.checks),
        "rubric": len(task.rubric),
        "inputs": len(task.inputs),
        "title": task.title,
        "hash": task.content_hash[:12],
    }


@app.command()
def show(
    task_id: Annotated[str, typer.Argument(help="The id of a task.")],
    path: PathOption = None,
    spoil: Annotated[
        bool, typer.Option("--spoil", help="Also show checks, rubric and solution files.")
    ] = False,
) -> None:
    """Show what the agent is asked and given."""
    print_task(task_set(path).select(ids=[task_id])[task_id], spoil)


def print_task(task: Task, spoil: bool) -> None:
    """Requests and inputs in words; with `spoil` also how it is graded."""
    print(f"{task.id} (version {task.version}, {task.category})\n{task.title}\n")
    for number in range(1, len(task.sessions) + 1):
        print(f"── session {number} " + "─" * 50)
        print(task.request(number) + "\n")
        given = task.workspace if number == 1 else {}
        for name, file in {**given, **task.arrivals(number)}.items():
            print(f"  {len(file.content):>8}  {name}")
        print()
    if spoil:
        fields = fields_of(task)
        spoilers = {
            name: fields[name] for name in ("checks", "rubric", "weights") if name in fields
        }
        print(yaml.safe_dump(spoilers, sort_keys=False, allow_unicode=True, width=100))
        for name in task.files:
            if not name.startswith(("workspace/", "arrivals/")):
                print(f"  {name}")


@app.command()
def validate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Tasks, folders of tasks or JSON Lines; the shipped set when none."),
    ] = None,
) -> None:
    """Load every task and report all problems of all of them. Exit 1 when there are some."""
    sound, invalid = 0, 0
    for path in paths or [str(bench_folder())]:
        for task in scan_tasks(path):
            problem = task if isinstance(task, TaskInvalid) else _vacuous(task)
            if problem is None:
                sound += 1
            else:
                invalid += 1
                print(problem)
    print(f"{sound} valid, {invalid} invalid")
    if invalid:
        raise typer.Exit(1)


def _vacuous(task: Task) -> str | None:
    """Checks that the untouched workspace satisfies although they do not say so."""
    declared = {check.id for check in task.checks if check.gate}
    vacuous = sorted(untouched_checks(task) - declared)
    if not vacuous:
        return None
    return (
        f"{task.id}: satisfied before anything is done: {', '.join(vacuous)} "
        "→ sharpen them, or set `gate: true`"
    )


@app.command()
def schema(
    part: Annotated[
        str, typer.Argument(help="`task` for task.yaml, `line` for a JSON line.")
    ] = "task",
) -> None:
    """Print the JSON Schema, for editors that complete and check while you write."""
    if part not in {"task", "line"}:
        raise InputError(f"no schema {part!r}; there are task, line")
    generated = Task.model_json_schema(by_alias=True)
    if part == "task":
        generated["properties"].pop("files")
    else:
        generated["properties"]["files"] = {
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string"},
                            "base64": {"type": "string"},
                            "executable": {"type": "boolean"},
                        },
                        "additionalProperties": False,
                    },
                ]
            },
        }
    print(json.dumps(generated, indent=2, ensure_ascii=False))
