"""The command `clawgym-bench`. Exit codes: 0 done, 1 something was found, 2 could not run."""

import sys

import typer

from clawgym_bench.cli import (
    audit,
    board,
    clean,
    demo,
    doctor,
    grade,
    image,
    regrade,
    regress,
    submission,
    subset,
    tasks,
)
from clawgym_bench.errors import ClawGymError

app = typer.Typer(
    name="clawgym-bench",
    help="ClawGym-Bench: tasks, sandboxes and grades of Claw-style agents. "
    "To run it: inspect eval clawgym_bench --model ...",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(tasks.app, name="tasks")
tasks.app.command("subset")(subset.subset)
app.add_typer(image.app, name="image")
app.add_typer(board.app, name="board")
board.app.command("submit")(submission.submit)
board.app.command("verify")(submission.verify)
app.command("audit")(audit.audit)
app.command("clean")(clean.clean_up)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("grade")(grade.grade_folder)
app.command("regress")(regress.regress)
app.command("regrade")(regrade.regrade_log)


def main() -> None:
    """Runs the command; a user's mistake ends with its message on standard error and exit 2."""
    run(app)


def run(application: typer.Typer) -> None:
    try:
        application()
    except ClawGymError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
