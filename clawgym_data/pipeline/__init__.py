"""The pipeline: from an engine's attempts to a set of audited, novel, balanced, split tasks."""

from clawgym_data.pipeline.engine import (
    BudgetSpent,
    ComposerEngine,
    Cost,
    Draft,
    Engine,
    Exhausted,
    Feedback,
    RunEnds,
)
from clawgym_data.pipeline.run import Outcome, synthesize
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.stages import Ended, Stage

__all__ = [
    "BudgetSpent",
    "ComposerEngine",
    "Cost",
    "Draft",
    "Ended",
    "Engine",
    "Exhausted",
    "Feedback",
    "Outcome",
    "RunEnds",
    "Settings",
    "Stage",
    "synthesize",
]
