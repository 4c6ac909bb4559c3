"""Plays a reference agent on a task in a sandbox and grades it, without Inspect."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from clawgym_bench.agents.reference import Script, script
from clawgym_bench.checks import Evidence, ToolCall
from clawgym_bench.checks.tool_use import ToolUseCheck
from clawgym_bench.evidence import evidence_of
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.grading import Grade, grade
from clawgym_bench.sandbox import Backend, File, SandboxSpec
from clawgym_bench.task import Task
from clawgym_bench.tools import ClawTools, WebPages, call


def solver(task: Task, variant: str | None = None) -> Script:
    """The oracle. It looks around first only where a check reads the calls of tools."""
    looks = any(check.kind == ToolUseCheck.kind for check in task.checks)
    return script("oracle", variant, looks=looks)


async def play(
    task: Task,
    script: Script,
    backend: Backend,
    *,
    env: Mapping[str, str] | None = None,
    outside: Mapping[str, File] | None = None,
    exec_env: Mapping[str, str] | None = None,
) -> Evidence:
    """What the script leaves behind.

    `env` is given to the sandbox (a time zone, for example), `exec_env` to every command of the
    script, unseen in the recorded calls. `outside` are files by absolute path, beside the
    workspace.
    """
    web = {path: file.content for path, file in task.tree("web").items()}
    pages = WebPages.load(web) if web else None
    spec = SandboxSpec(workspace=task.workspace_path, resources=task.resources, env=env or {})
    sandbox = await backend.create(spec)
    calls: list[ToolCall] = []
    messages: list[str] = []
    try:
        await sandbox.write({**task.workspace, **(outside or {})})
        for number in range(1, len(task.sessions) + 1):
            arrivals = task.arrivals(number)
            if arrivals:
                await sandbox.write(arrivals)
            tools = ClawTools(sandbox, web=pages)

            async def act(
                name: str,
                arguments: Mapping[str, Any],
                tools: ClawTools = tools,
                number: int = number,
            ) -> str:
                given = arguments
                if exec_env and name == "exec":
                    given = {**arguments, "env": {**exec_env, **(arguments.get("env") or {})}}
                outcome = await call(tools, name, given)
                error = outcome.text if outcome.error else ""
                calls.append(ToolCall(number, name, dict(arguments), error))
                return outcome.text

            messages.append(await script(task, number, act))
        await sandbox.stop()
        snapshot = await sandbox.snapshot()
    finally:
        await sandbox.close()
    return evidence_of(task, snapshot, messages, calls)


async def assess(task: Task, evidence: Evidence, backend: Backend) -> Grade:
    """The grade by checks alone; what has to run is run in grading sandboxes."""
    commands = None
    if runs_something(task):
        commands = await run_commands(task, evidence.snapshot, backend, evidence.messages)
    return await asyncio.to_thread(grade, task, evidence, commands)


def first_failure(result: Grade, count: int = 1) -> str:
    """Why points were lost, in a line."""
    if result.status == "unscored":
        return f"unscored: {result.reason}"
    reasons: Sequence[str] = [
        f"{check.id}: {check.reason}" for check in result.results if not check.passed
    ]
    return "; ".join(reasons[:count])
