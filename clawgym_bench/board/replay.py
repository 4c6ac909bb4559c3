"""Plays the recorded tool calls of a sample again: does its workspace follow from them?

No model is asked. In a fresh sandbox the same calls are made in the same order; the workspace that
comes out can be graded and compared with the one that was stored. Programs that look at the clock
or draw random numbers may leave other bytes; their grade is what counts.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageTool
from inspect_ai.solver import TaskState

from clawgym_bench.agents.bootstrap import system_prompt
from clawgym_bench.checks import Evidence, ToolCall
from clawgym_bench.conversation import STARTS_KEY, conversation_of
from clawgym_bench.errors import AgentFault
from clawgym_bench.evidence import evidence_of
from clawgym_bench.sandbox import Backend, SandboxSpec
from clawgym_bench.task import Task
from clawgym_bench.tools import ClawTools, WebPages, call

TIMES = 2
"""The calls may take so many times the task's limit: this machine may be a slower one."""


@dataclass(frozen=True)
class Replay:
    """`evidence` is None when the sandbox did not live to its end, for the reason in `fault`."""

    evidence: Evidence | None
    fault: str = ""
    other_prompts: Sequence[int] = ()
    """Sessions whose system prompt is not the one that this workspace gives."""
    other_results: int = 0
    """Calls whose result reads otherwise than the recorded one."""
    calls: int = 0


def sessions_of(sample: EvalSample) -> list[list[ChatMessage]]:
    """The messages of each session."""
    starts = list(sample.store.get(STARTS_KEY) or [0])
    ends = [*starts[1:], len(sample.messages)]
    return [sample.messages[start:end] for start, end in zip(starts, ends, strict=True)]


def recorded(sample: EvalSample, task: Task) -> tuple[list[str], list[ToolCall]]:
    """Final messages and tool calls, from the transcript."""
    state = SimpleNamespace(messages=sample.messages, store=sample.store)
    return conversation_of(cast(TaskState, state), len(task.sessions))


async def replay(sample: EvalSample, task: Task, backend: Backend) -> Replay:
    """Makes the recorded calls again. Infrastructure errors are raised."""
    web = {path: file.content for path, file in task.tree("web").items()}
    pages = WebPages.load(web) if web else None
    sandbox = await backend.create(
        SandboxSpec(workspace=task.workspace_path, resources=task.resources)
    )
    prompts: list[int] = []
    differing = count = 0
    try:
        await sandbox.write(task.workspace)
        async with asyncio.timeout(TIMES * task.limits.seconds):
            for number, messages in enumerate(sessions_of(sample), 1):
                if number > len(task.sessions):
                    break
                if arrivals := task.arrivals(number):
                    await sandbox.write(arrivals)
                spoken = [m.text for m in messages if isinstance(m, ChatMessageSystem)]
                if spoken != [await system_prompt(sandbox)]:
                    prompts.append(number)
                tools = ClawTools(sandbox, web=pages)
                results = _results(messages)
                for name, arguments, identity in _calls(messages):
                    if identity in results:
                        outcome = await call(tools, name, arguments)
                        count += 1
                        differing += outcome.text.strip() != results[identity].strip()
        await sandbox.stop()
        snapshot = await sandbox.snapshot()
    except (AgentFault, TimeoutError) as fault:
        said = str(fault) or f"the calls took longer than {TIMES * task.limits.seconds} s"
        return Replay(None, said, prompts, differing, count)
    finally:
        await sandbox.close()
    return Replay(
        evidence_of(task, snapshot, *recorded(sample, task)), "", prompts, differing, count
    )


def _calls(messages: Sequence[ChatMessage]) -> list[tuple[str, Mapping[str, Any], str]]:
    return [
        (call.function, call.arguments, call.id)
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
        if not call.parse_error
    ]


def _results(messages: Sequence[ChatMessage]) -> dict[str, str]:
    """By call; one that a limit cut off has none."""
    return {
        message.tool_call_id: message.error.message if message.error else message.text
        for message in messages
        if isinstance(message, ChatMessageTool) and message.tool_call_id
    }
