"""The smoke subset: like the whole set, the same every time, and of tasks that tell something."""

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clawgym_bench.board.smoke import SIZE, choose, information
from clawgym_bench.cli import app
from clawgym_bench.errors import InputError
from clawgym_bench.task import Task, write_folder
from clawgym_bench.taskset import BENCH_CATEGORIES, TaskSet, task_set
from tests.bench.board.runs import run
from tests.conftest import MakeTask

LEVELS = {0: "no", 1: "yes"}
RUBRIC = [{"id": "tone", "criterion": "Is it kind?", "levels": LEVELS, "message": True}]


@pytest.fixture
def many(new_task: MakeTask) -> dict[str, Task]:
    """120 tasks: six categories, three difficulties, a fifth hybrid, a third of two sessions."""
    made = {}
    for number in range(120):
        sessions = [{"instruction": "Add up the amounts per vendor in sales.csv."}]
        if number % 3 == 0:
            sessions.append({"instruction": "And the amounts per vendor once more, please."})
        task = new_task(
            id=f"task-{number:03}",
            category=BENCH_CATEGORIES[number % 6],
            difficulty=("easy", "medium", "hard")[number // 6 % 3],
            sessions=sessions,
            rubric=RUBRIC if number % 5 == 0 else [],
            provenance={"kind": "composed", "skeleton": f"plan-{number % 40}"},
        )
        made[task.id] = task
    return made


def test_it_looks_like_the_whole_set(many: dict[str, Task]) -> None:
    chosen = [many[name] for name in choose(many)]
    assert len(chosen) == SIZE
    assert set(Counter(task.category for task in chosen).values()) == {4}
    assert set(Counter(task.difficulty for task in chosen).values()) <= {7, 8, 9}
    assert 4 <= sum(task.hybrid for task in chosen) <= 6
    assert 7 <= sum(len(task.sessions) > 1 for task in chosen) <= 9
    assert len({task.provenance.skeleton for task in chosen}) == SIZE


def test_it_is_the_same_every_time_and_in_any_order(many: dict[str, Task]) -> None:
    assert choose(many) == choose(dict(reversed(many.items())))


def test_tasks_that_vary_come_first(many: dict[str, Task]) -> None:
    """Half of the tasks are always solved: hardly any of them is chosen."""
    dull = {name for number, name in enumerate(many) if number // 6 % 2}
    scores = {name: [1.0, 1.0] if name in dull else [0.0, 1.0] for name in many}
    told = choose(many, runs=[run(scores)])
    assert len(dull & set(told)) < len(dull & set(choose(many)))
    assert len(dull & set(told)) <= 4
    assert set(Counter(many[name].category for name in told).values()) == {4}


def test_reference_agents_tell_nothing() -> None:
    scores = {"a": [0.0, 1.0], "b": [1.0, 1.0]}
    assert information([run(scores, agent="oracle")]) == {}
    assert information([run(scores)]) == {"a": 1.0, "b": 0.0}


def test_a_small_set_gives_half(many: dict[str, Task]) -> None:
    few = dict(list(many.items())[:7])
    assert len(choose(few)) == 4
    with pytest.raises(InputError):
        choose(dict(list(many.items())[:1]))


def test_the_command_writes_what_the_set_reads(many: dict[str, Task], tmp_path: Path) -> None:
    for task in list(many.values())[:12]:
        write_folder(task, tmp_path / "set")
    words = ["tasks", "subset", "--path", str(tmp_path / "set"), "--size", "3"]
    printed = CliRunner().invoke(app, words).output.split()
    assert CliRunner().invoke(app, [*words, "--write"]).exit_code == 0
    found = TaskSet.read(tmp_path / "set", "set")
    assert list(found.select(subset="smoke")) == printed
    assert found.select(subset="smoke").content_hash != found.content_hash
    with pytest.raises(InputError, match="subsets here: smoke"):
        found.select(subset="nope")
    gone = tmp_path / "set" / printed[0]
    gone.rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=f"not there: {printed[0]}"):
        TaskSet.read(tmp_path / "set", "set").select(subset="smoke")


@pytest.mark.parametrize("text", ["- a", "smoke: {a: b}", "smoke: [1]", "smoke: [", "smoke"])
def test_what_is_no_list_of_subsets(many: dict[str, Task], tmp_path: Path, text: str) -> None:
    write_folder(next(iter(many.values())), tmp_path)
    (tmp_path / "subsets.yaml").write_text(text)
    with pytest.raises(InputError, match=r"subsets\.yaml"):
        TaskSet.read(tmp_path, "set")


def test_the_shipped_one() -> None:
    """Fails when the set was changed and its subset was not chosen anew."""
    shipped = task_set()
    smoke = shipped.select(subset="smoke")
    assert len(smoke) == min(SIZE, (len(shipped) + 1) // 2)
    assert {task.category for task in smoke.values()} == set(BENCH_CATEGORIES)
