"""`clawgym-bench clean`: removes what killed runs have left behind."""

import re
from typing import Annotated

import typer

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.strays import clean

UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def clean_up(
    older_than: Annotated[
        str | None,
        typer.Option(
            help="Also what is older than this, of living runs too: for example 90s, 30m, 12h, 2d."
        ),
    ] = None,
) -> None:
    """Remove sandboxes whose run is over or whose deadline has passed, and nothing else.

    A sandbox leaves with its run, however that ends; this is for what little can remain (a
    container that was never started, an empty cgroup), and every run begins with it too.
    """
    removed = clean(None if older_than is None else seconds(older_than))
    for stray in removed:
        sample = f" of {stray.sample}" if stray.sample else ""
        print(f"removed {stray.kind} {stray.name}{sample}: {stray.why}")
    if not removed:
        print("nothing to remove")


def seconds(duration: str) -> float:
    """Raises `InputError` for what is no duration."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", duration.strip())
    if match is None:
        raise InputError(f"{duration!r}: no duration; write for example 90s, 30m, 12h or 2d")
    return float(match[1]) * UNITS[match[2] or "s"]
