"""Skills: the typed blocks that plans are built of.

A skill is a frozen dataclass whose fields are its parameters. `choose` looks at the values that
would flow in and draws parameters that make sense for them (or gives None: the block does not fit
here); `apply` says what follows: the resulting value, the words that ask for it, the reference code
that does it *on files*, and what is delivered and checked. `apply` is pure, so that a plan can be
applied again to other inputs (a later session with more data, a planted change).

Truth and code are two computations: `Step.value` comes from the values in memory, `Step.code` from
the files in the workspace. The audit runs the one against the other.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from clawgym_bench.task import Criterion, Output
from clawgym_data.compose.values import Value
from clawgym_data.compose.world import World

GROUPS: Mapping[str, tuple[str, ...]] = {
    "files": ("find-files", "organise-files", "archive-files", "compare-files"),
    "documents": ("read-text", "write-prose", "edit-text", "format-document"),
    "data": ("read-structured", "filter-rows", "join-tables", "reshape-data", "write-structured"),
    "statistics": ("compute-aggregates", "sort-rank", "derive-values", "detect-anomalies"),
    "communication": ("read-messages", "draft-messages", "answer-question", "manage-contacts"),
    "planning": ("schedule-events", "track-tasks", "use-memory", "follow-policy"),
    "systems": ("write-code", "fix-code", "edit-config", "analyse-logs", "automate-shell"),
}
"""The atomic operations, in their seven groups."""

OPERATIONS = frozenset(name for names in GROUPS.values() for name in names)


@dataclass(frozen=True)
class Say:
    """The same content in the forms that a request may take; each a list of alternatives.

    `do`: an imperative without capital and full stop ("leave out the cancelled orders").
    `rule`: a whole sentence ("Cancelled orders do not count.").
    `of`: the noun phrase of the result ("the total net amount per region"); also the new
    `phrase` of a resulting table. Empty when it adds nothing to be referred to.
    """

    do: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deliverable:
    """Something handed over at the end: a file, a change in the workspace, an answer.

    `asked` is the noun phrase of what it holds, as the request must say it. `checks` are check
    fields without `cites`: the request writer fills in the words it used. `outputs` are lines of
    the contract. `message` is what the reference says (a template filled by the reference code is
    not possible in a message: the text is final). `criteria` make the task hybrid.
    """

    path: str
    asked: str
    outputs: tuple[Output, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    criteria: tuple[Criterion, ...] = ()
    message: str = ""
    variants: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """Other right forms of the delivered files: variant name → path → content."""
    afterwards: Mapping[str, str] = field(default_factory=dict)
    """Other right ends: variant name → Python that is run after the reference."""
    hidden: Mapping[str, bytes] = field(default_factory=dict)
    """Files below `expected/` and `hidden/` that the checks read."""
    editable: tuple[str, ...] = ()
    """Inputs that it changes, moves or removes (globs)."""
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """A skill applied: what follows from it.

    `code` is Python (3.11) of the reference program; `«0»`, `«1»` stand for the variables of the
    inputs and `«out»` for that of the result. A table's variable is a list of dicts with typed
    cells (str, int, Decimal, date, datetime, bool, None), facts are a dict by `Fact.name`. `needs`
    names helpers of `prelude` that the code calls.
    `files` go into the workspace; `rules` are sentences that a reader of those files needs and
    that the request or a document in the workspace must therefore say.
    """

    value: Value | None
    say: Say
    code: str = ""
    needs: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    deliver: Deliverable | None = None


class Skill(ABC):
    """One block. `takes` and `gives` type its edges; sources take the table they write down."""

    name: ClassVar[str]
    operation: ClassVar[str]
    takes: ClassVar[tuple[type, ...]]
    gives: ClassVar[type | None]
    source: ClassVar[bool] = False
    """Whether it writes down the table that it is given, as a file that the agent finds."""
    sink: ClassVar[bool] = False
    """Whether it delivers something, so that a plan may end there."""
    hybrid: ClassVar[bool] = False
    """Whether a rubric judges what it delivers; only plans of hybrid tasks have such a block."""
    weight: ClassVar[float] = 1.0
    """How often it is drawn where it fits, relative to others."""

    @classmethod
    @abstractmethod
    def choose(cls, inputs: Sequence[Value], world: World) -> Self | None:
        """Draws parameters from `world.random`, or None when it does not fit these inputs."""

    @abstractmethod
    def apply(self, inputs: Sequence[Value]) -> Step:
        """What follows. Pure."""

    def detail(self) -> str:
        """What tells two uses apart in the skeleton: a format, a function; no names or values."""
        return ""


SKILLS: dict[str, type[Skill]] = {}


def skill(name: str, operation: str, **more: Any) -> Callable[[type[Skill]], type[Skill]]:
    """Registers a block under a name and the atomic operation it is an instance of."""
    if operation not in OPERATIONS:
        raise ValueError(f"{name}: there is no operation {operation!r}")

    def register(cls: type[Skill]) -> type[Skill]:
        if name in SKILLS:
            raise ValueError(f"two skills are called {name!r}")
        cls.name, cls.operation = name, operation
        for field_name, value in more.items():
            setattr(cls, field_name, value)
        SKILLS[name] = cls
        return cls

    return register
