"""Checks that run something, in real grading sandboxes."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from clawgym_bench.execution import run_commands
from clawgym_bench.grading import Grade, grade, untouched_evidence
from clawgym_bench.sandbox import Backend, Snapshot, open_backend
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask
from tests.sandbox_params import SANDBOXES

CHECK = FIELDS["checks"][0]
TOOL = """import sys
from pathlib import Path

numbers = [int(line) for line in Path("numbers.txt").read_text().split()]
print(sum(numbers) * int(sys.argv[1]))
Path("out").mkdir(exist_ok=True)
Path("out/report.txt").write_text(f"total: {sum(numbers)}\\n")
"""


@pytest.fixture(params=SANDBOXES)
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    made = open_backend(request.param)
    yield made
    await made.close()


@pytest.fixture
def task(new_task: MakeTask) -> Task:
    command = {
        "id": "tool",
        "cites": "vendor",
        "command": {
            "run": ["python3", "tool.py"],
            "seconds": 5,
            "cases": [
                {
                    "args": ["2"],
                    "files": {"numbers.txt": "hidden/numbers.txt"},
                    "expect": [
                        {"text": {"path": "@stdout", "equals": "12"}},
                        {"text": {"path": "out/report.txt", "contains": ["total: 6"]}},
                    ],
                },
                {"args": ["x"], "exit_code": 1, "expect": [
                    {"text": {"path": "@stderr", "contains": ["No such file"]}}]},
            ],
        },
    }  # fmt: skip
    return new_task(
        {"hidden/numbers.txt": "1\n2\n3\n", "expected/totals.csv": None}, checks=[command]
    )


@pytest.fixture
def graded(backend: Backend, task: Task) -> Callable[..., Any]:
    async def run(tool: str, **files: bytes) -> Grade:
        evidence = untouched_evidence(task)
        left = {**evidence.snapshot.files, "tool.py": tool.encode(), **files}
        snapshot = Snapshot(left)
        commands = await run_commands(task, snapshot, backend)
        return grade(task, replace(evidence, snapshot=snapshot), commands)

    return run


async def test_a_program_is_judged_by_what_it_does(graded: Callable[..., Any]) -> None:
    assert (await graded(TOOL)).score == 1.0


async def test_a_wrong_program_fails_with_what_it_printed(graded: Callable[..., Any]) -> None:
    result = await graded(TOOL.replace("sum(numbers) *", "max(numbers) *"))
    assert result.score == 0.0
    assert "after `python3 tool.py 2`" in result.results[-1].reason


async def test_a_program_that_hangs_is_the_agents_fault(graded: Callable[..., Any]) -> None:
    result = await graded("import time; time.sleep(60)")
    assert (result.status, result.score) == ("scored", 0.0)
    assert "still running after 5 s" in result.results[-1].reason


@pytest.mark.parametrize(
    "tool",
    [
        "import os; print(12); os._exit(0)",
        "import sys; print(12); sys.exit(0)",
        "import os, signal; print(12, flush=True); os.kill(1, signal.SIGKILL); os.kill(-1, 9)",
        "import os; os.system(\"find / -path '*expected*'\")",
    ],
)
async def test_a_program_cannot_talk_its_way_to_a_pass(
    graded: Callable[..., Any], tool: str
) -> None:
    assert (await graded(tool)).score == 0.0


async def test_modules_in_the_workspace_do_not_reach_the_grader(
    graded: Callable[..., Any],
) -> None:
    shadow = b"raise SystemExit('shadowed')\n"
    result = await graded(TOOL, **{"json.py": shadow, "sitecustomize.py": shadow})
    assert result.score == 1.0
