"""Clutter, prose, later sessions and tiny tasks: what is true is what the reference delivers."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from clawgym_bench.checks.base import Evidence
from clawgym_bench.grading import grade
from clawgym_bench.task import Task, reference_steps
from clawgym_bench.task.rules import problems
from clawgym_data.compose import compose
from clawgym_data.compose.clutter import FOLDERS, clutter
from clawgym_data.compose.composer import draw_world
from clawgym_data.compose.plan import NoPlan
from clawgym_data.compose.scenario import SUBCATEGORIES
from clawgym_data.compose.tiny import TINY
from tests.data.plays import lay, outcomes, snapshot


def composed(seed: int, count: int, tier: str = "full") -> Iterator[Task]:
    for index in range(count):
        try:
            yield compose(seed, index, tier)
        except NoPlan:
            continue


def play(task: Task, folder: Path, last: int | None = None) -> Evidence:
    """Carries out the reference, session by session; only up to `last` when given."""
    folder.mkdir(parents=True)
    lay({path: file.content for path, file in task.workspace.items()}, folder)
    messages = []
    for number, steps in enumerate(reference_steps(task), 1):
        lay({path: file.content for path, file in task.arrivals(number).items()}, folder)
        messages.append("")
        for step in steps if last is None or number <= last else ():
            lay({path: file.content for path, file in step.files.items()}, folder)
            if step.script:
                program = "bash" if step.interpreter == "bash" else sys.executable
                subprocess.run(
                    [program, "-c", step.script],
                    cwd=folder,
                    check=True,
                    timeout=60,
                    env={**os.environ, "LC_ALL": "C"},
                )
            messages[-1] = step.message or messages[-1]
    return Evidence(snapshot(folder), task.inputs, task.hidden, tuple(messages))


def earns_all(task: Task, folder: Path) -> bool:
    assert not problems(task)
    found = grade(task, play(task, folder), outcomes(task, folder))
    return all(result.passed for result in found.results)


def test_prose_is_asked_for_in_about_a_fifth_of_all_tasks() -> None:
    tasks = list(composed(21, 250))
    assert 0.15 < sum(task.hybrid for task in tasks) / len(tasks) < 0.3
    for task in tasks:
        assert not task.hybrid or 2 <= len(task.rubric) <= 4


def test_a_fifth_of_all_tasks_has_more_than_one_session() -> None:
    tasks = list(composed(22, 250))
    assert 0.15 < sum(len(task.sessions) > 1 for task in tasks) / len(tasks) < 0.3


def test_most_draws_are_tasks_with_a_difficulty() -> None:
    tasks = list(composed(23, 150))
    assert len(tasks) >= 135
    assert {task.difficulty for task in tasks} == {"easy", "medium", "hard"}


@pytest.mark.parametrize("part", range(3))
def test_references_of_hybrid_tasks_pass_every_check(part: int, tmp_path: Path) -> None:
    tasks = (task for task in composed(30 + part, 300) if task.hybrid)
    for number, task in enumerate(islice(tasks, 6)):
        assert earns_all(task, tmp_path / str(number)), task.id


@pytest.mark.parametrize("kind", ["arrival", "standing", "correction"])
def test_references_of_later_sessions_pass_every_check(kind: str, tmp_path: Path) -> None:
    tasks = (t for t in composed(40, 600) if t.provenance.skeleton.endswith(kind))
    for number, task in enumerate(islice(tasks, 6)):
        assert len(task.sessions) == 2
        assert earns_all(task, tmp_path / str(number)), task.id


@pytest.mark.parametrize("kind", ["arrival", "standing", "correction"])
def test_the_first_session_alone_is_no_success(kind: str, tmp_path: Path) -> None:
    tasks = (t for t in composed(41, 600) if t.provenance.skeleton.endswith(kind))
    for number, task in enumerate(islice(tasks, 5)):
        folder = tmp_path / str(number)
        found = grade(task, play(task, folder, last=1), outcomes(task, folder))
        assert not any(result.passed and not result.gate for result in found.results), task.id


def test_a_standing_rule_is_not_said_again() -> None:
    for task in composed(42, 200):
        if task.provenance.skeleton.endswith("standing"):
            noted = task.files["solution/1/files/MEMORY.md"].content.decode()
            rules = [line[2:] for line in noted.splitlines() if line.startswith("- ")]
            assert rules
            assert all(rule in task.request(1) for rule in rules)
            assert not any(rule in task.request(2) for rule in rules)


def test_clutter_keeps_to_folders_that_are_free() -> None:
    chance = random.Random(5)
    world = draw_world(chance, next(iter(SUBCATEGORIES.values())))
    sizes = set()
    for _ in range(200):
        files = clutter(world, {"desk/list.csv", "old/"}, chance)
        sizes.add(len(files))
        assert {path.split("/")[0] for path in files} <= {*FOLDERS} - {"desk", "old"}
        assert all(len(content) < 2000 for content in files.values())
    assert 0 in sizes
    assert max(sizes) >= 6


def test_tiny_tasks_have_many_skeletons() -> None:
    assert len(TINY) >= 12
    skeletons = {task.provenance.skeleton for task in composed(50, 1500, "tiny")}
    assert len(skeletons) >= 150
    assert {f"tiny-{name}" for name in TINY} <= skeletons


@pytest.mark.parametrize("name", sorted(TINY))
def test_tiny_operations_are_done_by_their_reference_and_only_by_it(
    name: str, tmp_path: Path
) -> None:
    tasks = (t for t in composed(51, 2000, "tiny") if t.provenance.skeleton == f"tiny-{name}")
    for number, task in enumerate(islice(tasks, 3)):
        assert earns_all(task, tmp_path / f"{number}"), task.id
        folder = tmp_path / f"{number}-untouched"
        found = grade(task, play(task, folder, last=0), outcomes(task, folder))
        assert found.score == 0.0
        assert sum(len(f.content) for f in task.workspace.values()) < 1000


def test_tiny_tasks_with_two_operations_are_done_by_their_reference(tmp_path: Path) -> None:
    tasks = (t for t in composed(52, 200, "tiny") if len(t.checks) == 2)
    for number, task in enumerate(islice(tasks, 40)):
        assert earns_all(task, tmp_path / f"{number}"), task.id
