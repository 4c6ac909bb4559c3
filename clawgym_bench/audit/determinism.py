"""Gate *determinism*: the same evidence graded ten times in parallel gives the same grade.

That of the reference; without one placeholders, with which a checker has more to do than with
nothing.
"""

import asyncio
from dataclasses import replace

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.placeholders import placeholders
from clawgym_bench.audit.play import assess
from clawgym_bench.grading import Grade

NAME = "determinism"
TIMES = 10


async def run(context: Context) -> GateResult:
    if context.has_reference:
        evidence, _ = await context.reference()
    elif context.task.checks:
        evidence = placeholders(context.task)
    else:
        return GateResult(NAME, "no evidence", [Finding("note", "the task has no checker")])
    grades = await asyncio.gather(
        *(assess(context.task, evidence, context.backend) for _ in range(TIMES))
    )
    distinct = {_key(grade) for grade in grades}
    findings = []
    if len(distinct) > 1:
        scores = sorted({str(grade.score) for grade in grades})
        findings.append(
            Finding(
                "error",
                f"{TIMES} gradings of one workspace gave {len(distinct)} results: "
                f"scores {', '.join(scores)}",
                "remove what depends on time, order or chance from the checks",
            )
        )
    return verdict(NAME, findings)


def _key(grade: Grade) -> str:
    return repr(replace(grade))
