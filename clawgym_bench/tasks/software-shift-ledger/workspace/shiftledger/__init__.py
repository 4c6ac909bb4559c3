"""Hours from the punch clock."""

from shiftledger.model import PunchError, Shift, Split
from shiftledger.punches import read_holidays, read_punches
from shiftledger.split import split_minutes

__all__ = ["PunchError", "Shift", "Split", "read_holidays", "read_punches", "split_minutes"]
__version__ = "0.3.1"
