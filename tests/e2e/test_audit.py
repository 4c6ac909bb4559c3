"""The audit as a user runs it."""

import json
from pathlib import Path

import pytest

from clawgym_bench import load_bench
from clawgym_bench.task import write_folder
from tests.conftest import MakeTask
from tests.e2e.test_wrong_input import call, said

pytestmark = [pytest.mark.bwrap, pytest.mark.slow]


def test_every_shipped_task_passes_every_gate(tmp_path: Path) -> None:
    code, text = call(
        "clawgym-bench", "audit", "bench", "--json", "a.json", "--html", "a.html", cwd=tmp_path
    )
    count = len(list(load_bench()))
    assert code == 0, text
    said(text, f"{count} of {count} tasks passed all gates")
    audits = json.loads((tmp_path / "a.json").read_text())
    assert len(audits) == count
    assert {gate["status"] for audit in audits for gate in audit["gates"]} == {"passed"}
    page = (tmp_path / "a.html").read_text()
    assert f"{count} of {count} tasks passed every gate" in page
    assert "http" not in page


def test_a_resumed_audit_does_only_what_is_left(new_task: MakeTask, tmp_path: Path) -> None:
    for number in range(3):
        write_folder(new_task(id=f"t{number}"), tmp_path / "set")
    record = ("--only", "lint", "--record", "r.jsonl", "--resume")
    call("clawgym-bench", "audit", "set", *record, "--limit", "2", cwd=tmp_path)
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    assert len(lines) == 2
    (tmp_path / "r.jsonl").write_text("\n".join([*lines, lines[0][:40]]) + "\n")
    _, text = call("clawgym-bench", "audit", "set", *record, cwd=tmp_path)
    said(text, "of 3 tasks")
    kept = (tmp_path / "r.jsonl").read_text().splitlines()
    assert kept[:2] == lines
    assert len(kept) == 4


def test_an_invalid_task_is_a_finding_and_does_not_stop_the_others(
    new_task: MakeTask, tmp_path: Path
) -> None:
    write_folder(new_task(id="sound"), tmp_path / "set")
    (tmp_path / "set" / "broken").mkdir()
    (tmp_path / "set" / "broken" / "task.yaml").write_text("id: [\n")
    code, text = call("clawgym-bench", "audit", "set", "--only", "junk", cwd=tmp_path)
    assert code == 1
    said(text, "not YAML", "1 of 2 tasks passed")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("bench", "--only", "smell"), ("no gate smell", "lint, oracle")),
        (("bench", "--resume"), ("--resume needs --record",)),
        (("nowhere",), ("nowhere", "no such task set")),
        (("bench", "--sandbox", "jail"), ("no sandbox 'jail'",)),
    ],
)
def test_wrong_options_are_told(
    tmp_path: Path, options: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    code, text = call("clawgym-bench", "audit", *options, cwd=tmp_path)
    assert code == 2
    said(text, *parts)
