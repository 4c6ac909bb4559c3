"""What lint says of tasks that are bad in one way, and that it says nothing of sound ones."""

from typing import Any

import pytest

from clawgym_bench.audit import lint
from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding
from clawgym_bench.audit.lint_dates import wrong_weekdays
from clawgym_bench.audit.lint_paths import named_paths
from clawgym_bench.sandbox import File
from clawgym_bench.task import Task, read_tasks
from clawgym_bench.task.store import make_task
from clawgym_bench.taskset import load_bench
from tests.conftest import FIELDS, MakeTask

CANARY = "clawgym-bench canary 00000000-0000-4000-8000-000000000000"
CHECK = FIELDS["checks"][0]
REQUEST = FIELDS["sessions"][0]["instruction"]


async def findings(task: Task, severity: str = "error") -> list[str]:
    result = await lint.run(Context(task, None))  # type: ignore[arg-type]
    assert result.status == ("failed" if _of(result.findings, "error") else "passed")
    return _of(result.findings, severity)


def _of(found: Any, severity: str) -> list[str]:
    return [one.evidence for one in found if one.severity == severity]


def build(new_task: MakeTask, files: Any = None, request: str = "", **fields: Any) -> Task:
    sessions = [{"instruction": f"{REQUEST}\n\n{request}"}]
    return new_task(files, **{"canary": CANARY, "sessions": sessions, **fields})


def imported(request: str, inputs: dict[str, str], reward: dict[str, str] | None = None) -> Task:
    checks = [{"id": "reward", "cites": "*", "partial": True, "reward": {}}]
    brought = {"check.py": "print(1.0)\n"} if reward is None else reward
    files = {f"workspace/{path}": text for path, text in inputs.items()}
    files |= {f"reward/{path}": text for path, text in brought.items()}
    fields = {
        "id": "task_0001",
        "title": "Imported",
        "category": "imported",
        "sessions": [{"instruction": request}],
        "editable": sorted(inputs),
        "provenance": {"kind": "imported", "licence": ""},
        "checks": checks if brought else [],
    }
    bundle = {path: File(text.encode(), 0o644) for path, text in files.items()}
    return make_task(fields, bundle, "test")


async def test_a_sound_task_has_no_finding(new_task: MakeTask) -> None:
    result = await lint.run(Context(build(new_task), None))  # type: ignore[arg-type]
    assert result.status == "passed"
    assert result.findings == ()
    assert result.figures == {"errors": 0, "warnings": 0, "notes": 0}


@pytest.mark.parametrize("task", list(load_bench()), ids=lambda task: task.id)
async def test_shipped_tasks_pass(task: Task) -> None:
    assert await findings(task) == []


# --- files that the request names ------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "The prices are in `prices.csv`.",
        "Read data/prices.csv first.",
        "The rules are in `docs/rules.md`, please keep to them.",
        "Everything older is in `archive/`.",
        "Compare with every file in `old/*.csv`.",
    ],
)
async def test_a_named_file_that_is_not_there_is_an_error(
    new_task: MakeTask, request_: str
) -> None:
    found = await findings(build(new_task, request=request_))
    assert len(found) == 1
    assert "which does not exist" in found[0]


@pytest.mark.parametrize(
    "request_",
    [
        "Read `./sales.csv` or /workspace/sales.csv.",
        "Put it into `out/`, as out/totals.csv.",
        "Run it as `python3 tool.py sales.csv -o OUT.csv`.",
        "Name copies `YYYY-MM-DD.csv` or <name>.csv.",
        "See https://example.org/prices.csv and mail anna@shop.example.",
        "Use version 2.0 of the format, and/or Node.js with json.loads, e.g. as before.",
        "Amounts are in EUR, 1.50 each; `split_minutes` and `--dry-run` stay.",
    ],
)
async def test_what_exists_or_is_no_path_is_no_finding(new_task: MakeTask, request_: str) -> None:
    task = build(new_task, {"workspace/tool.py": "print()\n"}, request=request_)
    assert await findings(task) == []


async def test_a_missing_file_may_be_declared(new_task: MakeTask) -> None:
    task = build(new_task, request="The prices are in `prices.csv`.", missing=["prices.csv"])
    assert await findings(task) == []
    undeclared = build(new_task, missing=["prices.csv"])
    assert "which no request names" in (await findings(undeclared, "warning"))[0]


