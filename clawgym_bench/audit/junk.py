"""Gate *junk*: agents that do no work earn at most 0.05.

Besides the content-free agents: the largest contract file cut from the inputs with all other
outputs empty (`truncated`), and an agent that deletes every input (`deleted`). In a task without a
contract they go by the paths that its request names. No sandbox is needed to place their files,
only for the checks that run something.
"""

from collections.abc import Mapping

from clawgym_bench.agents.reference import CONTENT_FREE, Act, Script, put_file, script
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.placed import EMPTIED, NeedsSandbox, play_placed
from clawgym_bench.audit.placeholders import with_contract
from clawgym_bench.audit.play import first_failure, play
from clawgym_bench.checks import Evidence
from clawgym_bench.sandbox import File
from clawgym_bench.task import Task

NAME = "junk"
BOUND = 0.05


async def run(context: Context) -> GateResult:
    findings: list[Finding] = []
    figures: dict[str, float] = {}
    task = with_contract(context.task)
    for name, agent in junk_agents().items():
        evidence = await _played(task, agent, context)
        result = await context.score(evidence)
        if result.status == "unscored":
            if not context.task.checks:
                return GateResult(NAME, "no evidence", [Finding("note", "the task has no checker")])
            findings.append(
                Finding("error", f"{name} is unscored: {result.reason}", "mend the checker")
            )
            continue
        figures[name] = result.score or 0.0
        if figures[name] > BOUND:
            paid = [check.id for check in result.results if check.score > 0 and not check.gate]
            findings.append(
                Finding(
                    "error",
                    f"{name} earns {figures[name]:.3f} from {', '.join(paid)}",
                    "let these checks ask for something that only the work produces",
                    file="task.yaml",
                )
            )
        elif result.success:
            findings.append(Finding("error", f"{name} succeeds: {first_failure(result)}"))
    return verdict(NAME, findings, figures)


async def _played(task: Task, agent: Script, context: Context) -> Evidence:
    try:
        return await play_placed(task, agent)
    except NeedsSandbox:
        return await play(task, agent, context.backend)


def junk_agents() -> Mapping[str, Script]:
    return {
        "noop": script("noop"),
        **{name: script(name) for name in CONTENT_FREE},
        "truncated": _truncated,
        "deleted": _deleted,
    }


async def _truncated(task: Task, session: int, act: Act) -> str:
    """Half of the largest input as the first output, the others empty."""
    last = len(task.sessions)
    outputs = [output for output in task.outputs if (output.session or last) == session]
    largest = max(task.inputs.values(), key=len, default=b"")
    for number, output in enumerate(outputs):
        await put_file(output.path, File(largest[: len(largest) // 2] if number == 0 else b""), act)
    return "Here are the results."


async def _deleted(task: Task, session: int, act: Act) -> str:
    """Nothing is left that could be wrong."""
    await act("exec", {"command": EMPTIED})
    return "All inputs were processed and cleaned up."
