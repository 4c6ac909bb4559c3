"""The Inspect tasks: `clawgym_bench` (the shipped set) and `clawgym_bench/imported` (any set).

inspect eval clawgym_bench --model openai/gpt-5
inspect eval clawgym_bench --model none -T agent=oracle -T sandbox=bwrap
inspect eval clawgym_bench/imported -T path=DIR --model vllm/Qwen/Qwen3-8B
"""

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from clawgym_bench.agents.claw import VERSION, claw
from clawgym_bench.agents.reference import REFERENCE_AGENTS
from clawgym_bench.agents.scripted import DEMONSTRATE, scripted
from clawgym_bench.errors import ClawGymError, InputError, SandboxUnavailable
from clawgym_bench.execution import runs_something
from clawgym_bench.sandbox.choices import OWN, SANDBOXES, grading_backend, probe, sandbox_spec
from clawgym_bench.sandbox.inspect_provider import from_inspect
from clawgym_bench.scorer import hybrid
from clawgym_bench.shared import SharedDict, SharedList
from clawgym_bench.task import Task as ClawTask
from clawgym_bench.taskset import task_set

AGENTS = ("claw", *REFERENCE_AGENTS, DEMONSTRATE)


@task
def clawgym_bench(
    subset: str | None = None,
    ids: str | list[str] | None = None,
    category: str | None = None,
    agent: str = "claw",
    variant: str | None = None,
    sandbox: str | None = None,
    judge: bool = True,
    refresh: bool = False,
) -> Task:
    """ClawGym-Bench.

    Args:
        subset: Only this part of the set: `smoke` (docs/ci.md), or a tag of its tasks.
        ids: Only these tasks (comma-separated on the command line).
        category: Only this category.
        agent: `claw`, or a reference agent: oracle, noop, empty, copy, echo, echo_inputs, stub;
            `demonstrate`: the oracle step by step, for traces.
        variant: With oracle or demonstrate: one of the other right answers, not the reference.
        sandbox: `docker` (the default when a daemon answers), `bwrap`, `inspect-docker` (Inspect's
            own provider) or `k8s`.
        judge: Whether hybrid tasks are judged when a model has the role `grader`.
        refresh: Ask the judge anew instead of using cached answers.
    """
    return _build(None, subset, ids, category, agent, variant, sandbox, judge, refresh)


@task
def imported(
    path: str,
    subset: str | None = None,
    ids: str | list[str] | None = None,
    category: str | None = None,
    agent: str = "claw",
    variant: str | None = None,
    sandbox: str | None = None,
    judge: bool = True,
    refresh: bool = False,
) -> Task:
    """Any task set: ClawGym folders as they are, task folders, JSON Lines.

    Args:
        path: A task, a folder of tasks, or a JSON Lines file (local or an fsspec URL).
        subset: See clawgym_bench; so are all that follow.
        ids: Only these tasks.
        category: Only this category.
        agent: The agent.
        variant: A variant of the reference.
        sandbox: The sandbox.
        judge: Whether to judge.
        refresh: Whether to judge anew.
    """
    return _build(path, subset, ids, category, agent, variant, sandbox, judge, refresh)


def _build(
    path: str | None,
    subset: str | None,
    ids: str | list[str] | None,
    category: str | None,
    agent: str,
    variant: str | None,
    sandbox_name: str | None,
    judge: bool,
    refresh: bool,
) -> Task:
    """Makes the Inspect task; a user's mistake becomes Inspect's own kind of plain message."""
    try:
        chosen = choose_sandbox(sandbox_name)
        tasks = task_set(path).select(subset=subset, ids=_listed(ids), category=category)
        player = make_agent(agent, path, variant)
        if chosen not in OWN and any(runs_something(task) for task in tasks.values()):
            grading_backend()
    except ClawGymError as error:
        raise PrerequisiteError(str(error)) from error
    return Task(
        dataset=MemoryDataset([sample_of(task, chosen) for task in tasks.values()]),
        setup=place_workspace(path),
        solver=player,
        scorer=hybrid(path, judged=judge, refresh=refresh),
        headline_metric=HeadlineMetric(score="score", metric="mean"),
        continue_on_fail=True,
        version=tasks.version,
        metadata={
            "agent": agent,
            "agent_version": VERSION,
            "sandbox": chosen,
            "task_set": tasks.source,
            "task_set_hash": tasks.content_hash,
            "tasks": len(tasks),
        },
    )


def choose_sandbox(name: str | None) -> str:
    """The sandbox to use; docker when nobody says, and never silently another one.

    Raises `InputError` for an unknown name, `SandboxUnavailable` with what mends it.
    """
    if name is not None and name not in SANDBOXES:
        raise InputError(f"no sandbox {name!r}; there are {', '.join(SANDBOXES)}")
    found = probe(name or "docker")
    if found.available:
        return name or "docker"
    message = f"sandbox {name or 'docker'} cannot be used: {found.detail}. {found.remedy}"
    if name not in ("bwrap", "k8s") and probe("bwrap").available:
        message += "\nWithout Docker: add -T sandbox=bwrap"
    raise SandboxUnavailable(message)


def make_agent(name: str, path: str | None, variant: str | None) -> Solver:
    """The solver of an agent; raises `InputError` for an unknown name."""
    if name not in AGENTS:
        raise InputError(f"no agent {name!r}; there are {', '.join(AGENTS)}")
    if variant is not None and name not in ("oracle", DEMONSTRATE):
        raise InputError("`variant` goes with agent=oracle and agent=demonstrate only")
    return claw(path) if name == "claw" else scripted(name, path, variant)


def sample_of(task: ClawTask, sandbox_name: str) -> Sample:
    """An Inspect sample. Its metadata name every limit that can end it."""
    return Sample(
        id=task.id,
        input=task.request(1),
        metadata={
            "title": task.title,
            "category": task.category,
            "family": task.provenance.skeleton or task.id,
            "hybrid": task.hybrid,
            "sessions": len(task.sessions),
            "operations": SharedList(task.operations),
            "difficulty": task.difficulty or "",
            "version": task.version,
            "hash": task.content_hash,
            "limits": SharedDict(task.limits.model_dump()),
        },
        sandbox=sandbox_spec(sandbox_name, task.workspace_path, task.resources),
    )


@solver
def place_workspace(path: str | None = None) -> Solver:
    """Writes the workspace before any agent starts, and records what the sandbox is."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = task_set(path)[str(state.sample_id)]
        box = from_inspect(sandbox(), task.workspace_path)
        await box.write({**task.workspace, **task.arrivals(1)})
        state.metadata["sandbox"] = SharedDict(box.facts)
        return state

    return solve


def _listed(ids: str | list[str] | None) -> list[str]:
    if ids is None:
        return []
    given = ids.split(",") if isinstance(ids, str) else ids
    return [str(name).strip() for name in given if str(name).strip()]
