"""The command `clawgym-train`. Exit codes: 0 done, 2 could not run."""

import typer

from clawgym_bench.cli import run
from clawgym_train.cli import learn, tools, traces

app = typer.Typer(
    name="clawgym-train",
    help="Train agents on ClawGym tasks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def root() -> None:
    """Train agents on ClawGym tasks."""


app.command("tools")(tools.tools)
app.command("traces")(traces.traces)
app.command("sft")(learn.sft)
app.command("rl")(learn.rl)
app.command("eval", context_settings={"allow_extra_args": True})(learn.evaluation)


def main() -> None:
    run(app)