async def test_a_file_that_arrives_only_later_is_a_warning(new_task: MakeTask) -> None:
    sessions = [
        {"instruction": f"{REQUEST} See `late.csv`."},
        {"instruction": "Once more, please.", "arrivals": "arrivals/2"},
    ]
    outputs = [{**FIELDS["outputs"][0], "session": 1}]
    task = build(new_task, {"arrivals/2/late.csv": "a\n1\n"}, sessions=sessions, outputs=outputs)
    assert await findings(task) == []
    assert "arrives only later" in (await findings(task, "warning"))[0]


async def test_an_output_outside_the_contract_is_a_warning(new_task: MakeTask) -> None:
    task = build(new_task, request="Also write a summary to `notes/summary.md`.")
    assert await findings(task) == []
    assert "as something to make" in (await findings(task, "warning"))[0]


def test_paths_are_found_once_and_with_their_line() -> None:
    text = "First\n`a b.csv` and c/d.json,\nthen `python3 run.py x.ini -o out/y.json`"
    found = [(named.path, named.line) for named in named_paths(text, 1, "/workspace")]
    assert found == [
        ("a b.csv", 2),
        ("c/d.json", 2),
        ("run.py", 3),
        ("x.ini", 3),
        ("out/y.json", 3),
    ]


# --- checks ----------------------------------------------------------------------------------


async def test_a_check_cites_the_request(new_task: MakeTask) -> None:
    task = build(new_task, checks=[{**CHECK, "cites": "sum by region"}])
    assert any("cites 'sum by region'" in one for one in await findings(task))
    wrapped = build(new_task, checks=[{**CHECK, "cites": "Amounts\n  per VENDOR"}])
    assert await findings(wrapped) == []
    contract = build(new_task, checks=[{**CHECK, "cites": "columns: `vendor`, `total`"}])
    assert await findings(contract) == []


async def test_a_name_that_nobody_tells_is_an_error(new_task: MakeTask) -> None:
    outputs = [{"path": "out/report.json", "format": "json", "keys": ["total"]}]
    data = {"path": "out/report.json", "values": {"grand_sum": 10}}
    task = build(
        new_task,
        {"expected/totals.csv": None},
        outputs=outputs,
        checks=[{"id": "sum", "cites": "Add up", "data": data}],
    )
    assert any("needs 'grand_sum'" in one for one in await findings(task))


async def test_columns_and_keys_of_expected_files_count_as_names(new_task: MakeTask) -> None:
    task = build(new_task, {"expected/totals.csv": "vendor,turnover\nAster,7\nBirch,3\n"})
    assert any("needs 'turnover'" in one for one in await findings(task))
    outputs = [{"path": "out/t.json", "format": "json"}]
    data = {"path": "out/t.json", "equals": "expected/t.json"}
    keyed = build(
        new_task,
        {"expected/totals.csv": None, "expected/t.json": '{"grand_sum": 10}'},
        outputs=outputs,
        checks=[{"id": "sum", "cites": "Add up", "data": data}],
    )
    assert any("needs 'grand_sum'" in one for one in await findings(keyed))


async def test_a_name_of_an_input_is_a_note(new_task: MakeTask) -> None:
    outputs = [{"path": "out/report.md", "format": "markdown"}]
    text = {"path": "out/report.md", "facts": [{"label": "Aster", "value": 7}]}
    task = build(
        new_task,
        {"expected/totals.csv": None},
        outputs=outputs,
        checks=[{"id": "says", "cites": "per vendor", "text": text}],
    )
    assert await findings(task) == []
    assert (await findings(task, "note")) == ["check says needs 'Aster', which only inputs say"]


async def test_synonyms_that_nobody_asked_for_are_a_warning(new_task: MakeTask) -> None:
    outputs = [{"path": "out/report.md", "format": "markdown"}]
    text = {"path": "out/report.md", "contains": [["thrice", "triple", "treble"]]}
    task = build(
        new_task,
        {"expected/totals.csv": None},
        outputs=outputs,
        checks=[{"id": "says", "cites": "per vendor", "text": text}],
    )
    assert await findings(task) == []
    assert "looks for 'thrice'" in (await findings(task, "warning"))[0]


async def test_a_path_that_a_check_reads_is_named(new_task: MakeTask) -> None:
    table = {**CHECK["table"], "path": "elsewhere/sums.csv"}
    task = build(new_task, checks=[{**CHECK, "table": table}])
    assert any("reads elsewhere/sums.csv" in one for one in await findings(task))


