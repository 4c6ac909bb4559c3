"""The seam between the pipeline and whatever invents tasks.

An engine turns numbers into drafts. The pipeline asks for attempt 0, 1, 2, …; each ends as a task
or is given up in one of the first seven stages, and either way says what it has cost. What an
engine yields may depend on its fields and on the number alone (and, when a draft is revised, on the
feedback), never on what else was asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clawgym_bench.errors import ClawGymError
from clawgym_bench.task import Task
from clawgym_data.compose import composer
from clawgym_data.compose.plan import NoPlan
from clawgym_data.pipeline.stages import Ended, Record, Stage


class Cost(Record):
    """What attempts have cost; zero for the composer."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            dollars=round(self.dollars + other.dollars, 9),
        )


FREE = Cost()


@dataclass(frozen=True)
class Draft:
    """One attempt: a task, or where and why it was given up."""

    task: Task | None = None
    ended: Ended | None = None
    cost: Cost = FREE


@dataclass(frozen=True)
class Feedback:
    """What the audit found in the draft before: `findings` are sentences with their remedy.

    `line` is that draft as a JSON line; `round` counts from 1.
    """

    round: int
    line: str
    findings: Sequence[str]


class BudgetSpent(ClawGymError):
    """An engine may spend no more. The run ends cleanly before this attempt; it can be resumed."""


class Engine(Protocol):
    """`local` engines compute: they are pickled into worker processes. Others wait for answers and
    run in one event loop of the parent, `concurrency` attempts at a time.

    An attempt that raises `InfrastructureError` is tried again, and never counts as a reject.
    `BudgetSpent` ends the run. Anything else that is raised fails this attempt alone.
    """

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    @property
    def concurrency(self) -> int: ...

    @property
    def rounds(self) -> int:
        """How often a draft that fails the audit is handed back for revision."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Everything that decides what comes out, as JSON; a run resumes only with the same."""
        ...

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft: ...


@dataclass(frozen=True)
class ComposerEngine:
    """Tasks from typed blocks; no model, no network."""

    seed: int
    tier: str = "full"

    name = "composer"
    local = True
    concurrency = 1
    rounds = 0

    def describe(self) -> Mapping[str, Any]:
        return {
            "name": self.name,
            "version": composer.VERSION,
            "seed": self.seed,
            "tier": self.tier,
        }

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft:
        try:
            return Draft(composer.compose(self.seed, number, self.tier))
        except NoPlan as nothing:
            reason = str(nothing) or "no block fits"
            return Draft(ended=Ended(stage=Stage.OPERATIONS, reason=reason))
