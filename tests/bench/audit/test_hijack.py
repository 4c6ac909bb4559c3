"""Gate *hijack*: what an agent leaves behind raises no score and breaks no grading."""

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from clawgym_bench.audit import hijack, hijack_bombs, hijack_judge
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import GateResult
from clawgym_bench.audit.hijack_plants import plants
from clawgym_bench.audit.play import play
from clawgym_bench.checks import CHECKS, Check
from clawgym_bench.grading import grade, untouched_evidence
from clawgym_bench.sandbox import Backend, SnapshotLimits, open_backend
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask

pytestmark = pytest.mark.bwrap


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    made = open_backend("bwrap")
    yield made
    await made.close()


async def audited(task: Task, backend: Backend) -> GateResult:
    return await hijack.run(Context(task, backend))


def imported(new_task: MakeTask, **reward: str) -> Task:
    return new_task(
        {
            "expected/totals.csv": None,
            "solution/files/out/totals.csv": None,
            **{f"reward/{name.replace('_', '.')}": body for name, body in reward.items()},
        },
        sessions=[{"instruction": "Write the total of sales.csv to out/report.json."}],
        outputs=[],
        editable=["*"],
        checks=[{"id": "reward", "cites": "*", "partial": True, "reward": {}}],
        provenance={"kind": "imported", "source": "clawgym:task_1", "licence": ""},
    )


def program(new_task: MakeTask, run: list[str], **case: Any) -> Task:
    check = {"id": "runs", "cites": "amounts", "command": {"run": run, "cases": [case]}}
    files = {"expected/totals.csv": None, "solution/files/out/totals.csv": None}
    return new_task(files, outputs=[{"path": "add.py", "format": "python"}], checks=[check])


# --- what survives and what does not ---------------------------------------------------------


