"""One episode: a policy plays a task in a fresh sandbox, as the benchmark's default agent does.

The same system prompt, requests, tools, limits and grading as `clawgym_bench.agents.claw`; only
the model is reached by tokens instead of messages.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import get_model

from clawgym_bench.agents.bootstrap import system_prompt
from clawgym_bench.checks import ToolCall
from clawgym_bench.errors import AgentFault, InfrastructureError, TaskFault
from clawgym_bench.evidence import evidence_of, pack
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.fault import nothing_left
from clawgym_bench.grading import grade
from clawgym_bench.judge import JudgeFailed, judge
from clawgym_bench.sandbox import Backend, Sandbox, SandboxSpec
from clawgym_bench.task import Task
from clawgym_bench.tools import ClawTools, WebPages, call, tool_schemas
from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.rollout.policy import Policy
from clawgym_train.rollout.record import Conversation, Message, Rollout
from clawgym_train.rollout.settings import RolloutSettings


async def play_episode(
    task: Task,
    policy: Policy,
    chat: ChatFormat,
    backend: Backend,
    settings: RolloutSettings,
) -> Rollout:
    """Plays and grades. Raises `InfrastructureError` and `TaskFault`, which are nobody's score."""
    started = time.monotonic()
    episode = Episode(task, policy, chat, settings)
    try:
        async with asyncio.timeout(task.limits.seconds * settings.wall_factor):
            return await episode.run(backend)
    except TimeoutError:
        waited = time.monotonic() - started
        raise InfrastructureError(
            f"{task.id}: {waited:.0f} s passed, most of them waiting for the policy"
        ) from None


class Episode:
    """The state of one: the rollout as far as it got, and the time that its tools took."""

    def __init__(
        self, task: Task, policy: Policy, chat: ChatFormat, settings: RolloutSettings
    ) -> None:
        self._task, self._policy, self._chat, self._settings = task, policy, chat, settings
        self._rollout = Rollout(task.id)
        self._waited = 0.0
        self._calls = 0

    async def run(self, backend: Backend) -> Rollout:
        task, rollout = self._task, self._rollout
        started = time.monotonic()
        sandbox = await backend.create(
            SandboxSpec(
                workspace=task.workspace_path,
                resources=task.resources,
                labels={"sample": task.id},
            )
        )
        try:
            await sandbox.write({**task.workspace, **task.arrivals(1)})
            try:
                await self._sessions(sandbox)
                await sandbox.stop()
                snapshot = await sandbox.snapshot()
            except AgentFault as fault:
                self._end_by(fault)
                rollout.grade = nothing_left(task, fault)
                return self._closed(started)
        finally:
            await sandbox.close()
        messages = [_final(talk) for talk in rollout.conversations]
        messages += [""] * (len(task.sessions) - len(messages))
        evidence = evidence_of(task, snapshot, messages, rollout.calls)
        rollout.evidence = pack(task, evidence)
        commands = None
        if runs_something(task):
            commands = await run_commands(task, snapshot, backend, messages)
        verdicts = None
        if self._settings.judge is not None and task.hybrid:
            try:
                verdicts = await judge(task, snapshot, messages, get_model(self._settings.judge))
            except JudgeFailed as failure:
                raise InfrastructureError(f"{task.id}: {failure}") from failure
        rollout.grade = await asyncio.to_thread(grade, task, evidence, commands, verdicts)
        if rollout.grade.score is None:
            raise TaskFault(f"{task.id}: {rollout.grade.reason}")
        return self._closed(started)

    def _closed(self, started: float) -> Rollout:
        self._rollout.seconds = time.monotonic() - started
        self._rollout.environment_seconds = self._rollout.seconds - self._waited
        return self._rollout

    def _end_by(self, fault: AgentFault) -> None:
        for talk in self._rollout.conversations:
            talk.ended = talk.ended or f"fault: {fault.fault or fault}"

    async def _sessions(self, sandbox: Sandbox) -> None:
        web = {path: file.content for path, file in self._task.tree("web").items()}
        pages = WebPages.load(web) if web else None
        used = 0.0
        for number in range(1, len(self._task.sessions) + 1):
            if number > 1 and (arrivals := self._task.arrivals(number)):
                await sandbox.write(arrivals)
            used = await self._converse(sandbox, ClawTools(sandbox, web=pages), number, used)
            if self._rollout.conversations[-1].ended == "time":
                break

    async def _converse(
        self, sandbox: Sandbox, tools: ClawTools, session: int, used: float
    ) -> float:
        """One session; `used` and the result: seconds of the task's limit that were spent."""
        limits, chat = self._task.limits, self._chat
        opening = [
            {"role": "system", "content": await system_prompt(sandbox)},
            {"role": "user", "content": self._task.request(session)},
        ]
        prompt = chat.prompt(opening, tool_schemas(tools.names))
        talk = Conversation(prompt, messages=list(opening))
        self._rollout.conversations.append(talk)
        while not talk.ended:
            room = self._settings.tokens - talk.length
            if len(talk.messages) >= limits.messages:
                talk.ended = "messages"
            elif used >= limits.seconds:
                talk.ended = "time"
            elif room <= 0:
                talk.ended = "tokens"
            if talk.ended:
                break
            asked = time.monotonic()
            completion = await self._policy.sample(
                [*talk.prompt_ids, *talk.completion_ids],
                max_tokens=min(room, self._settings.turn_tokens),
            )
            self._waited += time.monotonic() - asked
            talk.sampled(completion.ids, completion.logprobs)
            message = chat.parse(completion.ids)
            for item in message.get("tool_calls", []):
                self._calls += 1
                item["id"] = f"call_{self._calls}"
            talk.messages.append(message)
            if not completion.finished:
                talk.ended = "tokens"
            elif not message.get("tool_calls"):
                talk.ended = "done"
            else:
                begun = time.monotonic()
                answers = await self._answer(tools, message["tool_calls"], session)
                used += time.monotonic() - begun
                talk.messages += answers
                talk.observed(chat.observation(answers))
        return used

    async def _answer(
        self, tools: ClawTools, calls: Sequence[Mapping[str, Any]], session: int
    ) -> list[Message]:
        answers: list[Message] = []
        for item in calls:
            name, arguments = item["function"]["name"], item["function"]["arguments"]
            outcome = await call(tools, name, arguments)
            error = outcome.text if outcome.error else ""
            self._rollout.calls.append(ToolCall(session, name, dict(arguments), error))
            answer: dict[str, Any] = {
                "role": "tool",
                "name": name,
                "content": outcome.text,
                "tool_call_id": item["id"],
            }
            answers.append({**answer, "error": True} if outcome.error else answer)
        return answers


def _final(talk: Conversation) -> str:
    """The last thing said, when the conversation ended with saying something."""
    last = talk.messages[-1]
    if last["role"] == "assistant" and not last.get("tool_calls"):
        return str(last.get("content") or "")
    return ""
