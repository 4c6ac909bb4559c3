"""Options of the commands that ask a model, and what they tell of its cost."""

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from clawgym_bench.errors import InputError
from clawgym_data.engines import ModelOptions

ModelOption = Annotated[
    str | None, typer.Option(help="A model as Inspect calls it: openai/…, anthropic/…, vllm/….")
]
RoundsOption = Annotated[
    int, typer.Option(help="How often a refused draft goes back to the model with the findings.")
]
BudgetUsdOption = Annotated[
    float | None, typer.Option(help="Stop when the answers have cost so many dollars (exit 3).")
]
BudgetTokensOption = Annotated[
    int | None, typer.Option(help="Stop when so many tokens are used (exit 3).")
]
CostConfigOption = Annotated[
    str | None, typer.Option(help="Prices of models, a file as of `inspect eval`.")
]
ConnectionsOption = Annotated[int | None, typer.Option(help="Calls at a time; 8 when nobody says.")]
BatchOption = Annotated[bool, typer.Option("--batch", help="Use the provider's batch API.")]
MaxTokensOption = Annotated[int | None, typer.Option(help="The most tokens of one answer.")]
TemperatureOption = Annotated[float | None, typer.Option(help="The model's temperature.")]
ModelArgOption = Annotated[
    list[str] | None, typer.Option("--model-arg", "-M", help="NAME=VALUE for the provider.")
]


def model_options(
    model: str | None,
    out: Path,
    *,
    rounds: int,
    budget_usd: float | None,
    budget_tokens: int | None,
    cost_config: str | None,
    max_connections: int | None,
    batch: bool,
    max_tokens: int | None,
    temperature: float | None,
    model_arg: list[str] | None,
) -> ModelOptions | None:
    """None without a model; raises `InputError`."""
    if model is None:
        if budget_usd is not None or budget_tokens is not None:
            raise InputError("--budget-usd and --budget-tokens go with --model")
        return None
    for name, value in (("max-connections", max_connections), ("max-tokens", max_tokens)):
        if value is not None and value < 1:
            raise InputError(f"--{name} {value}: give 1 or more")
    config = {
        "max_connections": max_connections,
        "batch": batch or None,
        "max_tokens": max_tokens,
        "temperature": temperature,
    }
    return ModelOptions(
        model,
        account=out,
        rounds=rounds,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        cost_config=cost_config,
        config={name: value for name, value in config.items() if value is not None},
        args=_arguments(model_arg or []),
    )


def _arguments(given: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InputError(f"-M {text}: give NAME=VALUE")
        found[name.strip().replace("-", "_")] = yaml.safe_load(value)
    return found


def spent(manifest: dict[str, Any]) -> str:
    """What the answers have cost, in a line; empty where no model was asked."""
    cost, each = manifest["cost"], manifest["cost_per_accepted"]
    if not cost["calls"]:
        return ""
    tokens = f"{cost['input_tokens']:,} tokens in, {cost['output_tokens']:,} out"
    if cost["unpriced"]:
        price = f", {cost['unpriced']} of the answers have no known price"
    else:
        price = f", ${cost['dollars']:.4f}"
    told = f"{cost['calls']} answers: {tokens}{price}"
    if accepted := manifest["counts"]["accepted"]:
        told += f"; per accepted task {each['tokens']:,.0f} tokens"
        told += "" if cost["unpriced"] or not accepted else f", ${each['dollars']:.4f}"
    return told