async def test_a_file_that_the_judge_reads_is_named(new_task: MakeTask) -> None:
    criterion = {
        "id": "tone",
        "criterion": "Polite.",
        "levels": {0: "no", 1: "yes"},
        "files": ["out/letter.md"],
    }
    found = await findings(build(new_task, rubric=[criterion]))
    assert any("the judge reads out/letter.md" in one for one in found)


async def test_an_output_that_nothing_looks_at_is_a_warning(new_task: MakeTask) -> None:
    outputs = [*FIELDS["outputs"], {"path": "out/log.md", "format": "markdown"}]
    task = build(new_task, outputs=outputs)
    assert any("nothing looks at out/log.md" in one for one in await findings(task, "warning"))


async def test_rounding_finer_than_the_contract_is_an_error(new_task: MakeTask) -> None:
    outputs = [{**FIELDS["outputs"][0], "decimals": 1}]
    table = {**CHECK["table"], "decimals": {"total": 2}}
    task = build(new_task, outputs=outputs, checks=[{**CHECK, "table": table}])
    assert any("to 2 decimal places; the contract asks for 1" in f for f in await findings(task))


async def test_an_order_that_nobody_asked_for_is_an_error(new_task: MakeTask) -> None:
    table = {**CHECK["table"], "sorted_by": ["vendor"]}
    task = build(new_task, checks=[{**CHECK, "table": table}])
    assert any("wants an order" in one for one in await findings(task))
    outputs = [{**FIELDS["outputs"][0], "order": "vendor"}]
    asked = build(new_task, outputs=outputs, checks=[{**CHECK, "table": table}])
    assert await findings(asked) == []


async def test_a_length_that_nobody_names_is_a_warning(new_task: MakeTask) -> None:
    message = {"facts": [{"label": "vendor", "value": 2}], "words": {"max": 90}}
    check = {"id": "answer", "cites": "per vendor", "message": message}
    task = build(new_task, checks=[CHECK, check])
    assert any("by 90, which no request says" in one for one in await findings(task, "warning"))
    named = build(new_task, checks=[CHECK, check], request="In 90 words at most.")
    assert await findings(named, "warning") == []


async def test_a_check_that_already_holds_is_an_error(new_task: MakeTask) -> None:
    text = {"path": "sales.csv", "contains": ["Aster"]}
    task = build(new_task, checks=[CHECK, {"id": "still", "cites": "sales.csv", "text": text}])
    assert any("check still is satisfied before" in one for one in await findings(task))
    gate = {"id": "still", "cites": "sales.csv", "gate": True, "text": text}
    assert await findings(build(new_task, checks=[CHECK, gate])) == []


async def test_the_same_demand_twice_is_an_error(new_task: MakeTask) -> None:
    task = build(new_task, checks=[CHECK, {**CHECK, "id": "again", "weight": 2}])
    assert any("check again demands exactly what totals does" in f for f in await findings(task))


# --- dates -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("due Friday 9 October 2026", ""),
        ("due Thursday 9 October 2026", "is a Friday"),
        ("due Thu, 9 Oct 2026", "is a Friday"),
        ("due Thursday, October 9th, 2026", "is a Friday"),
        ("2026-10-09 (Thursday)", "is a Friday"),
        ("2026-10-09,Friday\n2026-10-10,Friday", "is a Saturday"),
        ("on Thursday\n9 October 2026", "is a Friday"),
        ("2026-10-09, Sat 2026-10-10", ""),
        ("Friday 11 to Sunday 13 June 2027", ""),
        ("Thursday 11 to Sunday 13 June 2027", "is a Friday"),
        ("on Monday, 3 rooms; 2026-02-30", ""),
    ],
)
def test_a_weekday_agrees_with_its_date(text: str, said: str) -> None:
    found = [what for _, what in wrong_weekdays(text)]
    assert [said in what for what in found] == ([True] if said else [])


async def test_wrong_weekdays_in_requests_are_errors_and_in_inputs_warnings(
    new_task: MakeTask,
) -> None:
    wrong = "We meet on Thursday 9 October 2026."
    assert "is a Friday" in (await findings(build(new_task, request=wrong)))[0]
    task = build(new_task, {"workspace/note.md": f"Hello\n{wrong}\n"})
    result = await lint.run(Context(task, None))  # type: ignore[arg-type]
    assert [(one.severity, one.file, one.line) for one in result.findings] == [
        ("warning", "note.md", 2)
    ]


