from collections.abc import Mapping
from typing import Any

import pytest

from clawgym_bench.agents import CONTENT_FREE, script
from clawgym_bench.agents.reference import Act
from clawgym_bench.agents.stubs import stub_content
from clawgym_bench.task import Output
from tests.conftest import MakeTask

Calls = list[tuple[str, Mapping[str, Any]]]


@pytest.fixture
def calls() -> Calls:
    return []


@pytest.fixture
def act(calls: Calls) -> Act:
    async def record(tool: str, arguments: Mapping[str, Any]) -> str:
        calls.append((tool, arguments))
        return "ok"

    return record


async def test_the_oracle_looks_before_it_writes(
    new_task: MakeTask, act: Act, calls: Calls
) -> None:
    task = new_task({"solution/message.md": "All added up.\n"})
    assert await script("oracle")(task, 1, act) == "All added up."
    assert [tool for tool, _ in calls] == ["ls", "read", "write"]
    assert calls[-1][1] == {
        "path": "out/totals.csv",
        "content": "vendor,total\nAster,7\nBirch,3\n",
    }


async def test_binary_files_go_through_exec(new_task: MakeTask, act: Act, calls: Calls) -> None:
    task = new_task({"solution/files/out/b.bin": b"\0\xff" * 40_000})
    await script("oracle")(task, 1, act)
    commands = [arguments["command"] for tool, arguments in calls if tool == "exec"]
    assert commands[0] == 'mkdir -p "$(dirname out/b.bin)" && : > out/b.bin'
    assert all("base64 -d >> out/b.bin" in command for command in commands[1:])
    assert len(commands) > 2


async def test_a_variant_is_laid_over_the_reference(
    new_task: MakeTask, act: Act, calls: Calls
) -> None:
    task = new_task({"variants/other/files/out/totals.csv": "vendor,total\nBirch,3\nAster,7\n"})
    await script("oracle", "other")(task, 1, act)
    written = [arguments["content"] for tool, arguments in calls if tool == "write"]
    assert written[-1].startswith("vendor,total\nBirch")
    assert len(written) == 2


async def test_references_are_played_per_session(
    new_task: MakeTask, act: Act, calls: Calls
) -> None:
    task = new_task(
        {
            "solution/files/out/totals.csv": None,
            "solution/1/run.sh": "echo one > notes.txt\n",
            "solution/2/run.py": "print('two')\n",
        },
        sessions=[{"instruction": "First."}, {"instruction": "Second."}],
    )
    await script("oracle")(task, 1, act)
    assert "echo one" in calls[-1][1]["command"]
    await script("oracle")(task, 2, act)
    assert calls[-1][1]["command"].startswith("python3 -P - <<")


async def test_noop_does_nothing(new_task: MakeTask, act: Act, calls: Calls) -> None:
    assert await script("noop")(new_task(), 1, act) == ""
    assert calls == []


@pytest.mark.parametrize("name", CONTENT_FREE)
async def test_content_free_agents_make_every_file_of_the_contract(
    new_task: MakeTask, act: Act, calls: Calls, name: str
) -> None:
    task = new_task()
    await script(name)(task, 1, act)
    (call,) = [arguments for tool, arguments in calls if tool == "write"]
    assert call["path"] == "out/totals.csv"
    expected = {
        "empty": "",
        "copy": "vendor,amount\nAster,2\nBirch,3\nAster,5\n",
        "echo": task.request(1),
        "stub": "vendor,total\nn/a,n/a\n",
    }
    if name in expected:
        assert call["content"] == expected[name]
    else:
        assert task.request(1) in call["content"]
        assert "Aster,5" in call["content"]


@pytest.mark.parametrize(
    "form",
    ["csv", "tsv", "json", "jsonl", "yaml", "toml", "html", "xml", "ics", "vcf", "eml", "xlsx",
     "docx", "zip", "sqlite", "python", "shell", "markdown", "text"],
)  # fmt: skip
def test_stubs_are_valid_in_form(form: str) -> None:
    output = Output(path="x", format=form, columns=["a", "b"], headings=["One"], sheet="S")
    content = stub_content(output)
    assert content
    if form == "docx":
        from clawgym_bench.checks.docx import docx_text

        assert "One" in docx_text(content)
    if form == "json":
        import json

        assert json.loads(content) == {"a": None, "b": None}
