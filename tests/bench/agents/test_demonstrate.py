"""The teacher works through the tools, step by step, and says what it does."""

from collections.abc import Mapping
from typing import Any

import pytest

from clawgym_bench.agents.demonstrate import demonstration
from clawgym_bench.task import Task
from tests.conftest import MakeTask


class Recorder:
    """Records calls with what was said along with them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.said: list[str] = []
        self._next = ""

    def say(self, text: str) -> None:
        self._next = text

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> str:
        self.calls.append((tool, arguments))
        self.said.append(self._next)
        self._next = ""
        return "ok"

    @property
    def tools(self) -> list[str]:
        return [tool for tool, _ in self.calls]


@pytest.fixture
def act() -> Recorder:
    return Recorder()


async def play(task: Task, act: Recorder, session: int = 1) -> str:
    return await demonstration()(task, session, act)


async def test_a_program_is_written_run_and_looked_at(new_task: MakeTask, act: Recorder) -> None:
    task = new_task({
        "solution/files/out/totals.csv": None,
        "solution/run.py": "print('add')\n",
        "solution/message.md": "All added up.\n",
        "workspace/other.csv": "x\n",
    })  # fmt: skip
    assert await play(task, act) == "All added up."
    assert act.tools == ["ls", "read", "write", "exec", "exec", "read"]
    assert act.calls[1][1] == {"path": "sales.csv"}
    assert act.calls[2][1] == {"path": "/tmp/work-1-1.py", "content": "print('add')\n"}
    assert act.calls[3][1] == {"command": "python3 -P /tmp/work-1-1.py"}
    assert act.calls[4][1] == {"command": "ls -ld out/totals.csv"}
    assert act.calls[5][1]["path"] == "out/totals.csv"
    assert act.said[3] == "Now I run it."
    assert all(act.said[:5])


async def test_a_short_shell_program_is_a_command(new_task: MakeTask, act: Recorder) -> None:
    task = new_task({
        "solution/files/out/totals.csv": None,
        "solution/run.sh": "mkdir -p out\nsort sales.csv > out/totals.csv\n",
    })  # fmt: skip
    await play(task, act)
    command = "mkdir -p out\nsort sales.csv > out/totals.csv"
    assert act.calls[2] == ("exec", {"command": command})


async def test_it_reads_all_inputs_when_the_request_names_none(
    new_task: MakeTask, act: Recorder
) -> None:
    task = new_task(
        {"workspace/other.csv": "x\n", "workspace/scan.bin": b"\0\xff"},
        sessions=[{"instruction": "Add up the amounts per vendor, please."}],
    )
    await play(task, act)
    read = [arguments["path"] for tool, arguments in act.calls[:3] if tool == "read"]
    assert sorted(read) == ["other.csv", "sales.csv"]


async def test_a_long_file_is_read_in_part_and_a_database_by_a_program(
    new_task: MakeTask, act: Recorder
) -> None:
    task = new_task(
        {"workspace/long.txt": "line\n" * 5000, "workspace/db.sqlite": b"SQLite\0\xff"},
        sessions=[{"instruction": "Use long.txt and db.sqlite: amounts per vendor."}],
    )
    await play(task, act)
    assert act.calls[1] == ("read", {"path": "long.txt", "limit": 60})
    assert act.calls[2][0] == "exec"
    assert "sqlite3" in act.calls[2][1]["command"]


async def test_a_small_change_is_an_edit(new_task: MakeTask, act: Recorder) -> None:
    before = "".join(f"line {number}\n" for number in range(20))
    task = new_task(
        {
            "workspace/notes.txt": before,
            "solution/files/notes.txt": before.replace("line 7\n", "line seven\n"),
        },
        editable=["notes.txt"],
    )
    await play(task, act)
    edits = [arguments for tool, arguments in act.calls if tool == "edit"]
    assert edits == [
        {"path": "notes.txt", "edits": [{"oldText": "line 7\n", "newText": "line seven\n"}]}
    ]


async def test_edits_start_from_what_an_earlier_session_left(
    new_task: MakeTask, act: Recorder
) -> None:
    before = "".join(f"line {number}\n" for number in range(20))
    first = before.replace("line 7\n", "line seven\n")
    task = new_task(
        {
            "workspace/notes.txt": before,
            "workspace/log.txt": before,
            "solution/files/out/totals.csv": None,
            "solution/1/files/notes.txt": first,
            "solution/1/run.sh": "echo more >> log.txt\n",
            "solution/2/files/notes.txt": first.replace("line 9\n", "line nine\n"),
            "solution/2/files/log.txt": before,
        },
        sessions=[{"instruction": "First."}, {"instruction": "Second."}],
        editable=["notes.txt", "log.txt"],
    )
    await play(task, act, 2)
    made = [(tool, arguments) for tool, arguments in act.calls if tool in ("write", "edit")]
    changed = {arguments["path"]: tool for tool, arguments in made}
    assert changed["notes.txt"] == "edit"
    assert changed["log.txt"] == "write", "a program has changed it: its content is not known"
    (edit,) = [arguments for tool, arguments in act.calls if tool == "edit"]
    assert edit["edits"] == [{"oldText": "line 9\n", "newText": "line nine\n"}]
