"""`clawgym-data synth`."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from clawgym_bench.errors import InputError
from clawgym_data.cli.model import (
    BatchOption,
    BudgetTokensOption,
    BudgetUsdOption,
    ConnectionsOption,
    CostConfigOption,
    MaxTokensOption,
    ModelArgOption,
    ModelOption,
    RoundsOption,
    TemperatureOption,
    model_options,
    spent,
)
from clawgym_data.engines import ENGINES, EngineOptions, open_engine
from clawgym_data.pipeline.balance import Targets
from clawgym_data.pipeline.decision import Decision
from clawgym_data.pipeline.engine import Engine
from clawgym_data.pipeline.ledger import Ledger
from clawgym_data.pipeline.run import synthesize
from clawgym_data.pipeline.settings import ALWAYS, Settings

INCOMPLETE = 3
TIERS = ("full", "tiny")
DRAWN = Targets(categories={}, hybrid=1.0, several_sessions=1.0, difficulty={})
"""A model's drafts are paid: shares follow from the draw, and none is thrown away for them."""


def synth(
    out: Annotated[Path, typer.Option(help="The folder of the set; a new one, or --resume.")],
    n: Annotated[int, typer.Option("-n", help="How many tasks.")] = 100,
    seed: Annotated[int, typer.Option(help="Another seed gives other tasks.")] = 0,
    engine: Annotated[str, typer.Option(help=f"{' or '.join(ENGINES)}.")] = "composer",
    workers: Annotated[int, typer.Option(help="Worker processes; 0: one per core.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    tier: Annotated[str, typer.Option(help="Size of the tasks: full or tiny.")] = "full",
    gates: Annotated[
        str, typer.Option(help="Gates that judge every task, comma-separated; or none.")
    ] = ",".join(ALWAYS),
    mutant_share: Annotated[
        float, typer.Option(help="Share of tasks that all other gates judge too.")
    ] = 0.05,
    sandbox: Annotated[str, typer.Option(help="Where to audit: bwrap or docker.")] = "bwrap",
    model: ModelOption = None,
    skills: Annotated[
        Path | None,
        typer.Option(help="With --engine model: write tasks on the skills (SKILL.md) in here."),
    ] = None,
    rounds: RoundsOption = 2,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    model_cost_config: CostConfigOption = None,
    max_connections: ConnectionsOption = None,
    batch: BatchOption = False,
    max_tokens: MaxTokensOption = None,
    temperature: TemperatureOption = None,
    model_arg: ModelArgOption = None,
    ray: Annotated[
        bool, typer.Option("--ray", help="Work as Ray Data: pip install 'clawgym\\[scale]'.")
    ] = False,
) -> None:
    """Make a set of audited tasks: train, validation and test, with a manifest.

    The same options give the same set, whatever the number of workers and however often the run
    was stopped. Exit 0: done, 2: could not run, 3: stopped before the set was complete (by a
    budget, Ctrl-C, or too many attempts that came to nothing); --resume goes on.
    """
    if tier not in TIERS:
        raise InputError(f"--tier {tier}: must be {' or '.join(TIERS)}")
    chosen = () if gates == "none" else tuple(name.strip() for name in gates.split(","))
    settings = Settings(
        n=n,
        gates=chosen,
        mutant_share=mutant_share if chosen else 0.0,
        sandbox=sandbox,
        targets=DRAWN if engine == "model" else Targets(),
    )
    asked = model_options(
        model,
        out,
        rounds=rounds,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        cost_config=model_cost_config,
        max_connections=max_connections,
        batch=batch,
        max_tokens=max_tokens,
        temperature=temperature,
        model_arg=model_arg,
    )
    options = EngineOptions(seed=seed, tier=tier, asked=asked, skills=skills)
    source = open_engine(engine, options)
    for name, reason in source.describe().get("skills", {}).get("left_out", {}).items():
        print(f"skill left out: {name}: {reason}")
    run(source, settings, out, workers=workers, resume=resume, ray=ray)


def run(
    source: Engine, settings: Settings, out: Path, *, workers: int, resume: bool, ray: bool = False
) -> None:
    """Makes a set and tells what became of it; ends with `INCOMPLETE` when it stopped before."""
    with Display(settings.n) as display:
        outcome = synthesize(
            source,
            settings,
            out,
            workers=workers,
            resume=resume,
            on_decision=display.update,
            ray=ray,
        )
    Console().print(summary(outcome.manifest))
    counts = outcome.manifest["counts"]
    print(f"{counts['accepted']} tasks in {out}, made in {counts['attempts']} attempts")
    if told := spent(outcome.manifest):
        print(told)
    if not outcome.complete:
        print(f"not complete: {outcome.why}\nGo on with the same command and --resume.")
        raise typer.Exit(INCOMPLETE)


class Display:
    """A bar with the rate, the share of attempts that became tasks, and the time left."""

    def __init__(self, n: int) -> None:
        columns = (
            TextColumn("synthesizing"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
        )
        self._bars = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar = self._bars.add_task("synth", total=n, said="")
        self._start: tuple[float, int] | None = None

    def __enter__(self) -> "Display":
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def update(self, decision: Decision, ledger: Ledger) -> None:
        accepted, now = ledger.tally.accepted, time.monotonic()
        if self._start is None:
            self._start = now, accepted
        begun, before = self._start
        rate = (accepted - before) / max(now - begun, 1e-9)
        said = f"{accepted / ledger.tally.decided:.0%} accepted"
        if accepted > before and now - begun > 1:
            left = (ledger.settings.n - accepted) / rate
            said += f", {60 * rate:.0f} a minute, {_duration(left)} left"
        self._bars.update(self._bar, completed=accepted, said=said)
        if decision.state == "failed":
            self._bars.console.print(
                f"attempt {decision.number} failed: {escape(decision.failure)}", highlight=False
            )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def summary(manifest: dict[str, Any]) -> Table:
    """Why attempts ended, by stage."""
    table = Table(box=None, pad_edge=False)
    for column, justify in (("stage", "left"), ("in", "right"), ("out", "right"), ("why", "left")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for stage, found in manifest["stages"].items():
        if not found["rejected"]:
            continue
        reasons = [f"{count} {reason}" for reason, count in found["rejected"].items()]
        shown = reasons[:4] + ([f"{len(reasons) - 4} other reasons"] if len(reasons) > 4 else [])
        table.add_row(stage, str(found["in"]), str(found["out"]), escape("; ".join(shown)))
    if failures := manifest["failures"]:
        told = "; ".join(f"{count} {reason}" for reason, count in failures.items())
        table.add_row("failed", str(manifest["counts"]["failed"]), "", escape(told))
    return table
