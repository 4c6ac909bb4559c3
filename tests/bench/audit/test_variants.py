"""The gate *variants* on tasks that accept right answers, and on some that do not."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from clawgym_bench.audit import variants
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import GateResult
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task
from clawgym_bench.taskset import load_bench
from tests.conftest import FIELDS, MakeTask

pytestmark = pytest.mark.bwrap

CHECK = FIELDS["checks"][0]


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    made = open_backend("bwrap")
    yield made
    await made.close()


async def audit(task: Task, backend: Backend) -> GateResult:
    return await variants.run(Context(task, backend))


def report_task(new_task: MakeTask, report: str, text: dict[str, Any], **fields: Any) -> Task:
    """A task whose reference delivers one Markdown file."""
    return new_task(
        {
            "expected/totals.csv": None,
            "solution/files/out/totals.csv": None,
            "solution/files/out/report.md": report,
        },
        **{
            "outputs": [{"path": "out/report.md", "format": "markdown"}],
            "checks": [{"id": "says", "cites": "per vendor", **text}],
            **fields,
        },
    )


async def test_a_tolerant_task_passes_with_every_form_accepted(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await audit(new_task(), backend)
    assert result.status == "passed"
    assert len(result.figures) >= 6
    assert set(result.figures.values()) == {1.0}


async def test_a_task_without_a_reference_has_no_evidence(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await audit(new_task({"solution/files/out/totals.csv": None}), backend)
    assert result.status == "no evidence"


async def test_a_reference_that_fails_is_told_once(new_task: MakeTask, backend: Backend) -> None:
    task = new_task({"solution/files/out/totals.csv": "vendor,total\nAster,1\nBirch,3\n"})
    result = await audit(task, backend)
    assert result.status == "failed"
    (finding,) = result.findings
    assert "the reference fails (0.000: totals" in finding.evidence


async def test_shipped_variants_are_played(new_task: MakeTask, backend: Backend) -> None:
    right = {"variants/semi/files/out/totals.csv": "vendor;total\nBirch;3\nAster;7\n"}
    result = await audit(new_task(right), backend)
    assert (result.status, result.figures["variant semi"]) == ("passed", 1.0)
    wrong = {"variants/off/files/out/totals.csv": "vendor,total\nBirch,3\nAster,8\n"}
    result = await audit(new_task(wrong), backend)
    assert (result.status, result.figures["variant off"]) == ("failed", 0.0)
    assert result.findings[0].file == "variants/off"
    assert "total 7 wanted, found 8" in result.findings[0].evidence


async def test_a_byte_exact_check_is_found_with_form_file_and_reason(
    new_task: MakeTask, backend: Backend
) -> None:
    text = {"path": "out/totals.csv", "equals_file": "expected/totals.csv"}
    task = new_task(checks=[{"id": "same", "cites": "per vendor", "text": text}])
    result = await audit(task, backend)
    assert result.status == "failed"
    quoted = next(one for one in result.findings if "all cells quoted" in one.evidence)
    assert quoted.file == "out/totals.csv"
    assert "earns 0.000: same: out/totals.csv: line 1" in quoted.evidence
    assert result.figures["form all cells quoted"] == 0.0
    assert result.figures["form other line ends"] == 1.0


async def test_an_exact_column_that_nobody_asked_for_is_found(
    new_task: MakeTask, backend: Backend
) -> None:
    files = {
        "workspace/sales.csv": "vendor,amount\nAster,2000.10\nBirch,3.00\nAster,5.40\n",
        "expected/totals.csv": "vendor,total\nAster,2005.50\nBirch,3.00\n",
        "solution/files/out/totals.csv": "vendor,total\nAster,2005.50\nBirch,3.00\n",
    }
    table = {**CHECK["table"], "exact": ["total"]}
    strict = new_task(files, checks=[{**CHECK, "table": table}])
    result = await audit(strict, backend)
    rejected = {name for name, share in result.figures.items() if share < 1}
    assert rejected == {"form numbers 1,234.50", "form numbers 1234.5"}
    assert (await audit(new_task(files), backend)).status == "passed"


async def test_the_order_of_records_counts_only_where_it_was_asked_for(
    new_task: MakeTask, backend: Backend
) -> None:
    body = '[{"vendor": "Aster", "total": 7}, {"vendor": "Birch", "total": 3}]'
    files = {
        "expected/totals.csv": None,
        "solution/files/out/totals.csv": None,
        "expected/totals.json": body,
        "solution/files/out/totals.json": body,
    }
    output = {"path": "out/totals.json", "format": "json", "keys": ["vendor", "total"]}
    data = {"path": "out/totals.json", "equals": "expected/totals.json"}
    checks = [{"id": "totals", "cites": "per vendor", "data": data}]
    silent = await audit(new_task(files, outputs=[output], checks=checks), backend)
    assert silent.figures["form records in another order"] == 0.0
    asked = new_task(files, outputs=[{**output, "order": "vendor"}], checks=checks)
    assert "form records in another order" not in (await audit(asked, backend)).figures
    free = [{**checks[0], "data": {**data, "unordered": True}}]
    assert (await audit(new_task(files, outputs=[output], checks=free), backend)).status == "passed"


async def test_a_heading_by_pattern_is_found(new_task: MakeTask, backend: Backend) -> None:
    report = "## Totals\n\n- Aster: 7\n- Birch: 3\n"
    strict = {"text": {"path": "out/report.md", "patterns": ["^## Totals$"]}}
    result = await audit(report_task(new_task, report, strict), backend)
    rejected = {name for name, share in result.figures.items() if share < 1}
    assert {"form headings bold", "form headings plain", "form headings deeper"} <= rejected
    section = {"heading": "Totals", "facts": [{"label": "Aster", "value": 7}]}
    tolerant = {"markdown": {"path": "out/report.md", "sections": [section]}}
    assert (await audit(report_task(new_task, report, tolerant), backend)).status == "passed"


async def test_the_message_has_forms_as_well(new_task: MakeTask, backend: Backend) -> None:
    message = {"patterns": [r"\A- Aster: 7"]}
    task = new_task(
        {"solution/message.md": "- Aster: 7\n- Birch: 3\n"},
        checks=[CHECK, {"id": "answer", "cites": "per vendor", "message": message}],
    )
    result = await audit(task, backend)
    bullets = [one for one in result.findings if "bullets" in one.evidence]
    assert {one.file for one in bullets} == {"the final message of session 1"}
    assert result.figures["form bullets *"] == 0.0


async def test_only_the_file_that_loses_is_named(new_task: MakeTask, backend: Backend) -> None:
    other = {"path": "out/other.csv", "equals_file": "expected/totals.csv"}
    task = new_task(
        {"solution/files/out/other.csv": "vendor,total\nAster,7\nBirch,3\n"},
        outputs=[*FIELDS["outputs"], {"path": "out/other.csv", "format": "csv"}],
        checks=[CHECK, {"id": "other", "cites": "per vendor", "text": other}],
    )
    result = await audit(task, backend)
    assert {one.file for one in result.findings} == {"out/other.csv"}
    assert result.figures["form all cells quoted"] == 0.5


READER = """import csv
import sys

