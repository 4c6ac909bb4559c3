"""Logs of the benchmark's own agents, made for real."""

import json
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.model import ChatMessageAssistant

from clawgym_bench.evaluation import imported
from clawgym_bench.task.store import write_lines
from clawgym_bench.tools.parameters import CLAW_TOOLS
from clawgym_train.schemas import tool_schemas
from clawgym_train.traces import collect
from clawgym_train.traces.overlap import Overlap
from tests.conftest import MakeTask
from tests.scripted_model import scripted_model

pytestmark = pytest.mark.bwrap


@pytest.fixture
def task_set(tmp_path: Path, new_task: MakeTask) -> str:
    task = new_task(
        {
            "workspace/USER.md": "Likes tables.\n",
            "solution/files/out/totals.csv": None,
            "solution/1/message.md": "Noted.\n",
            "solution/2/files/out/totals.csv": "vendor,total\nAster,7\nBirch,3\n",
        },
        sessions=[
            {"instruction": "We will add up sales.csv later."},
            {"instruction": "Add up the amounts per vendor in sales.csv."},
        ],
    )
    write_lines([task], str(tmp_path / "set.jsonl"))
    return str(tmp_path / "set.jsonl")


def test_a_models_sessions_are_as_it_saw_them(tmp_path: Path, task_set: str) -> None:
    seen: list[tuple[str, ...]] = []

    def plan(conversation, done):  # type: ignore[no-untyped-def]
        errors = [getattr(message, "error", None) for message in conversation]
        shown = zip(conversation, errors, strict=True)
        seen.append(tuple(error.message if error else message.text for message, error in shown))
        if "later" in conversation[1].text:
            return "Noted."
        table = "vendor,total\nAster,7\nBirch,3\n"
        return (
            ("read", {"path": "sale.csv"}),
            ("read", {"path": "sales.csv"}),
            ("write", {"path": "out/totals.csv", "content": table}),
            "Added up.",
        )[done]

    task = imported(path=task_set, sandbox="bwrap")
    (log,) = eval(task, model=scripted_model(plan), log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success"
    outcome = collect([str(tmp_path / "logs")], tmp_path / "out", overlap=Overlap([]))
    assert outcome.card["sources"][0]["agent"] == "claw"
    lines = (tmp_path / "out" / "traces.jsonl").read_text().splitlines()
    first, second = (json.loads(line) for line in lines)
    assert [first["session"], second["session"]] == [1, 2]
    assert first["sample"] == second["sample"]
    assert second["score"] == 1.0
    assert "Likes tables." in first["messages"][0]["content"]
    assert first["tools"] == second["tools"] == tool_schemas(list(CLAW_TOOLS))
    told = [message["content"] for message in second["messages"]]
    assert tuple(told[:-1]) == seen[-1]
    assert told[-1] == "Added up."
    names = [c["function"]["name"] for m in second["messages"] for c in m.get("tool_calls", [])]
    assert names == ["read", "read", "write"]
    assert "sale.csv does not exist" in second["messages"][3]["content"]
    assert "Aster,5" in second["messages"][5]["content"]


def test_a_demonstration_is_a_trace(tmp_path: Path, task_set: str) -> None:
    task = imported(path=task_set, sandbox="bwrap", agent="demonstrate")
    (log,) = eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success"
    assert log.samples
    talk = [m for m in log.samples[0].messages if isinstance(m, ChatMessageAssistant)]
    assert talk
    collect([str(tmp_path / "logs")], tmp_path / "out", overlap=Overlap([]))
    rows = [json.loads(x) for x in (tmp_path / "out" / "traces.jsonl").read_text().splitlines()]
    assert [row["messages"][0]["role"] for row in rows] == ["system", "system"]
    assert "Likes tables." in rows[1]["messages"][0]["content"]
    assert [row["success"] for row in rows] == [True, True]
    said = [message["content"] for message in rows[1]["messages"]]
    assert "I'll write out/totals.csv." in said
    assert any(text.startswith("Wrote out/totals.csv") for text in said)
