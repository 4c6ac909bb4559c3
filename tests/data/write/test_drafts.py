"""What may stand in a draft, and with what reason the rest ends."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from clawgym_bench.task import Persona
from clawgym_data.pipeline.stages import Stage
from clawgym_data.write.build import Origin, build
from clawgym_data.write.draft import Draft, Unusable, read_draft, read_object
from tests.data.write import drafts

ORIGIN = Origin(1, 2, "test", "Apache-2.0", Persona(role="clerk"), "stem", ("tag",))


def refused(draft: dict[str, Any]) -> Unusable:
    with pytest.raises(Unusable) as found:
        build(read_draft(json.dumps(draft)), ORIGIN)
    return found.value


def test_a_good_draft_becomes_a_task_that_says_where_it_comes_from() -> None:
    task = build(read_draft(drafts.text(drafts.good(1))), ORIGIN)
    assert task.provenance.kind == "model"
    assert task.category == "analysis-reasoning"
    assert task.tags == ["tag"]
    assert {path.split("/")[0] for path in task.files} == {"workspace", "expected", "solution"}
    assert "solution/run.py" in task.files
    assert task.canary


def test_sessions_have_arrivals_references_and_variants_of_their_own() -> None:
    draft = drafts.good(1)
    later = [{"path": "data/late.csv", "content": "a,b\n1,2\n"}]
    draft["sessions"].append(
        {"instruction": "And now again, with the late ones.", "arrivals": later}
    )
    draft["reference"].append({"session": 2, "message": "Done again."})
    draft["variants"] = [{"name": "terse", "message": "Ready."}]
    task = build(read_draft(json.dumps(draft)), ORIGIN)
    assert {
        "arrivals/2/data/late.csv", "solution/1/run.py", "solution/2/message.md",
        "variants/terse/2/message.md",
    } <= set(task.files)  # fmt: skip


@pytest.mark.parametrize(
    "text", ["{not json", "", "[1]", '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}']
)
def test_what_is_no_object_of_json_is_handed_back(text: str) -> None:
    with pytest.raises(Unusable) as found:
        read_draft(text)
    assert found.value.reason == "no JSON object"
    assert not found.value.hostile


def test_answers_are_bounded_in_length_and_depth() -> None:
    with pytest.raises(Unusable, match="characters"):
        read_object('"' + "x" * 1_000_001 + '"')
    for depth in (40, 100_000):
        with pytest.raises(Unusable, match=r"nested|not one JSON object"):
            read_object('{"a":' * depth + "1" + "}" * depth)


def test_a_fence_around_the_object_does_no_harm() -> None:
    assert read_object('```json\n{"a": 1}\n```') == {"a": 1}


Change = Callable[[dict[str, Any]], Any]
FORM: list[tuple[Change, Stage, str]] = [
    (lambda d: d.pop("title"), Stage.INTENT, "not in the form: title"),
    (lambda d: d.update(hook="rm"), Stage.INTENT, "not in the form: unknown field"),
    (lambda d: d.update(operations=["fly"]), Stage.OPERATIONS, "unknown operation"),
    (
        lambda d: d["workspace"][0].update(content="x" * 64_001),
        Stage.WORKSPACE,
        "not in the form: workspace",
    ),
    (
        lambda d: d.update(
            workspace=[{"path": f"f{n}.txt", "content": "x" * 60_000} for n in range(8)]
        ),
        Stage.WORKSPACE,
        "files too large",
    ),
    (lambda d: d["workspace"].append(d["workspace"][0]), Stage.WORKSPACE, "file twice"),
    (lambda d: d["workspace"][1].update(content="a\0b"), Stage.WORKSPACE, "file refused"),
    (lambda d: d["workspace"][1].update(path="a//b"), Stage.WORKSPACE, "file refused"),
    (lambda d: d["checks"][0].pop("table"), Stage.VERIFICATION, "invalid: checks"),
    (lambda d: d.update(expected=[]), Stage.VERIFICATION, "invalid: checks"),
    (lambda d: d["reference"][0].update(session=9), Stage.REFERENCE, "not in the form: reference"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "stage", "reason"), FORM)
def test_a_draft_out_of_form_ends_in_its_stage_and_may_be_mended(
    change: Change, stage: Stage, reason: str
) -> None:
    draft = drafts.good(1)
    change(draft)
    found = refused(draft)
    assert (found.stage, found.reason) == (stage, reason)
    assert found.findings
    assert not found.hostile


def _path(place: str, path: str) -> Change:
    def change(draft: dict[str, Any]) -> None:
        file = {"path": path, "content": "x\n"}
        if place == "sessions":
            draft["sessions"][0]["arrivals"] = [file]
        elif place == "reference":
            draft["reference"][0]["files"] = [file]
        elif place == "variants":
            draft["variants"] = [{"name": "other", "files": [file]}]
        elif place == "outputs":
            draft["outputs"][0]["path"] = path
        elif place == "checks":
            draft["checks"][0]["table"]["path"] = path
        elif place == "editable":
            draft["editable"] = [path]
        else:
            draft[place].append(file)

    return change


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "~/x", "C:/x", "a\\..\\x"])
@pytest.mark.parametrize(
    "place",
    ["workspace", "sessions", "expected", "reference", "variants", "outputs", "editable", "checks"],
)
def test_paths_that_lead_outside_end_a_draft_for_good(place: str, path: str) -> None:
    draft = drafts.good(1)
    _path(place, path)(draft)
    found = refused(draft)
    assert found.reason == "hostile: leads outside the workspace"
    assert found.hostile


@pytest.mark.parametrize(
    "path",
    [
        "sitecustomize.py",
        "data/conftest.py",
        ".git/hooks/pre-commit",
        ".bashrc",
        "lib/x.pth",
        "m.so",
    ],
)
def test_files_that_run_by_themselves_end_a_draft_for_good(path: str) -> None:
    for place in ("workspace", "reference", "variants"):
        draft = drafts.good(1)
        _path(place, path)(draft)
        assert refused(draft).reason == "hostile: runs by itself"


COMMANDS: list[dict[str, Any]] = [
    {"run": ["python3", "-c", "import os"]},
    {"run": ["bash", "-c", "id"]},
    {"run": ["curl", "out/tool.py"]},
    {"run": ["python3", "data/tool.py"]},
    {"run": "python3 out/tool.py"},
    {"run": ["bash", "out/tool.py"]},
    {"run": ["python3", "out/tool.py"], "hidden": ["hidden/x.py"]},
    {"run": ["python3", "out/tool.py"], "cwd": "data"},
    {"run": ["python3", "out/tool.py"], "cases": [{"files": {"a.py": "hidden/a.py"}}]},
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_check_runs_nothing_but_what_the_contract_asks_for(command: dict[str, Any]) -> None:
    draft = drafts.good(1)
    draft["outputs"].append({"path": "out/tool.py", "format": "python"})
    expect = [{"text": {"path": "@stdout", "contains": ["7"]}}]
    body = {"cases": [{"expect": expect}], **command}
    draft["checks"].append({"id": "runs", "cites": "add up", "command": body})
    assert refused(draft).reason == "hostile: code in a check"


def test_a_delivered_program_may_be_run() -> None:
    draft = drafts.good(1)
    draft["outputs"].append({"path": "out/tool.py", "format": "python"})
    expect = [{"text": {"path": "@stdout", "contains": ["7"]}}]
    body = {"run": ["python3", "out/tool.py"], "cases": [{"args": ["x"], "expect": expect}]}
    draft["checks"].append({"id": "runs", "cites": "add up", "command": body})
    assert build(read_draft(json.dumps(draft)), ORIGIN).checks[1].kind == "command"


@pytest.mark.parametrize("field", ["python", "code", "reward", "script", "Exec"])
def test_code_in_a_check_ends_a_draft_for_good(field: str) -> None:
    draft = drafts.good(1)
    draft["checks"].append({"id": "own", "cites": "add up", field: {"code": "1"}})
    assert refused(draft).hostile


def test_the_form_is_told_to_the_provider_without_references() -> None:
    from inspect_ai.util import json_schema

    schema = json_schema(Draft).model_dump_json(exclude_none=True)
    assert "$ref" not in schema
    assert '"checks"' in schema
