import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgym_bench.errors import InputError, TaskInvalid
from clawgym_bench.sandbox import File
from clawgym_bench.task import (
    Task,
    line_of,
    read_folder,
    read_line,
    read_tasks,
    scan_tasks,
    write_folder,
    write_lines,
)
from clawgym_bench.task.store import make_task
from tests.conftest import FIELDS, FILES, MakeTask


def rich_task(new_task: MakeTask) -> Task:
    return new_task(
        {
            "workspace/bin/tool.sh": "#!/bin/sh\n",
            "workspace/blob.bin": b"\0\xff",
            "arrivals/2/n.md": "x",
        },
        sessions=[
            {"instruction": "First."},
            {"instruction": "Then: ümläut “quoted”\n  indented", "arrivals": "arrivals/2/"},
        ],
        persona={"role": "clerk", "context": "at a depot"},
        editable=["n.md"],
        limits={"seconds": 60},
    )


def test_a_folder_round_trips_exactly(new_task: MakeTask, tmp_path: Path) -> None:
    task = rich_task(new_task)
    again = read_folder(write_folder(task, tmp_path))
    assert again == task
    assert again.content_hash == task.content_hash


def test_a_line_round_trips_exactly(new_task: MakeTask) -> None:
    task = rich_task(new_task)
    assert read_line(line_of(task), "here") == task


def test_folder_and_line_load_to_the_same_object(new_task: MakeTask, tmp_path: Path) -> None:
    task = rich_task(new_task)
    folder = write_folder(task, tmp_path)
    (folder / "workspace/bin/tool.sh").chmod(0o755)
    from_folder = read_folder(folder)
    assert from_folder.files["workspace/bin/tool.sh"].mode == 0o755
    assert read_line(line_of(from_folder), "here") == from_folder


names = st.text("abcdefxyz019-_ äß", min_size=1, max_size=8)
bodies = st.one_of(st.binary(max_size=40), st.text("aé\n\r\t\0,", max_size=40).map(str.encode))


@given(st.dictionaries(names, st.tuples(bodies, st.booleans()), max_size=5))
def test_any_bytes_survive_a_line(files: dict[str, tuple[bytes, bool]]) -> None:
    bundle = {path: File(body.encode(), 0o644) for path, body in FILES.items()}
    for name, (body, executable) in files.items():
        bundle[f"workspace/x{name.lower()}x"] = File(body, 0o755 if executable else 0o644)
    try:
        task = make_task(FIELDS, bundle, "test")
    except TaskInvalid:
        return  # names that collide or are not in NFC are refused
    assert read_line(line_of(task), "here") == task


def test_sets_are_read_lazily_from_compressed_lines(new_task: MakeTask, tmp_path: Path) -> None:
    tasks = [new_task(id=f"t{number}") for number in range(3)]
    path = str(tmp_path / "set.jsonl.gz")
    assert write_lines(tasks, path) == 3
    with gzip.open(path, "at") as out:
        out.write("{broken\n")
    stream = read_tasks(path)
    assert [next(stream).id for _ in range(3)] == ["t0", "t1", "t2"]
    with pytest.raises(TaskInvalid, match="line 4"):
        next(stream)


def test_an_fsspec_url_is_read(new_task: MakeTask) -> None:
    write_lines([new_task()], "memory://sets/a.jsonl")
    assert [task.id for task in read_tasks("memory://sets/a.jsonl")] == ["demo-totals"]


def test_an_invalid_task_does_not_hide_the_others(new_task: MakeTask, tmp_path: Path) -> None:
    write_folder(new_task(id="a"), tmp_path)
    write_folder(new_task(id="c"), tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/task.yaml").write_text("id: [")
    found = list(scan_tasks(tmp_path))
    assert [type(task) for task in found] == [Task, TaskInvalid, Task]


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    (folder / "workspace").mkdir(parents=True)
    (folder / "notes.txt").write_text("x")
    os.symlink("/etc/passwd", folder / "workspace/link")
    (folder / "task.yaml").write_text(
        "id: Bad Id\ntitle: t\ncategory: c\ncolour: red\nsessions: []\nversion: zero\n"
    )
    with pytest.raises(TaskInvalid) as caught:
        read_folder(folder)
    where = {problem.where for problem in caught.value.problems}
    assert {"id", "colour", "sessions", "version", "files"} <= where
    assert "link" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: a\nid: b\n", "stands here twice"),
        ("id: &x a\ntitle: *x\n", "aliases are not allowed"),
        ("- a list\n", "not a mapping"),
        ("id: [\n", "line 2"),
        ("id: !!python/object:os.system x\n", "not YAML"),
    ],
)
def test_yaml_that_could_mislead_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "task.yaml").write_text(text)
    with pytest.raises(TaskInvalid, match=said):
        read_folder(tmp_path)


def test_dates_in_yaml_stay_text(new_task: MakeTask, tmp_path: Path) -> None:
    folder = write_folder(new_task(provenance={"created": "2026-11-30"}), tmp_path)
    text = (folder / "task.yaml").read_text().replace("'2026-11-30'", "2026-11-30")
    (folder / "task.yaml").write_text(text)
    assert read_folder(folder).provenance.created == "2026-11-30"


@pytest.mark.parametrize(
    "value", [{"text": "a", "base64": "YQ=="}, {"base64": "%%%"}, 3, {"text": "a", "mode": 1}, {}]
)
def test_an_inline_file_has_one_form(value: object) -> None:
    line = json.dumps({**FIELDS, "files": {**FILES, "workspace/x": value}})
    with pytest.raises(TaskInvalid, match=r"files\[workspace/x\]"):
        read_line(line, "here")


def test_existing_folders_are_not_overwritten(new_task: MakeTask, tmp_path: Path) -> None:
    write_folder(new_task(), tmp_path)
    with pytest.raises(InputError, match="exists"):
        write_folder(new_task(), tmp_path)


def test_a_place_without_tasks_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"task\.yaml"):
        list(scan_tasks(tmp_path))
    with pytest.raises(InputError, match="no such task set"):
        list(scan_tasks(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="cannot be read"):
        list(scan_tasks(tmp_path / "nowhere.jsonl"))
