"""`clawgym-bench demo`: the shipped tasks with the reference agents, no model needed."""

import sys
from typing import Annotated

import typer
from inspect_ai import eval
from inspect_ai.log import EvalLog
from rich.console import Console
from rich.table import Table

from clawgym_bench.agents import REFERENCE_AGENTS
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import choose_sandbox, clawgym_bench


def demo(
    sandbox: Annotated[str, typer.Option(help="bwrap or docker.")] = "bwrap",
    log_dir: Annotated[str, typer.Option(help="Where the logs go.")] = "logs/demo",
) -> None:
    """Run the shipped tasks with every reference agent and print their scores.

    Exit 1 when the oracle loses a point or an agent that does no work earns one.
    """
    if sandbox == "bwrap" and not sys.platform.startswith("linux"):
        raise InputError("bwrap needs Linux; with Docker running, add --sandbox docker")
    choose_sandbox(sandbox)
    logs = eval(
        [clawgym_bench(agent=agent, sandbox=sandbox) for agent in REFERENCE_AGENTS],
        model="none",
        log_dir=log_dir,
        max_tasks=len(REFERENCE_AGENTS),
        max_samples=8,
    )
    scores = [_mean(log) for log in logs]
    Console().print(_table(logs))
    print(f"Logs: {log_dir}\nLook at them: inspect view --log-dir {log_dir}")
    wrong = scores[0] != 1.0 or any(score is None or score > 0.05 for score in scores[1:])
    if wrong:
        raise typer.Exit(1)


def _mean(log: EvalLog, key: str = "score", metric: str = "mean") -> float | None:
    if log.status != "success" or log.results is None:
        return None
    for score in log.results.scores:
        if score.name == key and metric in score.metrics:
            return float(score.metrics[metric].value)
    return None


def _table(logs: list[EvalLog]) -> Table:
    table = Table(
        title="ClawGym-Bench, reference agents", title_justify="left", box=None, pad_edge=False
    )
    for column in ("agent", "score", "checks", "success", "samples", "what it delivers"):
        table.add_column(
            column, justify="left" if column in {"agent", "what it delivers"} else "right"
        )
    for agent, log in zip(REFERENCE_AGENTS, logs, strict=True):
        cells = [_shown(_mean(log, key)) for key in ("score", "checks", "success")]
        samples = str(log.results.completed_samples) if log.results else log.status
        table.add_row(agent, *cells, samples, WHAT[agent])
    return table


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


WHAT = {
    "oracle": "the reference solution, by tools",
    "noop": "nothing",
    "empty": "all requested files, empty",
    "copy": "the largest input in each",
    "echo": "the request in each",
    "echo_inputs": "request and inputs in each",
    "stub": "valid form, no content",
}
