"""Gate *oracle*: the reference earns exactly 1.0, twice, wherever and whenever it is carried out.

The second time the sandbox has another time zone, and Python and `date` see another day (`clock`).
A reference that drops expected files although the task asks for a program proves nothing about the
program.
"""

from datetime import UTC, datetime

from clawgym_bench.audit.clock import clock_at
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, verdict
from clawgym_bench.audit.play import assess, first_failure, play, solver
from clawgym_bench.grading import Grade
from clawgym_bench.task import reference_steps

NAME = "oracle"
ELSEWHERE = {"TZ": "Pacific/Kiritimati"}
LATER = datetime(2031, 2, 28, 23, 30, tzinfo=UTC)
PROGRAM_FORMATS = frozenset({"python", "shell", "javascript", "script"})


async def run(context: Context) -> GateResult:
    if not context.has_reference:
        return GateResult(NAME, "no evidence", [Finding("note", "the task has no reference")])
    task = context.task
    findings: list[Finding] = []
    _, grade_here = await context.reference()
    findings += _judge(grade_here, "")
    clock = clock_at(LATER)
    again = await play(
        task,
        solver(task),
        context.backend,
        env=ELSEWHERE,
        outside=clock.files,
        exec_env=clock.env,
    )
    grade_there = await assess(task, again, context.backend)
    findings += _judge(grade_there, f" (second time, on {LATER:%Y-%m-%d}, TZ={ELSEWHERE['TZ']})")
    findings += _copied(context)
    figures = {"here": grade_here.score or 0.0, "elsewhere": grade_there.score or 0.0}
    return verdict(NAME, findings, figures)


def _judge(result: Grade, when: str) -> list[Finding]:
    if result.status == "scored" and result.score == 1.0 and result.success:
        return []
    shown = "unscored" if result.score is None else f"{result.score:.3f}"
    return [
        Finding(
            "error",
            f"the reference earns {shown}{when}: {first_failure(result, 3)}",
            "correct the reference or the check that rejects it",
            file="solution",
        )
    ]


def _copied(context: Context) -> list[Finding]:
    """A program was asked for, and the reference delivers results without one."""
    asked = any(output.format in PROGRAM_FORMATS for output in context.task.outputs)
    if not asked:
        return []
    expected = {
        file.content
        for path, file in context.task.files.items()
        if path.startswith("expected/") and file.content.strip()
    }
    steps = [step for session in reference_steps(context.task) for step in session]
    copied = [
        path for step in steps for path, file in step.files.items() if file.content in expected
    ]
    return [
        Finding(
            "error",
            f"the reference drops {path}, equal to an expected file, where a program is asked for",
            "let the reference's program make it",
            file=f"solution/files/{path}",
        )
        for path in copied
    ]
