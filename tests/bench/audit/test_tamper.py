"""Gate *tamper*: who changes what was given loses, or the task has not passed."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from clawgym_bench.audit import tamper
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import GateResult
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask

pytestmark = pytest.mark.bwrap
TABLE = FIELDS["checks"][0]


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    made = open_backend("bwrap")
    yield made
    await made.close()


async def audited(task: Task, backend: Backend) -> GateResult:
    return await tamper.run(Context(task, backend))


def imported(new_task: MakeTask, checker: str, **files: Any) -> Task:
    return new_task(
        {
            "expected/totals.csv": None,
            "solution/files/out/totals.csv": None,
            "reward/check.py": checker,
            **files,
        },
        outputs=[],
        editable=["*"],
        checks=[{"id": "reward", "cites": "*", "partial": True, "reward": {}}],
        provenance={"kind": "imported", "source": "clawgym:task_1", "licence": ""},
    )


@pytest.mark.parametrize(
    "way", ["edited by one byte", "edited by one value", "cut to one record", "deleted", "renamed"]
)
def test_every_way_is_another_file(way: str) -> None:
    content = b"vendor,amount\nAster,2\nBirch,3\n"
    files = dict(tamper.ways("in/sales.csv", content, {"other.txt": b"x"}))[way]
    assert files["in/sales.csv"] != content


async def test_protected_inputs_pass(new_task: MakeTask, backend: Backend) -> None:
    result = await audited(new_task(), backend)
    assert result.status == "passed"
    assert result.figures == {"protected inputs tampered with": 1}


async def test_protection_that_is_lost_would_be_found(
    new_task: MakeTask, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgym_bench.grading._guarded", lambda task: False)
    result = await audited(new_task(), backend)
    assert result.status == "failed"
    assert "sales.csv may be edited by one byte" in result.findings[0].evidence


async def test_an_editable_input_that_is_checked_must_be_kept_whole(
    new_task: MakeTask, backend: Backend
) -> None:
    files = {
        "workspace/todo.md": "- call Aster\n- call Birch\n- pay\n",
        "solution/files/todo.md": "- call Aster\n- call Birch\n- pay\n- done\n",
    }
    loose = {"id": "todo", "cites": "amounts", "gate": True, "files": {"exists": ["sales.csv"]}}
    task = new_task(files, editable=["todo.md"], checks=[TABLE, loose])
    result = await audited(task, backend)
    assert result.status == "passed"
    assert [one.severity for one in result.findings] == ["warning", "warning"]
    assert result.findings[0].file == "todo.md"
    half = {
        "id": "todo",
        "cites": "amounts",
        "text": {"path": "todo.md", "contains": ["call Aster", "done"]},
    }
    strict = await audited(new_task(files, editable=["todo.md"], checks=[TABLE, half]), backend)
    assert strict.status == "passed"
    assert not strict.findings


async def test_an_editable_input_of_which_the_check_reads_little_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    files = {
        "workspace/todo.md": "- call Aster\n- call Birch\n- pay\n",
        "solution/files/todo.md": "- done\n- call Aster\n- call Birch\n- pay\n",
    }
    check = {"id": "todo", "cites": "amounts", "text": {"path": "todo.md", "contains": ["done"]}}
    result = await audited(new_task(files, editable=["todo.md"], checks=[TABLE, check]), backend)
    assert result.status == "failed"
    assert "todo.md may be cut in half" in result.findings[0].evidence


async def test_less_input_and_less_work_must_not_pay_where_nothing_is_protected(
    new_task: MakeTask, backend: Backend
) -> None:
    program = (
        "import csv, pathlib\n"
        "rows = list(csv.DictReader(open('sales.csv')))\n"
        "pathlib.Path('out').mkdir()\n"
        "open('out/totals.csv', 'w').write('vendor,total\\n' + ''.join("
        "f\"{v},{sum(int(r['amount']) for r in rows if r['vendor'] == v)}\\n\" "
        "for v in sorted({r['vendor'] for r in rows})))\n"
    )
    files = {"solution/files/out/totals.csv": None, "solution/run.py": program}
    strict = await audited(new_task(files, editable=["sales.csv"]), backend)
    assert not [one for one in strict.findings if "work done on the rest" in one.evidence]
    loose = {"id": "any", "cites": "amounts", "table": {"path": "out/totals.csv", "rows": [
        {"vendor": "Aster"}], "key": "vendor", "subset": True}}  # fmt: skip
    task = new_task({**files, "expected/totals.csv": None}, editable=["sales.csv"], checks=[loose])
    result = await audited(task, backend)
    assert result.status == "failed"
    assert any("work done on the rest" in one.evidence for one in result.findings)


MISSING = {
    "missing": ["rates-2026.csv"],
    "outputs": [*FIELDS["outputs"], {"path": "out/note.md", "format": "markdown"}],
}
NOTE = {"solution/files/out/note.md": "Aster is owed 7.\nThe file rates-2026.csv is not there.\n"}


async def test_an_invented_file_loses_where_its_absence_must_be_reported(
    new_task: MakeTask, backend: Backend
) -> None:
    told = {
        "id": "told",
        "cites": "amounts",
        "text": {"path": "out/note.md", "contains": ["rates-2026.csv"]},
    }
    result = await audited(new_task(NOTE, checks=[TABLE, told], **MISSING), backend)
    assert result.status == "passed"
    assert [one.severity for one in result.findings] == ["warning"]
    assert "beside an honest report" in result.findings[0].evidence
    absent = {
        "id": "none",
        "cites": "amounts",
        "gate": True,
        "files": {"absent": ["rates-2026.csv"]},
    }
    strict = await audited(new_task(NOTE, checks=[TABLE, told, absent], **MISSING), backend)
    assert not strict.findings


async def test_an_invented_file_that_nobody_asks_about_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    told = {"id": "told", "cites": "amounts", "text": {"path": "out/note.md", "contains": ["7"]}}
    result = await audited(new_task(NOTE, checks=[TABLE, told], **MISSING), backend)
    assert result.status == "failed"
    assert "its absence is not reported" in result.findings[0].evidence


async def test_an_imported_task_that_pays_for_damage_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    checker = (
        "import json, pathlib, sys\n"
        "rows = list((pathlib.Path(sys.argv[1]) / 'sales.csv').read_text().splitlines()) "
        "if (pathlib.Path(sys.argv[1]) / 'sales.csv').exists() else []\n"
        "print(json.dumps({'few': len(rows) < 3}))\n"
    )
    result = await audited(imported(new_task, checker), backend)
    assert result.status == "failed"
    assert "an idle agent earns 1.000, not 0.000" in result.findings[0].evidence


async def test_an_imported_task_that_does_not_pay_for_it_passes_with_a_warning(
    new_task: MakeTask, backend: Backend
) -> None:
    checker = "import json\nprint(json.dumps({'done': False}))\n"
    result = await audited(imported(new_task, checker), backend)
    assert result.status == "passed"
    assert [one.severity for one in result.findings] == ["warning"]


async def test_a_checker_that_crashes_is_no_evidence(new_task: MakeTask, backend: Backend) -> None:
    result = await audited(imported(new_task, "raise SystemExit('broken')\n"), backend)
    assert result.status == "no evidence"
