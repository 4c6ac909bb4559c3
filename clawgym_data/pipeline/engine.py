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
    """What attempts have cost; zero for the composer.

    `input_tokens` count those read from or written to a provider's cache too. `unpriced` calls
    have no known price and are not in `dollars`.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            dollars=round(self.dollars + other.dollars, 9),
            unpriced=self.unpriced + other.unpriced,
        )


FREE = Cost()


@dataclass(frozen=True)
class Draft:
    """One attempt: a task, or where and why it was given up.

    With `findings` a draft that was given up is handed back for revision like one that fails the
    audit. `answer` is what the engine wants to see again then; the task's line when empty.
    """

    task: Task | None = None
    ended: Ended | None = None
    cost: Cost = FREE
    answer: str = ""
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feedback:
    """What was found wrong with the draft before: `findings` are sentences with their remedy.

    `line` is that draft: what the engine gave as its `answer`, else the task as a JSON line.
    `round` counts from 1.
    """

    round: int
    line: str
    findings: Sequence[str]


class RunEnds(ClawGymError):
    """No attempt from this one on can be made: the run ends cleanly before it, the message says
    why, and it can be resumed."""


class BudgetSpent(RunEnds):
    """An engine may spend no more."""


class Exhausted(RunEnds):
    """An engine has nothing more to give; the set is complete as it is."""


class Engine(Protocol):
    """`local` engines compute: they are pickled into worker processes. Others wait for answers and
    run in one event loop of the parent, `concurrency` attempts at a time.

    An attempt that raises `InfrastructureError` is tried again, and never counts as a reject.
    `RunEnds` ends the run. Anything else that is raised fails this attempt alone.
    """

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    @property
    def concurrency(self) -> int: ...

    @property
    def rounds(self) -> int:
        """How often a draft that is found wrong is handed back for revision."""
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
