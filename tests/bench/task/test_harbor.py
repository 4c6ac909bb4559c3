"""Import of Harbor task folders."""

from pathlib import Path

import pytest

from clawgym_bench.audit.play import assess
from clawgym_bench.errors import TaskInvalid
from clawgym_bench.evidence import evidence_of
from clawgym_bench.sandbox import Snapshot, open_backend
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.task.harbor import read_harbor
from tests.sandbox.conftest import require

VERIFIER = """#!/bin/bash
if [ "$(cat /app/out.txt)" = "$(cat /tests/wanted.txt)" ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "copy-line"
    for name in ("environment/data", "tests"):
        (home / name).mkdir(parents=True)
    (home / "task.toml").write_text('[metadata]\ncategory = "files"\n[agent]\ntimeout_sec = 60.0\n')
    (home / "instruction.md").write_text("Copy the second line of data/list.txt to out.txt.\n")
    (home / "environment" / "Dockerfile").write_text(
        "FROM debian\nWORKDIR /app\nCOPY data/ ./data/\nCOPY data/list.txt /etc/list.txt\n"
    )
    (home / "environment" / "data" / "list.txt").write_text("a\nb\n")
    (home / "tests" / "test.sh").write_text(VERIFIER)
    (home / "tests" / "wanted.txt").write_text("b\n")
    return home


def test_what_is_taken_over(folder: Path) -> None:
    (task,) = read_tasks(str(folder.parent))
    assert (task.id, task.category) == ("copy-line", "files")
    assert task.inputs == {"data/list.txt": b"a\nb\n"}
    assert task.workspace_path == "/app"
    assert task.limits.seconds == 60


def test_broken_settings_are_named(folder: Path) -> None:
    (folder / "task.toml").write_text("[metadata")
    with pytest.raises(TaskInvalid, match=r"task\.toml"):
        read_harbor(folder)


async def graded(task: Task, answer: bytes) -> float | None:
    backend = open_backend("bwrap")
    try:
        snapshot = Snapshot({**task.inputs, "out.txt": answer})
        return (await assess(task, evidence_of(task, snapshot, ["Done."], []), backend)).score
    finally:
        await backend.close()


@pytest.mark.bwrap
async def test_its_verifier_grades(folder: Path) -> None:
    require("bwrap")
    task = read_harbor(folder)
    assert await graded(task, b"b\n") == 1.0
    assert await graded(task, b"a\n") == 0.0
