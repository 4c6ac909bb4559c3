"""What a run says about itself: its setting, its completeness, its row of the board."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspect_ai.log import EvalLog, EvalSampleSummary

from clawgym_bench.agents.claw import VERSION
from clawgym_bench.agents.reference import REFERENCE_AGENTS
from clawgym_bench.board.finding import Finding, Kind, named, shown
from clawgym_bench.board.result import RunResult
from clawgym_bench.regrade import SCORER
from clawgym_bench.sandbox.choices import SANDBOXES
from clawgym_bench.taskset import TaskSet

MOST_LOST = 0.02
"""Of all trials, so many may have ended without a score and not by the agent's fault."""


def run_facts(header: EvalLog, result: RunResult, known: TaskSet) -> Iterator[Finding]:
    """What the log says about the run as a whole."""

    def refuse(kind: Kind, detail: str) -> Finding:
        return Finding(kind=kind, detail=detail)

    if header.status != "success":
        yield refuse("completeness", f"the run ended with status {header.status!r}")
    if result.subset:
        chosen = ", ".join(f"{name}={value}" for name, value in result.subset.items())
        yield refuse("completeness", f"the run was of a part of the set: {chosen}")
    if result.task_set_hash != known.content_hash:
        yield refuse(
            "task-set",
            f"it was run on another task set ({result.task_set_hash[:12]}; "
            f"this one is {known.content_hash[:12]})",
        )
    agents = ("claw", *REFERENCE_AGENTS)
    if result.agent not in agents:
        yield refuse("agent", f"no agent {result.agent!r} is known here")
    elif result.agent_version != VERSION:
        yield refuse(
            "agent", f"version {result.agent_version or '(none)'} of the agent; here is {VERSION}"
        )
    if result.sandbox not in SANDBOXES:
        yield refuse("agent", f"no sandbox {result.sandbox!r} is known here")
    if (result.agent == "claw") == result.model.startswith("none/"):
        yield refuse("agent", f"the agent {result.agent} cannot be with the model {result.model}")
    steps = [(step.solver.split("/")[-1], step.params) for step in header.plan.steps]
    names = [name for name, _ in steps]
    if names != ["place_workspace", "claw" if result.agent == "claw" else "scripted"]:
        yield refuse("harness", f"the plan is {' → '.join(names) or 'empty'}, not this agent's")
    elif result.agent != "claw" and steps[1][1].get("name") != result.agent:
        yield refuse("harness", f"the plan plays {steps[1][1].get('name')!r}")
    scorers = {scorer.name.split("/")[-1]: scorer.options or {} for scorer in _scorers(header)}
    if set(scorers) != {SCORER}:
        yield refuse("harness", f"scored by {', '.join(scorers) or 'nothing'}, not by {SCORER}")
    for name, value in result.limits.items():
        yield refuse("limits", f"the run had a {name} of its own: {value}")


def _scorers(header: EvalLog) -> Sequence[Any]:
    return header.eval.scorers or []


def completeness(
    result: RunResult, summaries: Sequence[EvalSampleSummary], known: TaskSet
) -> Iterator[Finding]:
    """All tasks, each with all epochs, once."""
    there = {task.id: task for task in result.tasks}
    if missing := [name for name in known if name not in there]:
        yield Finding(
            kind="completeness",
            detail=f"{len(missing)} of {len(known)} tasks are missing: {named(missing)}",
        )
    if strange := sorted(set(there) - set(known)):
        yield Finding(kind="task", detail=f"tasks that are not in the set: {named(strange)}")
    wanted = list(range(1, result.epochs + 1))
    uneven = [
        name for name, task in there.items() if [trial.epoch for trial in task.trials] != wanted
    ]
    if uneven:
        yield Finding(
            kind="completeness",
            detail=f"tasks without exactly the epochs 1 to {result.epochs}: {named(uneven)}",
        )
    lost = [
        (str(summary.id), summary.epoch, summary.error) for summary in summaries if summary.error
    ]
    for name, epoch, error in lost:
        yield Finding(
            kind="infrastructure", task=name, epoch=epoch, detail=str(error)[:300], note=True
        )
    if result.unscored > MOST_LOST * result.trials:
        yield Finding(
            kind="completeness",
            detail=f"{result.unscored} of {result.trials} trials have no score; "
            f"at most {MOST_LOST:.0%} may lack one (`inspect eval-retry` runs them again)",
        )
    without = [name for name, task in there.items() if task.score is None]
    if without:
        yield Finding(kind="completeness", detail=f"tasks without any score: {named(without)}")


CLAIMS = (
    "run", "created", "model", "agent", "agent_version", "task", "task_set_hash", "epochs",
    "sandbox", "judge", "limits", "seed", "generate", "subset", "seconds",
)  # fmt: skip


def claims(claimed: RunResult | None, result: RunResult) -> Iterator[Finding]:
    """The row of the board must say what the log says."""
    if claimed is None:
        return
    for name in CLAIMS:
        said, there = getattr(claimed, name), getattr(result, name)
        if said != there:
            yield Finding(
                kind="result", detail=f"result.json says {name} {said!r}, its log says {there!r}"
            )
    old, new = ({task.id: task for task in run.tasks} for run in (claimed, result))
    if old.keys() != new.keys():
        yield Finding(kind="result", detail="result.json has other tasks than its log")
    for name in sorted(old.keys() & new.keys()):
        for said, there in zip(old[name].trials, new[name].trials, strict=False):
            if said != there:
                yield Finding(
                    kind="score" if said.score != there.score else "result",
                    task=name,
                    epoch=there.epoch,
                    detail=f"result.json says {shown(said.score)}, "
                    f"its log says {shown(there.score)}"
                    if said.score != there.score
                    else "result.json says other figures than its log",
                )
        if len(old[name].trials) != len(new[name].trials):
            yield Finding(kind="result", detail=f"{name}: result.json has other epochs")
