"""Engines by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from clawgym_bench.errors import InputError
from clawgym_data.pipeline.engine import ComposerEngine, Engine


@dataclass(frozen=True)
class EngineOptions:
    """What the command line says about an engine; each takes what it knows."""

    seed: int = 0
    tier: str = "full"


def _composer(options: EngineOptions) -> Engine:
    return ComposerEngine(options.seed, options.tier)


ENGINES: Mapping[str, Callable[[EngineOptions], Engine]] = {"composer": _composer}


def open_engine(name: str, options: EngineOptions) -> Engine:
    """Raises `InputError` for an unknown name."""
    if name not in ENGINES:
        raise InputError(f"--engine {name}: there is {', '.join(ENGINES)}")
    return ENGINES[name](options)
