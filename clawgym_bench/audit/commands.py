"""Runs the cases of commands only as far as the score of each check needs.

A check without `partial` earns all or nothing: after the first case that fails, the others cannot
change what it earns. Nor can any command once a gate has failed that runs nothing: the score is 0.
"""

from collections.abc import Sequence
from dataclasses import replace

from clawgym_bench.checks import Check, CommandOutcome, Evidence
from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.execution import run_commands
from clawgym_bench.grading import RUNS_SOMETHING, Commands, grade
from clawgym_bench.sandbox import Backend, Snapshot
from clawgym_bench.task import Task

NOT_RUN = CommandOutcome(None, b"", b"not run: the score is known", False, Snapshot({}))


async def scored_commands(task: Task, evidence: Evidence, backend: Backend) -> Commands:
    """Outcomes by check id; those that cannot change the score are `NOT_RUN`, which fails.

    Infrastructure failures are raised.
    """
    hopeless = _gate_failed(task, evidence)
    outcomes: dict[str, Sequence[CommandOutcome]] = {}
    for check in task.checks:
        if check.kind not in RUNS_SOMETHING:
            continue
        body = check.body
        if not isinstance(body, CommandCheck) or (check.partial and not hopeless):
            one = task.model_copy(update={"checks": [check]})
            outcomes |= await run_commands(one, evidence.snapshot, backend, evidence.messages)
        elif hopeless:
            outcomes[check.id] = [NOT_RUN] * len(body.cases)
        else:
            outcomes[check.id] = await _until_lost(task, check, body, evidence, backend)
    return outcomes


def _gate_failed(task: Task, evidence: Evidence) -> bool:
    plain = [check for check in task.checks if check.kind not in RUNS_SOMETHING]
    if not plain:
        return False
    quick = grade(task.model_copy(update={"checks": plain}), evidence)
    return quick.status == "scored" and bool(quick.failed_gates)


async def _until_lost(
    task: Task, check: Check, body: CommandCheck, evidence: Evidence, backend: Backend
) -> list[CommandOutcome]:
    outcomes: list[CommandOutcome] = []
    for case in body.cases:
        part = body.model_copy(update={"cases": [case]})
        one = task.model_copy(update={"checks": [check.model_copy(update={"command": part})]})
        ran = await run_commands(one, evidence.snapshot, backend, evidence.messages)
        outcomes += ran[check.id]
        if not all(found.ok for found in part.run(replace(evidence, outcomes=ran[check.id]))):
            break
    return [*outcomes, *[NOT_RUN] * (len(body.cases) - len(outcomes))]
