"""Plays a reference agent in Inspect: its tool calls appear in the log as a model's would."""

import itertools
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    execute_tools,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall
from inspect_ai.util import sandbox

from clawgym_bench.agents.claw import enter_session, task_web
from clawgym_bench.agents.reference import script
from clawgym_bench.conversation import Conversations
from clawgym_bench.errors import AgentFault
from clawgym_bench.fault import note_fault
from clawgym_bench.sandbox.inspect_provider import from_inspect
from clawgym_bench.taskset import task_set
from clawgym_bench.tools import ClawTools, WebPages
from clawgym_bench.tools.inspect_tools import claw_tools


@solver
def scripted(name: str, path: str | None = None, variant: str | None = None) -> Solver:
    """One of the reference agents by `name`. No model is called: run it with `--model none`."""
    play = script(name, variant)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = task_set(path)[str(state.sample_id)]
        web = task_web(task)
        tools = ClawTools(from_inspect(sandbox()), web=WebPages.load(web) if web else None)
        kept = Conversations(state)
        history: list[ChatMessage] = []
        counter = itertools.count(1)

        async def act(tool: str, arguments: Mapping[str, Any]) -> str:
            call = ToolCall(id=f"call_{next(counter)}", function=tool, arguments=dict(arguments))
            history.append(ChatMessageAssistant(content="", tool_calls=[call], source="generate"))
            # Inspect builds anew whatever it is offered, at every call: one tool, not all.
            offered = claw_tools(lambda: tools, [tool])
            results = (await execute_tools(history, offered)).messages
            history.extend(results)
            return results[-1].text

        for number in range(1, len(task.sessions) + 1):
            try:
                await enter_session(task, number)
                kept.start(len(history))
                history.append(ChatMessageUser(content=task.request(number)))
                message = await play(task, number, act)
            except AgentFault as fault:
                note_fault(state, fault)
                break
            history.append(ChatMessageAssistant(content=message, source="generate"))
            state.output = ModelOutput.from_content(model=name, content=message)
            kept.end("done")
        state.messages = history
        return state

    return solve
