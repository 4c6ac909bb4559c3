"""`clawgym-bench board`: results, submissions, the site."""

import typer

app = typer.Typer(help="The leaderboard: submissions and results.", no_args_is_help=True)
