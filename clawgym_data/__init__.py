"""clawgym_data makes tasks: composed or model-written, audited, filtered, split, exported.

clawgym-data synth -n 1000 --seed 7 --out DIR      # in a shell
synthesize(ComposerEngine(7), Settings(n=1000), "DIR")      # in Python

The names are loaded when first used: they need the extra `data`, and the command must be able to
say so.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawgym_data.pipeline import ComposerEngine, Settings, synthesize
    from clawgym_data.sets import read_set

__all__ = ["ComposerEngine", "Settings", "read_set", "synthesize"]

_PIPELINE = "clawgym_data.pipeline"
_HOMES = {
    "ComposerEngine": _PIPELINE,
    "Settings": _PIPELINE,
    "read_set": "clawgym_data.sets",
    "synthesize": _PIPELINE,
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
