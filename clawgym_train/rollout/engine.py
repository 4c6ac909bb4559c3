"""Plays many episodes at a time, each in its own sandbox; tries again what infrastructure lost."""

import asyncio
import time
from collections.abc import Sequence

from clawgym_bench.errors import InfrastructureError, TaskFault
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task
from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.rollout.episode import play_episode
from clawgym_train.rollout.policy import Policy
from clawgym_train.rollout.record import Rollout
from clawgym_train.rollout.settings import RolloutSettings


class RolloutEngine:
    """Belongs to one event loop. The backend is the caller's, who also closes it."""

    def __init__(
        self,
        policy: Policy,
        chat: ChatFormat,
        backend: Backend,
        settings: RolloutSettings | None = None,
    ) -> None:
        self.settings = settings or RolloutSettings()
        self._policy, self._chat, self._backend = policy, chat, backend

    async def play(self, tasks: Sequence[Task]) -> list[Rollout]:
        """One rollout per entry, in order: give a task as often as its group is large."""
        free = asyncio.Semaphore(self.settings.parallel)

        async def one(task: Task) -> Rollout:
            async with free:
                return await self._tried(task)

        async with asyncio.TaskGroup() as group:
            running = [group.create_task(one(task)) for task in tasks]
        return [item.result() for item in running]

    async def _tried(self, task: Task) -> Rollout:
        """Lost after `attempts` failures of infrastructure; at once when the task is at fault."""
        started = time.monotonic()
        reason = ""
        for attempt in range(1, self.settings.attempts + 1):
            try:
                rollout = await play_episode(
                    task, self._policy, self._chat, self._backend, self.settings
                )
            except InfrastructureError as error:
                reason = f"{type(error).__name__}: {error}"
            except TaskFault as fault:
                reason = f"TaskFault: {fault}"
                break
            else:
                rollout.attempts = attempt
                return rollout
        passed = time.monotonic() - started
        return Rollout(task.id, lost=reason, attempts=attempt, seconds=passed)
