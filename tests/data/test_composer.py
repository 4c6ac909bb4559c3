"""The composer: pure, and every task that it gives is loadable and pays only for work."""

import pytest

from clawgym_bench.task import read_tasks, write_lines
from clawgym_data.compose import compose
from clawgym_data.compose.plan import NoPlan


def drawn(seed: int, count: int) -> list:
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