async def test_a_weekday_without_a_year_is_held_against_the_years_named(
    new_task: MakeTask,
) -> None:
    task = build(new_task, request="Today is 2026-10-05. Due Thursday 9 October.")
    assert any("no such weekday in 2026" in one for one in await findings(task, "warning"))
    right = build(new_task, request="Today is 2026-10-05. Due Friday 9 October.")
    assert await findings(right, "warning") == []


# --- the workspace ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        "src/__pycache__/tool.cpython-311.pyc",
        ".pytest_cache/README.md",
        "data/.DS_Store",
        "notes.txt~",
        "answer.csv",
        "answers/totals.csv",
        "solution.md",
        "expected/totals.csv",
        "ground_truth.json",
        "check.sh.d/verifier.py",
        "generate_data.py",
    ],
)
async def test_leftovers_and_answers_in_the_workspace_are_errors(
    new_task: MakeTask, path: str
) -> None:
    found = await findings(build(new_task, {f"workspace/{path}": "something\n"}))
    assert len(found) == 1


@pytest.mark.parametrize("path", [".gitignore", "src/generator.md", "tests/test_answers_page.py"])
async def test_ordinary_files_are_no_finding(new_task: MakeTask, path: str) -> None:
    assert await findings(build(new_task, {f"workspace/{path}": "something\n"})) == []


async def test_a_suspicious_name_that_the_request_speaks_of_is_a_note(
    new_task: MakeTask,
) -> None:
    task = build(new_task, {"workspace/solution.md": "x\n"}, request="Look into `solution.md`.")
    assert await findings(task) == []
    assert "the task speaks of it" in (await findings(task, "note"))[0]


async def test_a_dot_file_without_a_reason_is_a_warning(new_task: MakeTask) -> None:
    task = build(new_task, {"workspace/.secret": "x\n"})
    assert ".secret is hidden" in (await findings(task, "warning"))[0]


@pytest.mark.parametrize(
    "content",
    [
        "vendor,total\nAster,7\nBirch,3\nCedar,11\n",
        'Total,Vendor\r\n11.0,Cedar\r\n"7",aster\r\n3,Birch\r\n',
    ],
)
async def test_the_expected_table_in_the_workspace_is_an_error(
    new_task: MakeTask, content: str
) -> None:
    files = {
        "expected/totals.csv": "vendor,total\nAster,7\nBirch,3\nCedar,11\n",
        "workspace/old/sums.csv": content,
    }
    found = await findings(build(new_task, files))
    assert found == ["old/sums.csv has the content of expected/totals.csv"]


async def test_a_script_that_speaks_of_expected_files_is_an_error(new_task: MakeTask) -> None:
    script = "open('expected/totals.csv', 'w').write('x')\n"
    found = await findings(build(new_task, {"workspace/tool.py": script}))
    assert found == ["tool.py speaks of expected/totals.csv"]


async def test_an_output_in_the_place_of_an_input_is_an_error(new_task: MakeTask) -> None:
    outputs = [{"path": "sales.csv", "format": "csv", "columns": ["vendor", "total"]}]
    table = {**CHECK["table"], "path": "sales.csv"}
    fields: dict[str, Any] = {"outputs": outputs, "checks": [{**CHECK, "table": table}]}
    found = await findings(build(new_task, **fields))
    assert any("is an input that must stay as it is" in one for one in found)
    assert await findings(build(new_task, editable=["sales.csv"], **fields)) == []


async def test_an_output_below_a_file_is_an_error(new_task: MakeTask) -> None:
    found = await findings(build(new_task, {"workspace/out": "a file\n"}))
    assert found == ["out/totals.csv cannot be made: out is there"]


async def test_inputs_leave_room_for_the_work(new_task: MakeTask) -> None:
    task = build(new_task, {"workspace/big.bin": b"x" * 10 * 2**20}, limits={"disk_mb": 16})
    assert any("more than half of limits.disk_mb" in one for one in await findings(task))


# --- programs and network --------------------------------------------------------------------


async def test_required_programs_are_those_of_the_image(new_task: MakeTask) -> None:
    there = ["git", "sqlite3", "openpyxl", "python3-pandas", "yaml", "awk", "difflib", "node"]
    assert await findings(build(new_task, requires=there)) == []
    found = await findings(build(new_task, requires=["ffmpeg", "torch"]))
    assert ["ffmpeg" in found[0], "torch" in found[1]] == [True, True]


