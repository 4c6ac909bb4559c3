"""The default agent: Inspect's `react` loop with the Claw tools, one conversation per session."""

from inspect_ai.agent import AgentPrompt, AgentState, react
from inspect_ai.model import ChatMessage, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, apply_limits, message_limit, sandbox
from inspect_ai.util import time_limit as wall_limit
from inspect_ai.util import working_limit as work_limit

from clawgym_bench.agents.bootstrap import system_prompt
from clawgym_bench.conversation import Conversations
from clawgym_bench.errors import AgentFault, InfrastructureError
from clawgym_bench.fault import note_fault
from clawgym_bench.sandbox.inspect_provider import from_inspect
from clawgym_bench.task import Task
from clawgym_bench.taskset import task_set
from clawgym_bench.tools import ClawTools, WebPages
from clawgym_bench.tools.inspect_tools import claw_tools

VERSION = "1"
WALL_FACTOR = 6
"""Wall time may be this many times the working time, for waits on the model's provider."""


@solver
def claw(path: str | None = None) -> Solver:
    """Plays a model with the Claw tools. `path`: the task set; the shipped one when not given.

    Sessions run in order on the same workspace, each in a new conversation. The task's limits
    end the sample; what is there then is graded. `limits.seconds` is working time: waiting for a
    rate-limited provider does not count, up to six times as much wall time.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = task_set(path)[str(state.sample_id)]
        kept = Conversations(state)
        history: list[ChatMessage] = []
        with apply_limits(
            [work_limit(task.limits.seconds), wall_limit(task.limits.seconds * WALL_FACTOR)],
            catch_errors=True,
        ) as scope:
            for number in range(1, len(task.sessions) + 1):
                live = AgentState(messages=[ChatMessageUser(content=task.request(number))])
                try:
                    await enter_session(task, number)
                    kept.start(len(history))
                    state.messages = history + live.messages
                    try:
                        ended = await _converse(task, live)
                    finally:
                        history = history + live.messages
                        state.messages = history
                except AgentFault as fault:
                    note_fault(state, fault)
                    break
                state.output = live.output
                kept.end(ended.type if ended else "done")
        if scope.limit_error is not None:
            if scope.limit_error.type == "time":
                raise InfrastructureError(
                    f"{scope.limit_error.limit:g} s passed, most of them waiting for the model"
                )
            kept.end(str(scope.limit_error.type))
        return state

    return solve


async def _converse(task: Task, live: AgentState) -> LimitExceededError | None:
    box = from_inspect(sandbox())
    tools = ClawTools(box, web=WebPages.load(task_web(task)) if task_web(task) else None)
    agent = react(
        prompt=AgentPrompt(
            instructions=await system_prompt(box),
            handoff_prompt=None,
            assistant_prompt=None,
            submit_prompt=None,
        ),
        tools=list(claw_tools(lambda: tools, tools.names)),
        submit=False,
    )
    with apply_limits([message_limit(task.limits.messages)], catch_errors=True) as scope:
        await agent(live)
    return scope.limit_error


def task_web(task: Task) -> dict[str, bytes]:
    return {path: file.content for path, file in task.tree("web").items()}


async def enter_session(task: Task, number: int) -> None:
    """Adds the files that arrive before session `number`; those of the first are there already."""
    if number > 1:
        box = from_inspect(sandbox())
        arrivals = task.arrivals(number)
        if arrivals:
            await box.write(arrivals)
