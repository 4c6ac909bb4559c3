"""TRL's `rollout_func`: one call is one step's rollouts, in the form its trainer takes."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from clawgym_bench.errors import InfrastructureError
from clawgym_bench.sandbox import Backend
from clawgym_bench.task import Task
from clawgym_bench.taskset import TaskSet
from clawgym_train.rl.config import RlConfig
from clawgym_train.rl.junk import JunkWatch
from clawgym_train.rollout import (
    ChatFormat,
    Conversation,
    Group,
    Policy,
    Rollout,
    RolloutEngine,
    RolloutSettings,
    count_groups,
    groups_of,
)
from clawgym_train.rollout.inspect_log import write_rollouts


class ClosablePolicy(Policy, Protocol):
    async def close(self) -> None: ...


class StepRollouts:
    """Plays the tasks that the trainer names, and answers with tokens, masks and logprobs.

    A task's rollouts stand together. A lost rollout has the reward None, which TRL leaves out of
    its group, and no token that counts; so has every rollout of a group without spread. Of several
    sessions one is learnt from, in turn over the rollouts of a group: each is a conversation of
    its own, and the trainer takes one per rollout.
    """

    def __init__(
        self,
        config: RlConfig,
        tasks: TaskSet,
        chat: ChatFormat,
        backend: Backend,
        make_policy: Callable[[Any], ClosablePolicy],
    ) -> None:
        self._config, self._tasks, self._chat, self._backend = config, tasks, chat, backend
        self._make_policy = make_policy
        self._junk = JunkWatch(backend)
        self._runner = asyncio.Runner()
        self.figures: dict[str, float] = {}
        """Of the last step."""
        self.alarms: list[str] = []

    def close(self) -> None:
        self._runner.run(self._backend.close())
        self._runner.close()

    def __call__(self, prompts: Sequence[str], trainer: Any) -> dict[str, Any]:
        step = int(trainer.state.global_step) + 1
        tasks = [self._tasks[name] for name in prompts]
        rollouts = self._runner.run(self._play(tasks, trainer, step))
        if all(rollout.grade is None for rollout in rollouts):
            raise InfrastructureError(
                f"step {step}: every rollout was lost; the last one: {rollouts[-1].lost}"
            )
        if trainer.accelerator.num_processes == 1:
            groups = groups_of(rollouts, self._config.samples, self._config.reward)
        else:  # a group may lie on several processes: what teaches nothing has no advantage
            groups = [Group(rollouts, [r.reward(self._config.reward) for r in rollouts])]
        taught = [group.teaches for group in groups for _ in group.rewards]
        rows = [
            self._row(rollout, number, teaches)
            for number, (rollout, teaches) in enumerate(zip(rollouts, taught, strict=True))
        ]
        self._measure(rollouts, groups)
        if self._config.log_rollouts_every and step % self._config.log_rollouts_every == 0:
            self._write(rollouts, tasks, step, trainer.accelerator.process_index)
        return {
            "prompt_ids": [row.prompt_ids for row in rows],
            "completion_ids": [row.completion_ids for row in rows],
            "logprobs": [row.logprobs for row in rows],
            "env_mask": [row.mask for row in rows],
            "earned": [rollout.reward(self._config.reward) for rollout in rollouts],
        }

    async def _play(self, tasks: Sequence[Task], trainer: Any, step: int) -> list[Rollout]:
        policy = self._make_policy(trainer)
        settings = RolloutSettings(
            turn_tokens=self._config.turn_tokens,
            tokens=self._config.max_tokens,
            parallel=self._config.parallel,
            reward=self._config.reward,
            judge=self._config.judge,
        )
        try:
            engine = RolloutEngine(policy, self._chat, self._backend, settings)
            rollouts = await engine.play(tasks)
            junk = await self._junk.count(rollouts, tasks)
        finally:
            await policy.close()
        self.figures = {"junk_like": junk.share}
        if alarm := junk.alarm(step):
            self.alarms.append(alarm)
            print(alarm, flush=True)
        return rollouts

    def _row(self, rollout: Rollout, number: int, teaches: bool) -> Conversation:
        talks = [talk for talk in rollout.conversations if talk.completion_ids]
        if rollout.grade is None or not talks:
            end = self._chat.turn_end
            return Conversation([end], [end], [0], [0.0])
        talk = talks[number % len(talks)]
        if teaches:
            return talk
        return Conversation(
            talk.prompt_ids, talk.completion_ids, [0] * len(talk.mask), talk.logprobs
        )

    def _measure(self, rollouts: Sequence[Rollout], groups: Sequence[Group]) -> None:
        scored = [rollout for rollout in rollouts if rollout.grade is not None]
        counts = count_groups(groups)
        calls = sum(len(rollout.calls) for rollout in scored)
        talks = [talk for rollout in scored for talk in rollout.conversations]
        self.figures |= {
            "score": fmean(rollout.reward() or 0.0 for rollout in scored),
            "success": fmean(rollout.reward("success") or 0.0 for rollout in scored),
            "tool_errors": sum(r.tool_errors for r in scored) / calls if calls else 0.0,
            "turns": fmean(talk.turns for talk in talks),
            "tokens_sampled": fmean(sum(talk.mask) for talk in talks),
            "cut_by_tokens": fmean(talk.ended == "tokens" for talk in talks),
            "groups_skipped": float(counts.skipped),
            "rollouts_lost": float(counts.lost),
            "environment_seconds": fmean(rollout.environment_seconds for rollout in scored),
            "rollout_seconds": fmean(rollout.seconds for rollout in scored),
        }

    def _write(
        self, rollouts: Sequence[Rollout], tasks: Sequence[Task], step: int, process: int
    ) -> None:
        part = f"-{process}" if process else ""
        path = Path(self._config.out, "rollouts", f"step-{step:05d}{part}.eval")
        write_rollouts(
            rollouts,
            {task.id: task for task in tasks},
            path,
            model=self._config.model,
            task_set=self._config.tasks,
            sandbox=self._config.sandbox,
            metadata={"step": step, **self.figures},
        )
