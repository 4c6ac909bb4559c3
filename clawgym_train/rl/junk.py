"""Notices when a policy is paid for what an agent earns that does no work.

Junk agents (`clawgym_bench.audit.junk`) play every task once, before it is used. A rollout is
*junk-like* when it earns points, and none but those that a junk agent earns on the same task.
Tasks that pass the audit pay junk nothing, so that no honest rollout looks like it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clawgym_bench.audit.junk import BOUND, junk_agents
from clawgym_bench.audit.play import assess, play
from clawgym_bench.grading import Grade
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task
from clawgym_train.rollout.record import Rollout

ALARM_SHARE = 0.1


def earned(grade: Grade) -> frozenset[str]:
    """The checks that paid."""
    return frozenset(
        check.id for check in grade.results if not check.gate and check.score * check.weight > 0
    )


@dataclass(frozen=True)
class JunkCount:
    """Of one batch. `examples`: task and agent, at most a few."""

    rollouts: int
    junk_like: int
    examples: Sequence[str]

    @property
    def share(self) -> float:
        return self.junk_like / self.rollouts if self.rollouts else 0.0

    def alarm(self, step: int) -> str | None:
        """What is to be printed, or None."""
        if self.share < ALARM_SHARE:
            return None
        return (
            f"ALARM step {step}: {self.junk_like} of {self.rollouts} rollouts earn only what an "
            f"agent earns that does no work ({'; '.join(self.examples)}). The checks of these "
            "tasks are too weak: `clawgym-bench audit` says which, mend or drop them"
        )


class JunkWatch:
    """Remembers, per task, what each junk agent earns."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._paid: dict[str, dict[str, frozenset[str]]] = {}

    async def count(self, rollouts: Sequence[Rollout], tasks: Sequence[Task]) -> JunkCount:
        """`tasks`: that of each rollout."""
        alike, examples = 0, dict[str, None]()
        scored = 0
        for rollout, task in zip(rollouts, tasks, strict=True):
            if rollout.grade is None:
                continue
            scored += 1
            if (rollout.reward() or 0.0) <= BOUND:
                continue
            got = earned(rollout.grade)
            for agent, paid in (await self._payments(task)).items():
                if got and got <= paid:
                    alike += 1
                    examples[f"{task.id} like {agent!r} by {', '.join(sorted(got))}"] = None
                    break
        return JunkCount(scored, alike, list(examples)[:3])

    async def _payments(self, task: Task) -> dict[str, frozenset[str]]:
        if task.id not in self._paid:
            self._paid[task.id] = {}
            for name, agent in junk_agents().items():
                evidence = await play(task, agent, self._backend)
                result = await assess(task, evidence, self._backend)
                if (result.score or 0.0) > BOUND:
                    self._paid[task.id][name] = earned(result)
        return self._paid[task.id]
