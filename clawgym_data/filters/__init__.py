"""Filters over tasks: novelty, contamination, difficulty. Each works on any task set."""

from clawgym_data.filters.contamination import Bench, Contamination
from clawgym_data.filters.difficulty import by_pass_rates, by_structure
from clawgym_data.filters.fingerprint import Fingerprint, fingerprint_of
from clawgym_data.filters.novelty import Novelty, Similar

__all__ = [
    "Bench",
    "Contamination",
    "Fingerprint",
    "Novelty",
    "Similar",
    "by_pass_rates",
    "by_structure",
    "fingerprint_of",
]