rows = list(csv.reader(open(sys.argv[1], encoding="utf-8-sig")))
print("\\n".join(sorted(";".join(row) for row in rows)))
"""
NAIVE = """import sys

print(open(sys.argv[1], newline="").read().replace(",", ";"))
"""


@pytest.mark.parametrize(("driver", "status"), [(READER, "passed"), (NAIVE, "failed")])
async def test_what_a_driver_makes_of_other_forms_is_run(
    new_task: MakeTask, backend: Backend, driver: str, status: str
) -> None:
    command = {
        "run": ["python3", "-I", "{hidden}/driver.py", "out/totals.csv"],
        "hidden": ["hidden/driver.py"],
        "cases": [
            {"expect": [{"text": {"path": "@stdout", "contains": ["Aster;7", "vendor;total"]}}]}
        ],
    }
    task = new_task(
        {"hidden/driver.py": driver, "expected/totals.csv": None},
        checks=[{"id": "run", "cites": "per vendor", "command": command}],
        outputs=[{**FIELDS["outputs"][0], "order": "vendor"}],
    )
    result = await audit(task, backend)
    assert result.status == status
    if status == "failed":
        assert {name for name, share in result.figures.items() if share < 1} == {
            "form all cells quoted"
        }


async def test_the_gate_says_the_same_every_time(new_task: MakeTask, backend: Backend) -> None:
    assert await audit(new_task(), backend) == await audit(new_task(), backend)


@pytest.mark.parametrize("task", list(load_bench()), ids=lambda task: task.id)
async def test_shipped_tasks_accept_every_form(task: Task, backend: Backend) -> None:
    result = await audit(task, backend)
    assert [one.evidence for one in result.findings if one.severity == "error"] == []
    assert result.status == "passed"
