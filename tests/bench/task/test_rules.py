from typing import Any

import pytest

from clawgym_bench.errors import TaskInvalid
from tests.conftest import FIELDS, MakeTask

CHECK = FIELDS["checks"][0]


def complaint(new_task: MakeTask, files: Any = None, **fields: Any) -> str:
    with pytest.raises(TaskInvalid) as caught:
        new_task(files, **fields)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("workspace/../../x", "leads out"),
        ("/etc/passwd", "absolute"),
        ("workspace/a\\b", "backslash"),
        ("workspace/a\nb", "control"),
        ("workspace/" + "n" * 300, "longer than 200"),
        ("workspace/nul.txt", "Windows"),
        ("workspace/e\u0301.txt", "NFC"),
        ("workspace/" + "d/" * 40 + "f", "deeper"),
        ("stray.txt", "no folder that a task uses"),
        ("git/x", "no folder that a task uses"),
    ],
)
def test_paths_that_escape_or_differ_between_machines_are_refused(
    new_task: MakeTask, path: str, said: str
) -> None:
    assert said in complaint(new_task, {path: "x"})


def test_names_that_differ_only_by_case_are_refused(new_task: MakeTask) -> None:
    assert "collide" in complaint(new_task, {"workspace/SALES.csv": "x"})


def test_a_file_and_a_folder_of_one_name_are_refused(new_task: MakeTask) -> None:
    assert "collide" in complaint(new_task, {"workspace/sales.csv/x": "x"})


def test_a_hidden_file_that_no_check_reads_is_refused(new_task: MakeTask) -> None:
    assert "no check reads expected/other.csv" in complaint(new_task, {"expected/other.csv": "x"})


def test_a_check_that_reads_what_is_not_there_is_refused(new_task: MakeTask) -> None:
    said = complaint(new_task, {"expected/totals.csv": None})
    assert "expected/totals.csv does not exist" in said


def test_a_check_has_exactly_one_kind(new_task: MakeTask) -> None:
    assert "found none" in complaint(new_task, checks=[{"id": "a", "cites": "b"}])
    both = {**CHECK, "text": {"path": "a", "contains": ["b"]}}
    assert "text and table" in complaint(new_task, checks=[both]) or "table" in complaint(
        new_task, checks=[both]
    )


def test_unknown_fields_are_refused_at_every_depth(new_task: MakeTask) -> None:
    bent = {**CHECK, "table": {**CHECK["table"], "colour": 1}}
    assert "unknown field" in complaint(new_task, checks=[bent])
    assert "unknown field" in complaint(new_task, limits={"minutes": 3})


def test_bare_existence_cannot_earn(new_task: MakeTask) -> None:
    check = {"id": "there", "cites": "out", "files": {"exists": ["out/totals.csv"]}}
    assert "set `gate: true`" in complaint(new_task, checks=[CHECK, check])
    assert new_task(checks=[CHECK, {**check, "gate": True}])


def test_a_gate_has_no_weight(new_task: MakeTask) -> None:
    assert "remove `weight`" in complaint(new_task, checks=[{**CHECK, "gate": True, "weight": 2}])


def test_something_must_earn(new_task: MakeTask) -> None:
    assert "no check can earn" in complaint(new_task, checks=[{**CHECK, "gate": True}])


def test_ids_are_used_once(new_task: MakeTask) -> None:
    assert "used twice" in complaint(new_task, checks=[CHECK, CHECK])


def test_arrivals_must_exist_and_be_named(new_task: MakeTask) -> None:
    sessions = [{"instruction": "a"}, {"instruction": "b", "arrivals": "arrivals/2/"}]
    assert "holds no files" in complaint(new_task, sessions=sessions)
    assert "no session has the arrivals" in complaint(new_task, {"arrivals/2/a": "x"})


def test_editable_and_missing_must_say_something_true(new_task: MakeTask) -> None:
    assert "no input matches" in complaint(new_task, editable=["nothing.txt"])
    assert "exists" in complaint(new_task, missing=["sales.csv"])


def test_a_reference_has_a_known_shape(new_task: MakeTask) -> None:
    assert "not part of a reference" in complaint(new_task, {"solution/totals.csv": "x"})
    assert "no session 3" in complaint(new_task, {"solution/3/run.sh": "x"})


def test_rubric_weights_need_a_rubric(new_task: MakeTask) -> None:
    assert "no rubric" in complaint(new_task, weights={"checks": 0.5, "rubric": 0.5})
    assert "add up to 1" in complaint(new_task, weights={"checks": 0.5, "rubric": 0.6})


def test_recorded_pages_are_checked(new_task: MakeTask) -> None:
    assert "web" in complaint(new_task, {"web/index.yaml": "pages: 3"})


def test_the_request_shows_the_contract_to_the_last_session(new_task: MakeTask) -> None:
    task = new_task(sessions=[{"instruction": "First."}, {"instruction": "Second."}])
    assert task.request(1) == "First."
    assert "`out/totals.csv` (csv): columns: `vendor`, `total`" in task.request(2)
