"""clawgym_data makes tasks: composed or model-written, audited, filtered, split, exported.

clawgym-data synth -n 1000 --seed 7 --out DIR      # in a shell
synthesize(ComposerEngine(7), Settings(n=1000), "DIR")      # in Python
"""

from clawgym_data.convert import convert
from clawgym_data.pipeline import ComposerEngine, Settings, synthesize
from clawgym_data.sets import read_set

__all__ = ["ComposerEngine", "Settings", "convert", "read_set", "synthesize"]
