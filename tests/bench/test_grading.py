from dataclasses import replace
from typing import Any

import pytest

from clawgym_bench.checks import CommandOutcome, Evidence
from clawgym_bench.grading import Verdict, grade, untouched_checks, untouched_evidence
from clawgym_bench.sandbox import Snapshot
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask

CHECK = FIELDS["checks"][0]
RIGHT = b"vendor,total\nAster,7\nBirch,3\n"


def left(task: Task, message: str = "Done.", **files: Any) -> Evidence:
    """Evidence with files added or (None) removed; `__` in a name stands for a slash."""
    evidence = untouched_evidence(task)
    now = dict(evidence.snapshot.files)
    for name, body in files.items():
        path = name.replace("__", "/").replace("_csv", ".csv").replace("_txt", ".txt")
        if body is None:
            del now[path]
        else:
            now[path] = body
    return replace(evidence, snapshot=Snapshot(now), messages=(message,))


def test_the_right_answer_earns_everything(new_task: MakeTask) -> None:
    task = new_task()
    result = grade(task, left(task, out__totals_csv=RIGHT))
    assert (result.status, result.score, result.success) == ("scored", 1.0, True)


def test_doing_nothing_earns_nothing_and_says_why(new_task: MakeTask) -> None:
    task = new_task()
    result = grade(task, left(task))
    assert (result.score, result.success) == (0.0, False)
    assert "out/totals.csv does not exist" in result.results[1].reason


@pytest.mark.parametrize("body", [b"vendor,amount\nAster,9\n", None])
def test_a_changed_or_missing_input_is_a_failed_gate(
    new_task: MakeTask, body: bytes | None
) -> None:
    task = new_task()
    result = grade(task, left(task, out__totals_csv=RIGHT, sales_csv=body))
    assert result.score == 0.0
    assert result.failed_gates == ("inputs-intact",)
    assert not result.success


def test_an_editable_input_may_change(new_task: MakeTask) -> None:
    task = new_task(editable=["sales.csv"])
    assert grade(task, left(task, out__totals_csv=RIGHT, sales_csv=b"x")).score == 1.0


def test_an_agent_may_keep_its_memory(new_task: MakeTask) -> None:
    task = new_task({"workspace/MEMORY.md": "# Memory\n"})
    evidence = left(task, out__totals_csv=RIGHT)
    files = {**evidence.snapshot.files, "MEMORY.md": b"new", "memory/2026-11-30.md": b"note"}
    assert grade(task, replace(evidence, snapshot=Snapshot(files))).score == 1.0


def test_what_the_untouched_workspace_satisfies_is_a_gate(new_task: MakeTask) -> None:
    already = {
        "id": "source",
        "cites": "sales.csv",
        "text": {"path": "sales.csv", "contains": ["Birch"]},
    }
    task = new_task(checks=[CHECK, already], editable=["sales.csv"])
    assert untouched_checks(task) == {"source"}
    right = grade(task, left(task, out__totals_csv=RIGHT))
    assert right.score == 1.0
    assert grade(task, left(task)).score == 0.0
    broken = grade(task, left(task, out__totals_csv=RIGHT, sales_csv=b"gone"))
    assert (broken.score, broken.failed_gates) == (0.0, ("source",))


def test_weights_make_a_weighted_mean(new_task: MakeTask) -> None:
    said = {
        "id": "said",
        "cites": "vendor",
        "weight": 3,
        "message": {"contains": ["Aster leads"]},
    }
    task = new_task(checks=[CHECK, said])
    result = grade(task, left(task, out__totals_csv=RIGHT))
    assert result.score == pytest.approx(0.25)
    assert not result.success


def test_partial_credit_is_by_finding_and_never_success(new_task: MakeTask) -> None:
    task = new_task(checks=[{**CHECK, "partial": True}])
    result = grade(task, left(task, out__totals_csv=b"vendor,total\nAster,7\nBirch,4\n"))
    assert result.score is not None
    assert 0 < result.score < 1
    assert not result.success
    nothing = grade(task, left(task, out__totals_csv=b"vendor,sum\nAster,7\n"))
    assert nothing.score == 0.0


RUBRIC = [
    {
        "id": "tone",
        "criterion": "Polite?",
        "levels": {0: "no", 0.5: "so", 1: "yes"},
        "message": True,
    },
    {"id": "brief", "criterion": "Brief?", "levels": {0: "no", 1: "yes"}, "message": True},
]


def test_without_a_judge_a_hybrid_task_reports_checks_and_says_so(new_task: MakeTask) -> None:
    task = new_task(rubric=RUBRIC)
    result = grade(task, left(task, out__totals_csv=RIGHT))
    assert (result.score, result.rubric, result.rubric_status) == (1.0, None, "no judge")


def test_checks_and_rubric_are_weighed(new_task: MakeTask) -> None:
    task = new_task(rubric=RUBRIC)
    verdicts = [Verdict("tone", 0.5), Verdict("brief", 1.0)]
    result = grade(task, left(task, out__totals_csv=RIGHT), verdicts=verdicts)
    assert result.score == pytest.approx(0.7 + 0.3 * 0.75)
    assert result.success
    low = grade(
        task,
        left(task, out__totals_csv=RIGHT),
        verdicts=[Verdict("tone", 0.5), Verdict("brief", 0)],
    )
    assert not low.success


def test_a_failed_gate_also_voids_the_rubric(new_task: MakeTask) -> None:
    task = new_task(rubric=RUBRIC)
    verdicts = [Verdict("tone", 1.0), Verdict("brief", 1.0)]
    result = grade(task, left(task, out__totals_csv=RIGHT, sales_csv=None), verdicts=verdicts)
    assert result.score == 0.0


def test_a_missing_verdict_leaves_the_sample_unscored(new_task: MakeTask) -> None:
    task = new_task(rubric=RUBRIC)
    result = grade(task, left(task), verdicts=[Verdict("tone", 1.0)])
    assert (result.status, result.reason) == ("unscored", "no verdict on brief")


def test_a_command_that_could_not_be_run_is_never_a_zero(new_task: MakeTask) -> None:
    command = {
        "id": "runs",
        "cites": "vendor",
        "command": {
            "run": ["python3", "tool.py"],
            "cases": [{"expect": [{"text": {"path": "@stdout", "contains": ["ok"]}}]}],
        },
    }
    task = new_task(checks=[CHECK, command])
    evidence = left(task, out__totals_csv=RIGHT)
    assert grade(task, evidence).status == "unscored"
    lost = CommandOutcome(None, b"", b"", False, Snapshot({}), failure="the sandbox was lost")
    result = grade(task, evidence, {"runs": [lost]})
    assert (result.status, result.reason) == ("unscored", "the sandbox was lost")
    fine = CommandOutcome(0, b"ok\n", b"", False, evidence.snapshot)
    assert grade(task, evidence, {"runs": [fine]}).score == 1.0
    slow = CommandOutcome(None, b"", b"", True, evidence.snapshot)
    hung = grade(task, evidence, {"runs": [slow]})
    assert hung.score == 0.5
    assert "still running after 30 s" in hung.results[-1].reason


def test_grading_is_a_pure_function(new_task: MakeTask) -> None:
    task = new_task()
    evidence = left(task, out__totals_csv=RIGHT)
    assert grade(task, evidence) == grade(task, evidence)


def test_a_task_without_checks_is_unscored(new_task: MakeTask) -> None:
    files = {"expected/totals.csv": None}
    task = new_task(files, checks=[], provenance={"kind": "imported"})
    assert grade(task, left(task)).reason == "no checker"
