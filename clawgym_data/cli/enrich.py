"""`clawgym-data enrich`."""

from pathlib import Path
from typing import Annotated

import typer

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
)
from clawgym_data.cli.synth import run
from clawgym_data.engines import open_answers
from clawgym_data.pipeline.settings import ALWAYS, Settings


def enrich(
    path: Annotated[str, typer.Argument(help="A folder of `synth`, or any task set.")],
    out: Annotated[Path, typer.Option(help="The folder of the new set, or --resume.")],
    model: ModelOption = None,
    rounds: RoundsOption = 2,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    model_cost_config: CostConfigOption = None,
    max_connections: ConnectionsOption = None,
    batch: BatchOption = False,
    max_tokens: MaxTokensOption = None,
    temperature: TemperatureOption = None,
    model_arg: ModelArgOption = None,
    workers: Annotated[int, typer.Option(help="Worker processes; 0: one per core.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    gates: Annotated[
        str, typer.Option(help="Gates that judge every task, comma-separated; or none.")
    ] = ",".join(ALWAYS),
    mutant_share: Annotated[
        float, typer.Option(help="Share of tasks that all other gates judge too.")
    ] = 0.05,
    sandbox: Annotated[str, typer.Option(help="Where to audit: bwrap or docker.")] = "bwrap",
) -> None:
    """Let a model rewrite the requests and notes of a set, the facts kept, every task audited anew.

    A task that cannot be rewritten is left out of the new set and counted with its reason. Exit 0:
    every task was rewritten or given up, 2: could not run, 3: stopped before; --resume goes on.
    """
    if model is None:
        raise InputError("enrich: say which model with --model, as Inspect calls it")
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
    from clawgym_data.write import EnrichEngine
    from clawgym_data.write.enrich import settings_for

    assert asked is not None
    engine = EnrichEngine(open_answers(asked), path, rounds=asked.rounds)
    chosen = () if gates == "none" else tuple(name.strip() for name in gates.split(","))
    settings = Settings(
        n=len(engine), gates=chosen, mutant_share=mutant_share if chosen else 0.0, sandbox=sandbox
    )
    run(engine, settings_for(len(engine), settings), out, workers=workers, resume=resume)
