"""The command `clawgym-data`.

Exit codes: 0 done, 2 could not run, 3 stopped before the set was complete.
"""

import typer

from clawgym_data.cli import bench, convert, enrich, filters, show, synth

app = typer.Typer(
    name="clawgym-data",
    help="Make, filter and convert sets of ClawGym tasks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("synth")(synth.synth)
app.command("bench")(bench.bench)
app.command("enrich")(enrich.enrich)
app.command("show")(show.show)
app.command("dedup")(filters.dedup)
app.command("decontaminate")(filters.decontaminate)
app.command("convert")(convert.convert_set)
