"""Demonstrations do what the reference does, call by call, and their mistakes are mistakes."""

import random
from pathlib import Path

import pytest

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox import open_backend
from clawgym_bench.task import Task
from clawgym_train.tiny.demonstrations import demonstrate, flawed
from clawgym_train.tiny.report import interval, seed_figures
from tests.conftest import MakeTask

SCRIPT = """mkdir -p out
echo vendor,total > out/totals.csv
echo Aster,7 >> out/totals.csv
echo Birch,3 >> out/totals.csv
"""


@pytest.fixture
def task(new_task: MakeTask) -> Task:
    return new_task(files={"solution/files/out/totals.csv": None, "solution/run.sh": SCRIPT})


@pytest.mark.bwrap
async def test_a_script_is_shown_line_by_line_with_the_real_answers(task: Task) -> None:
    backend = open_backend("bwrap")
    try:
        row = await demonstrate(task, backend)
        wrong = await demonstrate(task, backend, random.Random(4))
    finally:
        await backend.close()
    assert row is not None
    calls = [
        call["function"]["arguments"]["command"]
        for message in row["messages"]
        for call in message.get("tool_calls", [])
    ]
    assert calls == SCRIPT.splitlines()
    assert [message["role"] for message in row["messages"][:3]] == ["user", "assistant", "tool"]
    assert row["messages"][2]["content"] == "(no output)"
    assert (row["score"], row["flawed"]) == (1.0, False)
    assert wrong is not None
    assert wrong["score"] < 1.0
    assert wrong["flawed"]


def test_a_mistake_changes_the_acts() -> None:
    acts = [("exec", {"command": "cp a.txt b.txt"}), ("write", {"path": "x", "content": "one two"})]
    same = sum(flawed(acts, random.Random(seed)) == acts for seed in range(200))
    assert same < 10
    assert flawed([], random.Random(1)) == []


def test_intervals_are_wider_when_tasks_go_together() -> None:
    values = [0.0] * 50 + [1.0] * 50
    alone = interval(values, [str(n) for n in range(100)])
    together = interval(values, [str(n // 25) for n in range(100)])
    assert alone[0] < 0.5 < alone[1]
    assert together[1] - together[0] > alone[1] - alone[0]


def test_a_report_on_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "seed-1").mkdir()
    with pytest.raises(InputError, match="holds no log"):
        seed_figures(tmp_path / "seed-1")
