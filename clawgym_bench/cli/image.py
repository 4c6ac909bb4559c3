"""`clawgym-bench image`: the sandbox image."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from clawgym_bench.sandbox.image import ImageInfo, build_image, check_image, export_image

app = typer.Typer(help="The image of the docker sandbox.", no_args_is_help=True)


@app.command()
def build(
    base: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A base image to build on, for example debian:bookworm-slim; without one "
            "debootstrap makes the system from scratch (as root, no registry needed).",
        ),
    ] = None,
) -> None:
    """Build the image."""
    with Console(stderr=True).status("building the image (a minute or two)"):
        info = build_image(base)
    _report(info)


@app.command()
def check() -> None:
    """Say whether the image is there and made from the present recipe. Exit 1 when it is older."""
    info = check_image()
    _report(info)
    if not info.current:
        print("It was made from another recipe: build it again with `clawgym-bench image build`.")
        raise typer.Exit(1)


@app.command()
def export(folder: Annotated[Path, typer.Argument(help="An empty or new folder.")]) -> None:
    """Unpack the image into a folder, as a root for the bwrap sandbox."""
    print(export_image(folder))


def _report(info: ImageInfo) -> None:
    print(f"{info.name}  {info.digest}  {info.size / 2**20:.0f} MB")
