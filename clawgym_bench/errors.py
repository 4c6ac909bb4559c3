"""The error model: who is at fault decides what happens to the sample.

    ClawGymError
    ├── InputError            the user's: a bad file, option or name. Exit code 2.
    │   └── TaskInvalid       a task that cannot be loaded; carries every problem found in it
    ├── AgentFault            the agent's: it broke its own sandbox. Scored as it stands.
    ├── TaskFault             the task's: a checker crashed, a hidden file is missing. Unscored.
    └── InfrastructureError   ours or the machine's. Unscored, retried by Inspect.
        ├── SandboxUnavailable   no daemon, no user namespaces, no image: says what mends it
        └── SandboxLost          a sandbox that was running is gone

Nothing that is not the agent's fault ever becomes a score of 0.

Exit codes of the console scripts: 0 done, 1 done and something was found (a task is invalid,
a regraded score differs), 2 could not run (`InputError`, `SandboxUnavailable`).
"""

from collections.abc import Sequence
from dataclasses import dataclass


class ClawGymError(Exception):
    """Root of every error that this project raises on purpose."""


class InputError(ClawGymError):
    """What the user gave cannot be used; the message says what, where and what to do."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a task: where it is, what was found, what to do about it."""

    where: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}"
        return f"{text} → {self.remedy}" if self.remedy else text


class TaskInvalid(InputError):
    """A task that cannot be loaded, with all of its problems at once."""

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"{source}: {count} problem{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class AgentFault(ClawGymError):
    """The agent made its own sandbox unusable; what it left behind is graded."""


class TaskFault(ClawGymError):
    """The task cannot be graded through no fault of the agent."""


class InfrastructureError(ClawGymError):
    """The machine, the daemon or this program failed."""


class SandboxUnavailable(InfrastructureError):
    """No sandbox of the requested kind can be made here."""


class SandboxLost(InfrastructureError):
    """A sandbox stopped answering or is gone."""