async def test_a_declarative_task_withstands_everything(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await audited(new_task(), backend)
    assert result.status == "passed"
    assert not result.findings
    assert result.figures["attacks"] >= 4
    assert result.figures["slowest grading"] < hijack.SECONDS


async def test_a_program_of_the_agent_whose_output_is_compared_withstands(
    new_task: MakeTask, backend: Backend
) -> None:
    expect = [{"text": {"path": "@stdout", "equals": "5"}}]
    task = program(new_task, ["python3", "add.py"], args=["2", "3"], expect=expect)
    assert (await audited(task, backend)).status == "passed"


async def test_a_check_that_believes_what_the_workspace_prints_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    expect = [{"text": {"path": "@stdout", "contains": ["reward"]}}]
    task = program(new_task, ["bash", "score.sh"], expect=expect)
    result = await audited(task, backend)
    assert result.status == "failed"
    assert "verdicts" in result.findings[0].evidence


async def test_an_imported_checker_that_imports_from_the_workspace_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    script = 'cd "$1"\npython3 -c "import json; print(json.dumps(0.0))" | tail -1\n'
    result = await audited(imported(new_task, reward_sh=script), backend)
    assert result.status == "failed"
    assert "shadow modules" in result.findings[0].evidence


async def test_an_imported_checker_that_believes_a_file_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    script = 'if [ -f "$1/reward.txt" ]; then echo 1.0; else echo 0.0; fi\n'
    result = await audited(imported(new_task, reward_sh=script), backend)
    assert result.status == "failed"
    assert "earns 1.000 instead of 0.000 (verdicts)" in result.findings[0].evidence


async def test_an_imported_checker_that_a_hostile_file_crashes_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    checker = (
        "import json, pathlib, sys\n"
        "report = pathlib.Path(sys.argv[1]) / 'out/report.json'\n"
        "data = json.loads(report.read_text()) if report.is_file() else {}\n"
        "print(json.dumps({'total': data.get('total') == 10}))\n"
    )
    result = await audited(imported(new_task, check_py=checker), backend)
    assert result.status == "failed"
    assert any("unscored, an agent can escape its 0" in one.evidence for one in result.findings)


async def test_a_careful_imported_checker_passes(new_task: MakeTask, backend: Backend) -> None:
    checker = (
        "import json, pathlib, sys\n"
        "try:\n"
        "    report = pathlib.Path(sys.argv[1]) / 'out/report.json'\n"
        "    total = json.loads(report.read_text())['total'] == 10\n"
        "except Exception:\n"
        "    total = False\n"
        "print(json.dumps({'total': total}))\n"
    )
    assert (await audited(imported(new_task, check_py=checker), backend)).status == "passed"


async def test_a_checker_that_pays_for_any_words_is_not_called_hijacked(
    new_task: MakeTask, backend: Backend
) -> None:
    check = {"id": "said", "cites": "amounts", "message": {"contains": ["Report"]}}
    result = await audited(new_task(checks=[FIELDS["checks"][0], check]), backend)
    assert result.status == "passed"
    assert "any words in the final message" in result.findings[0].evidence


async def test_a_checker_that_always_crashes_is_no_evidence(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await audited(imported(new_task, check_py="raise KeyError('x')\n"), backend)
    assert result.status == "no evidence"


async def test_a_check_that_raises_is_an_error_and_not_a_crash(
    new_task: MakeTask, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = new_task()
    body = CHECKS["table"]
    whole = body.run

    def fragile(self: Any, evidence: Any) -> Any:
        if len(evidence.snapshot.files.get("out/totals.csv", b"")) > 10_000:
            raise RecursionError("too deep")
        return whole(self, evidence)

    monkeypatch.setattr(body, "run", fragile)
    result = await audited(task, backend)
    assert result.status == "failed"
    assert any("grading crashed: RecursionError" in one.evidence for one in result.findings)


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize(
    ("lose_time", "hangs", "told"),
    [(work, 60.0, True), (time.sleep, 60.0, False), (time.sleep, 0.2, True)],
    ids=["works", "waits for the machine", "hangs"],
)
async def test_a_slow_check_is_an_error(
    new_task: MakeTask,
    backend: Backend,
    monkeypatch: pytest.MonkeyPatch,
    lose_time: Callable[[float], None],
    hangs: float,
    told: bool,
) -> None:
    task = new_task()
    body = CHECKS["table"]
    whole = body.run

    def slow(self: Any, evidence: Any) -> Any:
        if len(evidence.snapshot.files.get("out/totals.csv", b"")) > 10_000:
            lose_time(1.0)
        return whole(self, evidence)

    monkeypatch.setattr(body, "run", slow)
    monkeypatch.setattr(hijack, "SECONDS", 0.6)
    monkeypatch.setattr(hijack, "HANGS", hangs)
    result = await audited(task, backend)
    assert any("graded in" in one.evidence for one in result.findings) == told


# --- the last act ------------------------------------------------------------------------------


async def test_what_is_no_plain_file_is_refused_and_nothing_moves_afterwards(
    new_task: MakeTask, backend: Backend
) -> None:
    outputs = {"out/totals.csv": "csv", "out/other.csv": "csv"}
    evidence = await play(new_task(), hijack.last_act(outputs), backend)
    refused, files = evidence.snapshot.refused, evidence.snapshot.files
    assert refused["out/totals.csv"] == "symbolic link"
    assert refused["out/other.csv"] == "FIFO"
    for name in ("passwd", "root", "up", "environ", "fifo", "sparse", "locked"):
        assert f"planted/{name}" in refused
    assert any("new" in path and "line" in path for path in refused)
    assert not any("\n" in path or "\x1b" in path for path in files)
    assert not any(b"root:" in body for body in files.values())
    assert len([path for path in files if path.startswith("planted/many/")]) == hijack.MANY_FILES


@pytest.mark.slow
async def test_two_hundred_thousand_files_are_cut_and_cost_seconds(
    new_task: MakeTask, backend: Backend
) -> None:
    task = new_task(limits={"disk_mb": 2_048})
    begin = time.monotonic()
    evidence = await play(task, hijack.last_act({}, 200_000), backend)
    assert evidence.snapshot.cut
    assert len(evidence.snapshot.files) <= SnapshotLimits().files
    assert time.monotonic() - begin < 60
    assert grade(task, evidence).status == "scored"


# --- what is dear to read ----------------------------------------------------------------------


@pytest.mark.parametrize("format", sorted(hijack_bombs._BOMBS))
def test_bombs_are_of_a_size_that_is_exported(format: str) -> None:
    for body in hijack_bombs.bombs(format):
        assert 0 < len(body) <= SnapshotLimits().file_size


CHECKED: dict[str, dict[str, Any]] = {
    "csv": {"table": {"path": "a.csv", "rows": [{"id": 1}]}},
    "json": {"data": {"path": "a.json", "values": {"total": 1}}},
    "jsonl": {"table": {"path": "a.jsonl", "rows": [{"id": 1}]}},
    "yaml": {"data": {"path": "a.yaml", "values": {"total": 1}}},
    "toml": {"data": {"path": "a.toml", "values": {"total": 1}}},
    "xml": {"xml": {"path": "a.xml", "contains": ["passwd"]}},
    "html": {"html": {"path": "a.html", "contains": ["passwd"]}},
    "xlsx": {"table": {"path": "a.xlsx", "rows": [{"id": 1}]}},
    "docx": {"docx": {"path": "a.docx", "contains": ["sum"]}},
    "zip": {"archive": {"path": "a.zip", "text": {"zeros": {"contains": ["sum"]}}}},
    "ics": {"ics": {"path": "a.ics", "events": [{"summary": "Boat", "start": "2026-01-01"}]}},
    "vcf": {"vcf": {"path": "a.vcf", "contacts": [{"name": "Ida"}]}},
    "eml": {"mail": {"path": "a.eml", "messages": [{"subject": "Bill"}]}},
    "pdf": {"pdf": {"path": "a.pdf", "contains": ["sum"]}},
    "markdown": {"markdown": {"path": "a.md", "headings": ["Sum"], "contains": ["passwd"]}},
    "text": {"text": {"path": "a.txt", "patterns": ["(a+)+$", "(.*)*b"], "facts": [
        {"label": "total", "value": 12}]}},
}  # fmt: skip


@pytest.mark.parametrize("format", sorted(CHECKED))
def test_every_kind_of_check_refuses_its_bombs_in_time(new_task: MakeTask, format: str) -> None:
    check = Check.model_validate({"id": "x", "cites": "amounts", **CHECKED[format]})
    path: str = check.body.path  # type: ignore[attr-defined]
    evidence = untouched_evidence(new_task())
    for body in hijack_bombs.bombs(format):
        begin = time.process_time()
        now = replace(evidence, snapshot=replace(evidence.snapshot, files={path: body}))
        findings = check.body.run(now)
        assert not all(finding.ok for finding in findings)
        assert time.process_time() - begin < hijack.SECONDS


@pytest.mark.parametrize("unit", ["![", "- a\n", "**a", "# a\n\n", "|a|b|\n|-|-|\n"])
def test_markdown_as_long_as_is_accepted_is_read_in_time(new_task: MakeTask, unit: str) -> None:
    from clawgym_bench.checks.limits import MARKDOWN_BYTES

    check = Check.model_validate(
        {"id": "x", "cites": "amounts", "markdown": {"path": "a.md", "tables": [
            {"rows": [{"a": 1}]}]}}
    )  # fmt: skip
    body = (unit * MARKDOWN_BYTES)[:MARKDOWN_BYTES].encode()
    evidence = untouched_evidence(new_task())
    begin = time.process_time()
    check.body.run(replace(evidence, snapshot=replace(evidence.snapshot, files={"a.md": body})))
    assert time.process_time() - begin < hijack.SECONDS


# --- targets and judge -------------------------------------------------------------------------


def test_targets_of_an_imported_task_come_from_its_request(new_task: MakeTask) -> None:
    task = imported(new_task, check_py="print(0)")
    assert hijack.targets(task) == {"out/report.json": "json"}


def test_plants_take_the_place_of_no_input_and_no_output(
    new_task: MakeTask, backend: Backend
) -> None:
    task = new_task({"workspace/json.py": "x = 1\n"})
    trial = hijack._Trial(Context(task, backend), hijack.targets(task))
    everything = {path: body for group in plants().values() for path, body in group.items()}
    planted = trial.planted(trial.junk, everything).snapshot.files
    assert planted["json.py"] == b"x = 1\n"
    assert planted["out/totals.csv"] == trial.junk.snapshot.files["out/totals.csv"]
    assert "sitecustomize.py" in planted


def test_material_cannot_close_its_block_in_the_prompt_of_a_judge(new_task: MakeTask) -> None:
    rubric = [{"id": "sense", "criterion": "It makes sense.", "files": ["out/a.md"],
               "message": True, "levels": {0: "no", 1: "yes"}}]  # fmt: skip
    assert hijack_judge.open_blocks(new_task(rubric=rubric)) == []


def test_a_nonce_that_can_be_known_would_be_found(
    new_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgym_bench.judge._nonce", lambda material: "0123456789abcdef01234567")
    rubric = [{"id": "sense", "criterion": "It makes sense.", "files": ["out/a.md"],
               "levels": {0: "no", 1: "yes"}}]  # fmt: skip
    assert hijack_judge.open_blocks(new_task(rubric=rubric)) == ["sense"]
