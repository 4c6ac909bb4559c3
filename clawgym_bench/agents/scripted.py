"""Plays a reference agent in Inspect: its tool calls appear in the log as a model's would.

The `demonstrate` style is for traces: it has the system prompt that a model would have, and says
what it does along with its calls.
"""

import itertools
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    execute_tools,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCall
from inspect_ai.util import sandbox

from clawgym_bench.agents.bootstrap import system_prompt
from clawgym_bench.agents.claw import enter_session, task_web
from clawgym_bench.agents.demonstrate import demonstration
from clawgym_bench.agents.reference import script
from clawgym_bench.conversation import Conversations
from clawgym_bench.errors import AgentFault
from clawgym_bench.fault import note_fault
from clawgym_bench.sandbox.inspect_provider import from_inspect
from clawgym_bench.taskset import task_set
from clawgym_bench.tools import ClawTools, WebPages
from clawgym_bench.tools.inspect_tools import claw_tools

DEMONSTRATE = "demonstrate"


class Player:
    """Makes tool calls in the sample's sandbox and writes them into its history."""

    def __init__(self, tools: ClawTools, history: list[ChatMessage]) -> None:
        self._tools = tools
        self._history = history
        self._calls = itertools.count(1)
        self._offered: dict[str, list[Tool]] = {}
        self._said = ""

    def say(self, text: str) -> None:
        """Stands with the next call."""
        self._said = text

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> str:
        call = ToolCall(id=f"call_{next(self._calls)}", function=tool, arguments=dict(arguments))
        said, self._said = self._said, ""
        self._history.append(
            ChatMessageAssistant(content=said, tool_calls=[call], source="generate")
        )
        # Inspect builds anew whatever it is offered, at every call: one tool, not all.
        if tool not in self._offered:
            self._offered[tool] = claw_tools(lambda: self._tools, [tool])
        results = (await execute_tools(self._history, self._offered[tool])).messages
        self._history.extend(results)
        return results[-1].text


@solver
def scripted(name: str, path: str | None = None, variant: str | None = None) -> Solver:
    """One of the reference agents by `name`, or `demonstrate`. No model is called: run it with
    `--model none`."""
    teaches = name == DEMONSTRATE
    play = demonstration(variant) if teaches else script(name, variant)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = task_set(path)[str(state.sample_id)]
        web = task_web(task)
        box = from_inspect(sandbox())
        tools = ClawTools(box, web=WebPages.load(web) if web else None)
        kept = Conversations(state)
        history: list[ChatMessage] = []
        act = Player(tools, history)
        for number in range(1, len(task.sessions) + 1):
            try:
                await enter_session(task, number)
                kept.start(len(history))
                if teaches:
                    history.append(ChatMessageSystem(content=await system_prompt(box)))
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
