"""The error model: who is at fault decides what happens to the sample.

    ClawGymError
    ├── InputError            the user's: a bad file, option or name. Exit code 2.
    │   └── TaskInvalid       a task that cannot be loaded; carries every problem found in it
    ├── AgentFault            the agent's: what it ran ended its own sandbox. Scored.
    ├── TaskFault             the task's: a checker crashed, a hidden file is missing. Unscored.
    └── InfrastructureError   ours or the machine's. Unscored.
        ├── SandboxUnavailable   no daemon, no user namespaces, no image: says what mends it
        └── SandboxLost          a sandbox that was running is gone, for no reason found in it

Nothing that is not the agent's fault ever becomes a score of 0.

What happens next:

- A sandbox that cannot be created is tried again, `CREATE_ATTEMPTS` times in all, with pauses of
  `BACKOFF_SECONDS` (sandbox/retry.py), unless the reason is one that stays (no image, no
  permission). A warning in the sample's transcript and `retries` in its metadata's `sandbox` tell.
- `AgentFault` ends the agent's work. What is left is scored as it stands; when the sandbox died
  with its files, the score is 0. `fault` in the score's metadata says why, e.g. "memory". Never
  retried: the agent would do it again.
- `SandboxLost` and every other `InfrastructureError` ends the sample with an error and without a
  score. Inspect runs it again, in a new sandbox: `--retry-on-error N` at once, up to N times (the
  log keeps the errors of the failed attempts), `inspect eval-retry LOG` later.
- `TaskFault` leaves the sample unscored with the reason. Not retried: the task has to be mended.

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
    """The agent made its own sandbox unusable; `fault` names how: "memory"."""

    def __init__(self, message: str, fault: str = "") -> None:
        super().__init__(message)
        self.fault = fault


class TaskFault(ClawGymError):
    """The task cannot be graded through no fault of the agent."""


class InfrastructureError(ClawGymError):
    """The machine, the daemon or this program failed."""


class SandboxUnavailable(InfrastructureError):
    """No sandbox of the requested kind can be made here."""


class SandboxLost(InfrastructureError):
    """A sandbox stopped answering or is gone, and nothing says that the agent did it."""
