"""The bare Inspect task that an evaluation of ours is compared with.

It stands in a module of its own and is registered, as every task is that is not a script: Inspect
looks for the package of such a task, once per evaluation.
"""

import itertools
import json

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    execute_tools,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCall, tool
from inspect_ai.util import sandbox

from benchmarks.tiny_tasks import INPUT, RESULT, amounts


@task
def bare_task(count: int) -> Task:
    samples = []
    for number in range(1, count + 1):
        given, result = amounts(number)
        text = f"Add up the amounts in `{INPUT}` and write `{RESULT}`."
        samples.append(
            Sample(id=number, input=text, target=result, files={INPUT: given}, sandbox="local")
        )
    return Task(dataset=MemoryDataset(samples), solver=three_calls(), scorer=same_file())


@tool
def ls() -> Tool:
    async def execute(path: str) -> str:
        """Lists a folder.

        Args:
            path: The folder.
        """
        return (await sandbox().exec(["ls", path])).stdout

    return execute


@tool
def read() -> Tool:
    async def execute(path: str) -> str:
        """Reads a file.

        Args:
            path: The file.
        """
        return await sandbox().read_file(path)

    return execute


@tool
def write() -> Tool:
    async def execute(path: str, content: str) -> str:
        """Writes a file.

        Args:
            path: The file.
            content: What is to stand in it.
        """
        await sandbox().write_file(path, content)
        return "written"

    return execute


@solver
def three_calls() -> Solver:
    tools = [ls(), read(), write()]

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        history: list[ChatMessage] = [ChatMessageUser(content=state.input_text)]
        counter = itertools.count(1)
        for name, arguments in (
            ("ls", {"path": "."}),
            ("read", {"path": INPUT}),
            ("write", {"path": RESULT, "content": state.target.text}),
        ):
            call = ToolCall(id=f"call_{next(counter)}", function=name, arguments=arguments)
            history.append(ChatMessageAssistant(content="", tool_calls=[call], source="generate"))
            history.extend((await execute_tools(history, tools)).messages)
        history.append(ChatMessageAssistant(content="Done.", source="generate"))
        state.output = ModelOutput.from_content(model="script", content="Done.")
        state.messages = history
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def same_file() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        found = await sandbox().read_file(RESULT)
        return Score(value=float(json.loads(found) == json.loads(target.text)))

    return score