async def test_programs_of_the_task_import_what_the_image_has(new_task: MakeTask) -> None:
    script = "import json\nimport polars\ntry:\n    import ujson\nexcept ImportError:\n    pass\n"
    found = await findings(build(new_task, {"solution/run.py": script}))
    assert found == ["solution/run.py imports polars, which the image has not"]


@pytest.mark.parametrize(
    ("request_", "severity"),
    [
        ("Download the rates from https://api.exchange.io/latest and use them.", "error"),
        ("Search the web for the prices.", "error"),
        ("Our page is https://shop.io/about (for the footer).", "warning"),
        ("Do not search the web, and do not open https://shop.io/.", "warning"),
        ("The page is https://shop.example/about.", ""),
    ],
)
async def test_live_pages_are_reported(new_task: MakeTask, request_: str, severity: str) -> None:
    task = build(new_task, request=request_)
    assert bool(await findings(task)) == (severity == "error")
    assert bool(await findings(task, "warning")) == (severity == "warning")


async def test_a_recorded_page_is_no_finding(new_task: MakeTask) -> None:
    index = "pages:\n- {url: 'https://shop.io/prices', file: p.html, title: Prices}\n"
    files = {"web/index.yaml": index, "web/p.html": "<p>Aster 7</p>"}
    task = build(new_task, files, request="Search the web; open https://shop.io/prices.")
    assert await findings(task) == []


# --- the mark, and imported tasks ------------------------------------------------------------


async def test_an_authored_task_has_a_canary_that_the_request_does_not_show(
    new_task: MakeTask,
) -> None:
    assert await findings(build(new_task, canary="")) == ["the task has no canary"]
    assert await findings(build(new_task, request=CANARY)) == ["the request shows the canary"]
    composed = build(new_task, canary="", provenance={"kind": "composed"})
    assert await findings(composed) == []


async def test_a_sound_imported_task_passes() -> None:
    task = imported("Read input/a.csv and write output/b.json.", {"input/a.csv": "a\n1\n"})
    assert await findings(task) == []
    assert await findings(task, "warning") == []


async def test_an_imported_task_names_inputs_that_exist() -> None:
    inputs = {"input/a.csv": "a\n1\n"}
    task = imported("Use input/a.csv and input/b.csv to write output/c.json.", inputs)
    assert await findings(task) == ["session 1 names input/b.csv, which does not exist"]


async def test_an_imported_task_has_a_checker_that_the_agent_does_not_see() -> None:
    bare = imported("Do it.", {"a.txt": "a\n"}, reward={})
    assert "there is no checker" in (await findings(bare))[0]
    checker = "import sys\n\nprint(1.0 if sys.argv else 0.0)\n"
    shown = imported("Do it.", {"lib/c.py": checker}, reward={"check.py": checker})
    assert await findings(shown) == [
        "the agent is given lib/c.py, which is reward/check.py of the checker"
    ]


@pytest.mark.parametrize(
    "checker",
    ["import requests\n", "import subprocess\nsubprocess.run('curl https://x.io', shell=True)\n"],
)
async def test_a_checker_that_reaches_for_the_network_is_reported(checker: str) -> None:
    found = await findings(imported("Do it.", {"a.txt": "a\n"}, {"check.py": checker}))
    assert any("reaches for the network" in one for one in found)


async def test_real_imported_requests_name_no_file_that_is_missing(samples: Any) -> None:
    for task in read_tasks(samples):
        assert await findings(task) == [
            "there is no checker: neither reward/reward.sh nor reward/check.py"
        ], task.id


async def test_many_findings_of_a_kind_are_counted(new_task: MakeTask) -> None:
    many = {f"workspace/c/{n}.pyc": "x" for n in range(lint.FINDINGS + 5)}
    result = await lint.run(Context(build(new_task, many), None))  # type: ignore[arg-type]
    assert len(result.findings) == lint.FINDINGS + 1
    assert Finding("error", "and 5 more of this kind") in result.findings


async def test_lint_says_the_same_every_time(new_task: MakeTask) -> None:
    task = build(new_task, {"workspace/.git/x": "x", "workspace/answer.md": "y"}, canary="")
    first, again = [await lint.run(Context(task, None)) for _ in range(2)]  # type: ignore[arg-type]
    assert first == again
