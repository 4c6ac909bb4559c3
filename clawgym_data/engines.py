"""Engines by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgym_bench.errors import InputError
from clawgym_data.pipeline.engine import ComposerEngine, Engine

if TYPE_CHECKING:
    from clawgym_data.write import Answers


@dataclass(frozen=True)
class ModelOptions:
    """How a model is asked and what may be spent. `config` and `args` are Inspect's generate
    options and model arguments; `account` is the folder that remembers what was spent."""

    model: str
    account: Path | None = None
    rounds: int = 2
    budget_usd: float | None = None
    budget_tokens: int | None = None
    cost_config: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EngineOptions:
    """What the command line says about an engine; each takes what it knows."""

    seed: int = 0
    tier: str = "full"
    asked: ModelOptions | None = None
    skills: Path | None = None


def open_answers(options: ModelOptions) -> "Answers":
    """Raises `InputError` for a model, a price list or a budget that cannot be used."""
    from inspect_ai.model import GenerateConfig

    from clawgym_data.write import Account, Answers, Budget
    from clawgym_data.write.prices import read_prices

    if options.rounds < 0:
        raise InputError(f"--rounds {options.rounds}: give 0 or more")
    if options.cost_config:
        read_prices(options.cost_config)
    budget = Budget(options.budget_usd, options.budget_tokens)
    return Answers(
        options.model,
        Account(options.account, budget),
        config=GenerateConfig(**options.config),
        model_args=options.args,
    )


def _composer(options: EngineOptions) -> Engine:
    if options.asked or options.skills:
        raise InputError("--model and --skills go with --engine model")
    return ComposerEngine(options.seed, options.tier)


def _model(options: EngineOptions) -> Engine:
    if options.asked is None:
        raise InputError("--engine model: say which with --model, as Inspect calls it")
    if options.tier != "full":
        raise InputError("--tier goes with --engine composer")
    from clawgym_data.write import ModelEngine, read_skills

    skills = read_skills(options.skills) if options.skills else None
    answers = open_answers(options.asked)
    return ModelEngine(answers, options.seed, rounds=options.asked.rounds, skills=skills)


ENGINES: Mapping[str, Callable[[EngineOptions], Engine]] = {
    "composer": _composer,
    "model": _model,
}


def open_engine(name: str, options: EngineOptions) -> Engine:
    """Raises `InputError` for an unknown name."""
    if name not in ENGINES:
        raise InputError(f"--engine {name}: there is {', '.join(ENGINES)}")
    return ENGINES[name](options)
