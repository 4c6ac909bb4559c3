"""`clawgym-bench doctor`: what is here, what is missing, and the command that mends it."""

import asyncio
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from clawgym_bench.sandbox import probe_bwrap, probe_docker

KEYS = {
    "OPENAI_API_KEY": "openai/...",
    "ANTHROPIC_API_KEY": "anthropic/...",
    "GOOGLE_API_KEY": "google/...",
}
DISK_WANTED_GB = 5
State = Literal["ok", "missing", "optional"]
MARKS: dict[State, str] = {"ok": "[green]✓[/]", "missing": "[red]✗[/]", "optional": "[yellow]–[/]"}


@dataclass(frozen=True)
class Line:
    """One thing looked at. `missing` hinders every run; `optional` hinders some."""

    what: str
    state: State
    detail: str
    remedy: str = ""


def examine() -> Iterator[Line]:
    """Everything that decides what can be run here. Never prints a secret."""
    version = importlib.metadata.version("clawgym")
    yield Line("clawgym", "ok", f"{version}, Python {platform.python_version()}, {sys.platform}")
    inspect = importlib.metadata.version("inspect-ai")
    yield Line("inspect-ai", "ok", inspect)
    docker, bwrap = asyncio.run(probe_docker()), asyncio.run(probe_bwrap())
    both_missing = not (docker.available or bwrap.available)
    for name, found in (("docker", docker), ("bwrap", bwrap)):
        state: State = "ok" if found.available else "missing" if both_missing else "optional"
        yield Line(f"sandbox {name}", state, found.detail, found.remedy)
    for variable, models in KEYS.items():
        there = bool(os.environ.get(variable))
        yield Line(
            f"key for {models}",
            "ok" if there else "optional",
            f"{variable} is set" if there else f"{variable} is not set",
            "" if there else f"export {variable}=...",
        )
    vllm = importlib.util.find_spec("vllm") is not None
    yield Line(
        "vllm",
        "ok" if vllm else "optional",
        importlib.metadata.version("vllm") if vllm else "not installed here",
        ""
        if vllm
        else "pip install 'clawgym[vllm]', or serve it elsewhere: --model openai-api/...",
    )
    gpu = shutil.which("nvidia-smi") is not None and os.path.exists("/dev/nvidiactl")
    yield Line("GPU", "ok" if gpu else "optional", "NVIDIA device" if gpu else "none seen")
    free = shutil.disk_usage(".").free / 1e9
    enough = free >= DISK_WANTED_GB
    yield Line(
        "disk",
        "ok" if enough else "missing",
        f"{free:.0f} GB free here",
        "" if enough else f"free at least {DISK_WANTED_GB} GB",
    )


def doctor() -> None:
    """Show what is here and what mends what is missing. Exit 1 when nothing can be run."""
    table = Table(box=None, pad_edge=False, show_header=False)
    hindered = False
    for line in examine():
        hindered = hindered or line.state == "missing"
        remedy = line.remedy and f"→ {line.remedy}"
        table.add_row(MARKS[line.state], line.what, escape(line.detail), escape(remedy))
    Console().print(table)
    if hindered:
        raise typer.Exit(1)
