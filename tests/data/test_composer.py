"""The composer: pure, and every task that it gives is loadable and pays only for work."""

from pathlib import Path

import pytest

from clawgym_bench.checks.base import Evidence
from clawgym_bench.grading import grade
from clawgym_bench.task import Task, read_tasks, write_lines
from clawgym_data.compose import compose
from clawgym_data.compose.plan import NoPlan
from clawgym_data.compose.skill import GROUPS, SKILLS
from tests.data.plays import lay, outcomes, reference, snapshot


def drawn(seed: int, count: int) -> list[Task]:
    tasks = []
    for index in range(10 * count):
        try:
            tasks.append(compose(seed, index))
        except NoPlan:
            continue
        if len(tasks) == count:
            return tasks
    pytest.fail("most draws lead nowhere")


def test_the_same_numbers_give_the_same_task() -> None:
    assert [t.content_hash for t in drawn(3, 5)] == [t.content_hash for t in drawn(3, 5)]


def test_other_seeds_give_other_tasks() -> None:
    first, second = drawn(3, 10), drawn(4, 10)
    assert not {t.id for t in first} & {t.id for t in second}


def test_tasks_survive_the_loader(tmp_path) -> None:
    tasks = drawn(5, 40)
    write_lines(tasks, str(tmp_path / "set.jsonl"))
    assert [t.content_hash for t in read_tasks(str(tmp_path / "set.jsonl"))] == [
        t.content_hash for t in tasks
    ]


@pytest.mark.parametrize("part", range(8))
def test_truth_and_reference_agree(part: int, tmp_path: Path) -> None:
    """What was computed in memory is what the program computes from the files."""
    # Those with several sessions are played in test_compositions.
    alone = [task for task in drawn(100 + part, 14) if len(task.sessions) == 1]
    for number, task in enumerate(alone):
        worked, untouched = tmp_path / f"{number}", tmp_path / f"{number}-untouched"
        found = grade(task, reference(task, worked), outcomes(task, worked))
        assert found.score == 1.0, [
            task.id,
            *(result.reason for result in found.results if not result.passed),
        ]
        lay({path: file.content for path, file in task.workspace.items()}, untouched)
        nothing = Evidence(snapshot(untouched), task.inputs, task.hidden, ("Done.",))
        assert grade(task, nothing, outcomes(task, untouched)).score == 0.0


def test_the_library_is_as_large_as_the_guide_says() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "synthesis.md").read_text()
    assert f"in {sum(cls.source for cls in SKILLS.values())} ways" in guide
    assert len(SKILLS) >= 60
    used = {cls.operation for cls in SKILLS.values()}
    assert len(used) >= 26
    assert all(used & set(names) for names in GROUPS.values())
