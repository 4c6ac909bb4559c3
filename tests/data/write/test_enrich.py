"""Rewriting a set: the facts stay, the audit judges anew."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from clawgym_bench.task import Task
from clawgym_data.compose.composer import compose
from clawgym_data.compose.plan import NoPlan
from clawgym_data.pipeline import ComposerEngine, Settings, synthesize
from clawgym_data.pipeline.store import read_journal, read_manifest
from clawgym_data.sets import read_set
from clawgym_data.write.draft import Unusable
from clawgym_data.write.enrich import _cited, _prompt, notes_of, rewritten
from clawgym_data.write.facts import lost_and_added
from tests.data.write.conftest import Command
from tests.data.write.server import MODEL, Reply, serving


def answer(
    task: Task, begin: str = "Could you spare some time for this today?\n\n"
) -> dict[str, Any]:
    """A rewriting that keeps every fact and every citation."""
    return {
        "instructions": [begin + session.instruction for session in task.sessions],
        "cites": [{"check": name, "span": span} for name, span in _cited(task).items()],
        "files": [],
    }


def composed(wanted: int = 0) -> Task:
    """A task with a note that no program reads."""
    for number in range(400):
        try:
            task = compose(3, number)
        except NoPlan:
            continue
        if len(notes_of(task)) >= wanted:
            return task
    raise AssertionError("no task has notes")


def refused(task: Task, given: dict[str, Any]) -> Unusable:
    with pytest.raises(Unusable) as found:
        rewritten(task, json.dumps(given), "m/x")
    return found.value


def test_a_rewriting_keeps_all_but_the_words() -> None:
    task = composed(1)
    note, text = next(iter(notes_of(task).items()))
    given = answer(task)
    given["files"] = [{"path": note, "content": f"To whom it may concern.\n\n{text}"}]
    fresh = rewritten(task, json.dumps(given), "m/x")
    assert fresh.id == f"{task.id}-r"
    assert fresh.sessions != task.sessions
    assert fresh.checks == task.checks
    assert fresh.provenance.source.endswith("; rewritten by m/x")
    changed = {path for path in task.files if fresh.files[path] != task.files[path]}
    assert changed == {note}


def test_facts_that_are_lost_or_added_are_found() -> None:
    before = "Send `out/a.csv` to Mara Voss by 14 May, “Totals” first, 2.5 % off."
    assert not lost_and_added(
        before, "By 14 May, to Mara Voss: `out/a.csv`, “Totals” first; 2.5 %."
    )
    assert lost_and_added(before, before.replace("14", "15")) == ["14 is left out", "15 is new"]
    assert lost_and_added(before, before.replace("Voss", "Foss")) == ["the name Voss is left out"]
    assert lost_and_added(before, before.replace("`out/a.csv`", "the file")) == [
        "out/a.csv is left out"
    ]
    assert "Sums is new" in lost_and_added(before, before.replace("Totals", "Sums"))


def test_what_is_not_the_same_task_is_handed_back() -> None:
    task = composed(1)
    text = task.sessions[0].instruction
    path = re.findall(r"`([^`]+)`", text)[0]
    given = answer(task)
    given["instructions"] = [text.replace(path, "other/place.csv")]
    assert refused(task, given).reason == "facts changed: request"
    assert refused(task, answer(task, "")).reason == "nothing rewritten"
    assert refused(task, {**answer(task), "instructions": ["a", "b"]}).reason == (
        "another number of sessions"
    )
    given = answer(task)
    given["cites"][0]["span"] = "what nobody said"
    assert refused(task, given).reason == "citation not found"
    note = next(iter(notes_of(task)))
    given = answer(task)
    given["files"] = [{"path": note, "content": "77 new things.\n"}]
    assert refused(task, given).reason == "facts changed: note"
    assert refused(task, {**answer(task), "checks": []}).reason == "not in the form"


def test_only_the_notes_that_were_given_may_be_rewritten() -> None:
    task = composed()
    for path in (
        "solution/run.py",
        "../../x",
        *(p for p in task.files if p.startswith("expected/")),
    ):
        found = refused(task, {**answer(task), "files": [{"path": path, "content": "x\n"}]})
        assert found.reason == "another file"
        assert found.hostile


@pytest.mark.bwrap
@pytest.mark.slow
def test_a_set_is_rewritten_and_audited_anew(run: Command, tmp_path: Path) -> None:
    settings = Settings(n=4, gates=(), mutant_share=0.0)
    synthesize(ComposerEngine(3), settings, tmp_path / "plain", workers=1)
    tasks = list(read_set(tmp_path / "plain"))
    by_prompt = {_prompt(task): number for number, task in enumerate(tasks)}

    def play(number: int, before: int) -> Reply:
        given = answer(tasks[number])
        if number == 1 and before == 0:
            given["instructions"][0] += " It is 4711 in all."
        if number == 2:
            return Reply(refusal="No.")
        return Reply(json.dumps(given))

    arguments = (
        "enrich", str(tmp_path / "plain"), "--model", MODEL, "--out", str(tmp_path / "set"),
        "--workers", "1", "--gates", "lint,oracle", "--mutant-share", "0",
    )  # fmt: skip
    with serving(by_prompt, play) as server:
        done = run(server, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert dict(server.calls) == {0: 1, 1: 2, 2: 1, 3: 1}
        again = run(server, *arguments, "--resume")
        assert again.returncode == 0
        assert server.calls.total() == 5
    found = {one.number: one for one in read_journal(tmp_path / "set")}
    assert [found[n].state for n in range(4)] == ["accepted", "accepted", "rejected", "accepted"]
    assert found[1].rounds == 1
    assert found[2].ended is not None
    assert found[2].ended.reason == "refused by the model"
    manifest = read_manifest(tmp_path / "set")
    assert manifest["complete"]
    assert manifest["audit"]["oracle"] == {"passed": 3}
    fresh = {task.id: task for task in read_set(tmp_path / "set")}
    assert set(fresh) == {f"{tasks[n].id}-r" for n in (0, 1, 3)}
    assert all("rewritten" in task.tags for task in fresh.values())


def test_wrong_input_is_told(run: Command, tmp_path: Path) -> None:
    done = run(None, "enrich", str(tmp_path / "none"), "--out", str(tmp_path / "set"))
    assert done.returncode == 2
    assert "say which model with --model" in done.stderr
    with serving({}, lambda *_: Reply("")) as server:
        done = run(server, "enrich", str(tmp_path / "none"), "--out", str(tmp_path / "set"),
                   "--model", MODEL)  # fmt: skip
    assert done.returncode == 2
    assert "no such task set" in done.stderr
