"""The scorer of every ClawGym task in Inspect: exports the workspace and grades it.

The value is a mapping: `score` (the headline), `checks`, `rubric` (absent from the metrics where
nobody judged) and `success`. The explanation lists every check with its reason; the sample's
store keeps what is needed to grade it again.
"""

import asyncio
import math
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import Model, get_model
from inspect_ai.model._model import model_roles
from inspect_ai.scorer import (
    Metric,
    Score,
    Scorer,
    Target,
    grouped,
    mean,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import sandbox

from clawgym_bench.checks import Evidence
from clawgym_bench.conversation import conversation_of
from clawgym_bench.errors import AgentFault, TaskFault
from clawgym_bench.evidence import evidence_of, pack
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.fault import METADATA_KEY, note_fault, nothing_left
from clawgym_bench.grading import Grade, Verdict, grade, unscored
from clawgym_bench.judge import JudgeFailed, judge
from clawgym_bench.report import explain
from clawgym_bench.sandbox.choices import grading_backend
from clawgym_bench.sandbox.inspect_provider import backend_of, from_inspect
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.shared import SharedList
from clawgym_bench.task import Task
from clawgym_bench.taskset import task_set

EVIDENCE_KEY = "clawgym:evidence"
GRADER_ROLE = "grader"

METRICS: dict[str, list[Metric]] = {
    "score": [
        mean(),
        stderr(cluster="family"),
        grouped(mean(), "category", all=False),
    ],
    "checks": [mean()],
    "rubric": [mean()],
    "success": [mean(), stderr(cluster="family")],
}


@scorer(metrics=METRICS)
def hybrid(path: str | None = None, judged: bool = True, refresh: bool = False) -> Scorer:
    """Grades by checks and, where a model has the role `grader` and the task a rubric, by judge.

    `path`: the task set; the shipped one when not given. `refresh`: asks the judge anew where an
    equal call was answered before.
    """

    async def score(state: TaskState, target: Target) -> Score:
        task = task_set(path)[str(state.sample_id)]
        environment = sandbox()
        box = from_inspect(environment, task.workspace_path)
        try:
            await box.stop()
            snapshot = await box.snapshot()
        except AgentFault as fault:
            note_fault(state, fault)
            evidence = evidence_of(task, Snapshot({}), *conversation_of(state, len(task.sessions)))
            state.store.set(EVIDENCE_KEY, pack(task, evidence))
            return with_fault(score_of(nothing_left(task, fault), evidence), fault)
        messages, calls = conversation_of(state, len(task.sessions))
        evidence = evidence_of(task, snapshot, messages, calls)
        state.store.set(EVIDENCE_KEY, pack(task, evidence))
        commands = None
        if runs_something(task):
            own = backend_of(environment)
            backend = own if own is not None else await asyncio.to_thread(grading_backend)
            try:
                commands = await run_commands(task, snapshot, backend, messages)
            except TaskFault as fault:
                return score_of(unscored(str(fault)), evidence)
            finally:
                if own is None:
                    await backend.close()
        verdicts, failure = None, ""
        model = grader_model() if judged and task.hybrid else None
        if model is not None:
            verdicts, failure = await _judged(task, evidence, model, refresh)
        if failure:
            return score_of(unscored(failure), evidence)
        # In a thread: a hostile PDF or workbook may take seconds, and other samples go on.
        result = await asyncio.to_thread(grade, task, evidence, commands, verdicts)
        return score_of(result, evidence)

    return score


def grader_model() -> Model | None:
    """The model in the role `grader`, or None: without one, hybrid tasks report checks only."""
    return get_model(role=GRADER_ROLE) if GRADER_ROLE in model_roles() else None


async def _judged(
    task: Task, evidence: Evidence, model: Model, refresh: bool
) -> tuple[Sequence[Verdict] | None, str]:
    try:
        return (
            await judge(task, evidence.snapshot, evidence.messages, model, cache=not refresh),
            "",
        )
    except JudgeFailed as failed:
        return None, str(failed)


def score_of(result: Grade, evidence: Evidence) -> Score:
    """An Inspect score from a grade."""
    answer = next((message for message in reversed(evidence.messages) if message), None)
    metadata = details(result)
    if result.status == "unscored" or result.score is None or result.checks is None:
        return Score.unscored(
            reason="grader_failed" if result.reason.startswith("the judge") else "scoring_failed",
            answer=answer,
            explanation=f"Unscored: {result.reason}",
            metadata=metadata,
        )
    return Score(
        value={
            "score": round(result.score, 6),
            "checks": round(result.checks, 6),
            "rubric": math.nan if result.rubric is None else round(result.rubric, 6),
            "success": float(result.success),
        },
        answer=answer,
        explanation=explain(result),
        metadata=metadata,
    )


def with_fault(score: Score, fault: AgentFault) -> Score:
    score.metadata = {**(score.metadata or {}), METADATA_KEY: fault.fault or "unknown"}
    score.explanation = f"Scored 0, the agent's fault: {fault}; its files are gone"
    return score


def details(result: Grade) -> dict[str, Any]:
    """The grade as plain data, readable in the viewer and by `regrade`."""
    return {
        "status": result.status,
        "reason": result.reason,
        "rubric_status": result.rubric_status,
        "failed_gates": SharedList(result.failed_gates),
        "checks": SharedList(
            {
                "id": check.id,
                "kind": check.kind,
                "passed": check.passed,
                "score": round(check.score, 6),
                "weight": check.weight,
                "gate": check.gate,
                "findings": [
                    {"ok": finding.ok, "reason": finding.reason[:500]}
                    for finding in check.findings[:50]
                ],
            }
            for check in result.results
        ),
        "rubric": SharedList(
            {
                "criterion": verdict.criterion,
                "level": verdict.level,
                "reason": verdict.reason,
                "quotes": list(verdict.quotes),
            }
            for verdict in result.verdicts
        ),
    }
