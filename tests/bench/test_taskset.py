from pathlib import Path

import pytest

from benchmarks.tiny_tasks import write_set
from clawgym_bench.errors import InputError
from clawgym_bench.task import read_tasks, write_folder, write_lines
from clawgym_bench.taskset import KEPT_TASKS, TaskSet

COUNT = KEPT_TASKS + 5


@pytest.mark.parametrize("kind", ["plain", "packed", "url", "folders"])
def test_tasks_that_left_memory_are_read_again_unchanged(tmp_path: Path, kind: str) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    write_set(plain, COUNT)
    tasks = list(read_tasks(plain))
    write_lines(tasks, str(packed))
    if kind == "folders":
        for task in tasks:
            write_folder(task, tmp_path / "set")
    places = {"plain": plain, "packed": packed, "url": f"file://{packed}"}
    tried = TaskSet.read(places.get(kind, tmp_path / "set"), kind)
    assert list(tried.values()) == tasks
    assert [tried[task.id] for task in reversed(tasks)] == tasks[::-1]
    assert tried.content_hash == TaskSet.read(plain, "plain").content_hash


def test_a_task_that_was_changed_meanwhile_is_an_error(tmp_path: Path) -> None:
    plain = tmp_path / "a.jsonl"
    write_set(plain, COUNT)
    for task in read_tasks(plain):
        write_folder(task, tmp_path / "set")
    tried = TaskSet.read(tmp_path / "set", "set")
    first = next(iter(tried))
    (tmp_path / "set" / first / "workspace/amounts.csv").write_text("item,amount\n")
    with pytest.raises(InputError, match="was changed while it was in use"):
        tried[first]
