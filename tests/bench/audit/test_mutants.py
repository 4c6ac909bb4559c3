"""Gate *mutants*: seeded errors in the reference cost points, or the task has not passed."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from clawgym_bench.audit import mutants
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import GateResult
from clawgym_bench.checks import Evidence
from clawgym_bench.grading import Verdict
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask

pytestmark = pytest.mark.bwrap

TABLE = FIELDS["checks"][0]
LETTER = "solution/files/out/letter.md"
FACTS = [{"label": "Aster", "value": 7, "near": "sentence"}]


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    made = open_backend("bwrap")
    yield made
    await made.close()


async def audited(task: Task, backend: Backend, **options: Any) -> GateResult:
    return await mutants.run(Context(task, backend), **options)


def text_check(**body: Any) -> dict[str, Any]:
    return {
        "id": "letter",
        "cites": "amounts per vendor",
        "text": {"path": "out/letter.md", **body},
    }


def with_letter(new_task: MakeTask, text: str, *checks: Any, **fields: Any) -> Task:
    files = fields.pop("files", {})
    outputs = [*FIELDS["outputs"], {"path": "out/letter.md", "format": "markdown"}]
    return new_task({LETTER: text, **files}, outputs=outputs, checks=[TABLE, *checks], **fields)


async def test_a_table_that_is_compared_whole_passes(new_task: MakeTask, backend: Backend) -> None:
    result = await audited(new_task(), backend)
    assert result.status == "passed"
    assert result.figures["number digit tried"] == result.figures["number digit caught"] > 0
    assert result.figures["row dropped caught"] == 2
    assert not result.findings


async def test_a_table_of_which_only_the_heading_is_looked_at_fails(
    new_task: MakeTask, backend: Backend
) -> None:
    check = {**TABLE, "table": {"path": "out/totals.csv", "row_count": 2, "columns": ["total"]}}
    result = await audited(new_task({"expected/totals.csv": None}, checks=[check]), backend)
    assert result.status == "failed"
    assert "errors in data cost points, 95% must" in result.findings[0].evidence
    survivor = next(one for one in result.findings if "number digit" in one.evidence)
    assert (survivor.file, survivor.severity) == ("out/totals.csv", "warning")
    assert "→" in survivor.evidence
    assert survivor.line in (2, 3)


async def test_order_is_broken_only_where_order_is_asked(
    new_task: MakeTask, backend: Backend
) -> None:
    free = await audited(new_task(), backend)
    assert "order broken tried" not in free.figures
    outputs = [{**FIELDS["outputs"][0], "order": "vendor"}]
    asked = await audited(new_task(outputs=outputs), backend)
    assert asked.figures["order broken tried"] == 1
    assert asked.figures["order broken caught"] == 0
    table = {**TABLE["table"], "sorted_by": ["vendor"]}
    kept = await audited(new_task(outputs=outputs, checks=[{**TABLE, "table": table}]), backend)
    assert kept.figures["order broken caught"] == 1


async def test_a_column_that_nobody_asked_for_is_not_spoilt(
    new_task: MakeTask, backend: Backend
) -> None:
    more = "vendor,total,remark\nAster,7,1\nBirch,3,2\n"
    result = await audited(new_task({"solution/files/out/totals.csv": more}), backend)
    assert result.status == "passed"
    assert result.figures["field renamed tried"] == 2


async def test_a_fact_in_prose_must_be_checked(new_task: MakeTask, backend: Backend) -> None:
    said = "We owe 7 euros to Aster.\n"
    loose = await audited(with_letter(new_task, said, text_check(contains=["Aster"])), backend)
    assert loose.status == "failed"
    assert any("fact digit costs nothing: 7" in one.evidence for one in loose.findings)
    strict = await audited(with_letter(new_task, said, text_check(facts=FACTS)), backend)
    assert strict.status == "passed"
    assert strict.figures["fact digit caught"] == 1


async def test_exchanged_facts_are_noticed_by_facts_and_not_by_phrases(
    new_task: MakeTask, backend: Backend
) -> None:
    said = "Aster gets 70 euros. Birch gets 30 euros.\n"
    phrases = text_check(contains=["Aster", "Birch", "70", "30"])
    loose = await audited(with_letter(new_task, said, phrases), backend)
    assert loose.figures["facts exchanged tried"] == 1
    assert loose.figures["facts exchanged caught"] == 0
    facts = [{"label": "Aster", "value": 70}, {"label": "Birch", "value": 30}]
    strict = await audited(with_letter(new_task, said, text_check(facts=facts)), backend)
    assert strict.figures["facts exchanged caught"] == 1


async def test_an_aside_that_another_right_answer_leaves_out_does_not_count(
    new_task: MakeTask, backend: Backend
) -> None:
    said = "We owe 7 euros to Aster. The office closes at 17:30 on 4 May 2026.\n"
    check = text_check(facts=FACTS)
    alone = await audited(with_letter(new_task, said, check), backend)
    assert alone.figures["fact date tried"] == 2
    variant = {"variants/short/files/out/letter.md": "Aster is owed seven euros.\n"}
    beside = await audited(with_letter(new_task, said, check, files=variant), backend)
    assert "fact date tried" not in beside.figures
    assert beside.figures["fact digit tried"] == 1


async def test_rounding_that_a_fact_allows_is_no_error(
    new_task: MakeTask, backend: Backend
) -> None:
    said = "Aster is owed 123.45 euros.\n"
    facts = [{"label": "Aster", "value": 123.449, "decimals": 0}]
    result = await audited(with_letter(new_task, said, text_check(facts=facts)), backend)
    assert result.figures["fact digit caught"] == result.figures["fact digit tried"] == 1


async def test_wording_is_reported_without_a_judge_and_gated_with_one(
    new_task: MakeTask, backend: Backend
) -> None:
    said = "It is known that we owe 7 euros to Aster, and nobody else will be paid by us.\n"
    rubric = [
        {"id": "sense", "criterion": "It makes sense.", "files": ["out/letter.md"],
         "levels": {0: "no", 1: "yes"}}
    ]  # fmt: skip
    task = with_letter(new_task, said, text_check(facts=FACTS), rubric=rubric)
    alone = await audited(task, backend)
    assert alone.status == "passed"
    assert alone.figures["paragraph added tried"] == 1
    assert any(one.severity == "note" and "negated" in one.evidence for one in alone.findings)

    async def blind(task: Task, evidence: Evidence) -> list[Verdict]:
        return [Verdict("sense", 1.0)]

    async def keen(task: Task, evidence: Evidence) -> list[Verdict]:
        same = evidence.snapshot.files["out/letter.md"].decode() == said
        return [Verdict("sense", float(same))]

    assert (await audited(task, backend, judge=blind)).status == "failed"
    judged = await audited(task, backend, judge=keen)
    assert judged.status == "passed"
    assert judged.figures["words shuffled caught"] == judged.figures["words shuffled tried"]


async def test_a_final_message_is_spoilt_where_a_check_reads_it(
    new_task: MakeTask, backend: Backend
) -> None:
    message = {"solution/message.md": "Aster gets 7 euros."}
    unread = await audited(new_task(message), backend)
    assert "fact digit tried" not in unread.figures
    check = {"id": "said", "cites": "amounts", "message": {"contains": ["Aster"]}}
    read = await audited(new_task(message, checks=[TABLE, check]), backend)
    survivor = next(one for one in read.findings if "fact digit" in one.evidence)
    assert survivor.file == "final message of session 1"


async def test_programs_are_run_and_reported_but_not_gated(
    new_task: MakeTask, backend: Backend
) -> None:
    command = {
        "id": "runs",
        "cites": "amounts per vendor",
        "command": {
            "run": ["python3", "add.py"],
            "cases": [
                {"args": ["2", "3"], "expect": [{"text": {"path": "@stdout", "equals": "5"}}]}
            ],
        },
    }  # fmt: skip
    program = "import sys\nprint(int(sys.argv[1]) + int(sys.argv[2]))\nunused = 1 == 2\n"
    task = new_task(
        {"solution/files/add.py": program, "solution/files/out/totals.csv": None,
         "expected/totals.csv": None},
        outputs=[{"path": "add.py", "format": "python"}],
        checks=[command],
    )  # fmt: skip
    result = await audited(task, backend)
    assert result.status == "passed"
    assert 0 < result.figures["program changed caught"] < result.figures["program changed tried"]


async def test_without_a_reference_there_is_no_evidence(
    new_task: MakeTask, backend: Backend
) -> None:
    result = await audited(new_task({"solution/files/out/totals.csv": None}), backend)
    assert result.status == "no evidence"


async def test_the_same_seed_gives_the_same_findings(new_task: MakeTask, backend: Backend) -> None:
    check = {**TABLE, "table": {"path": "out/totals.csv", "row_count": 2}}
    task = new_task({"expected/totals.csv": None}, checks=[check])
    first, second = await audited(task, backend), await audited(task, backend)
    assert (first.findings, first.figures) == (second.findings, second.figures)
