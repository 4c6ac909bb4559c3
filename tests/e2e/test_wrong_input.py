"""A tour of mistakes: each gets a message that says what, where and what to do; no traceback."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgym_bench.task import write_folder, write_lines
from clawgym_data.__main__ import EXTRA
from tests.conftest import FIELDS, MakeTask

BIN = Path(sys.executable).parent
CHECK = FIELDS["checks"][0]


def call(*command: str, cwd: Path, **env: str) -> tuple[int, str]:
    """Exit code and everything printed, as a user sees it."""
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", "INSPECT_DISPLAY": "plain", **env},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def said(text: str, *parts: str) -> None:
    flat = " ".join(text.split())
    for part in parts:
        assert part in flat, f"{part!r} is not in:\n{text}"
    assert "Traceback" not in text


BAD_FIELDS: list[tuple[dict[str, object], tuple[str, ...]]] = [
    ({"title": None}, ("title",)),
    ({"colour": "red"}, ("colour: unknown field",)),
    ({"sessions": []}, ("sessions",)),
    (
        {"checks": [{"id": "a", "cites": "b", "text": {"path": "a", "patterns": ["(unclosed"]}}]},
        ("checks[0].text.patterns", "(unclosed"),
    ),
    (
        {"checks": [{"id": "a", "cites": "b", "data": {"path": "a.json", "values": {"a[": 1}}}]},
        ("checks[0].data", "a["),
    ),
    ({"checks": [{"id": "a", "cites": "b", "tabel": {}}]}, ("exactly one of",)),
    ({"checks": [{**CHECK, "weight": -1}]}, ("checks[0].weight", "greater than 0")),
    ({"limits": {"seconds": 1}}, ("limits.seconds", "greater than or equal to 10")),
    ({"outputs": [{"path": "../out.csv", "format": "csv"}]}, ("outputs[0].path", "leads out")),
    ({"editable": ["/etc/*"]}, ("editable[0]", "absolute")),
]


@pytest.mark.parametrize(("bent", "parts"), BAD_FIELDS)
def test_a_bent_field_is_named_with_its_value(
    tmp_path: Path, bent: dict[str, object], parts: tuple[str, ...]
) -> None:
    line = {**FIELDS, "files": {"expected/totals.csv": "vendor,total\n"}, **bent}
    (tmp_path / "set.jsonl").write_text(json.dumps(line) + "\n")
    code, text = call("clawgym-bench", "tasks", "validate", "set.jsonl", cwd=tmp_path)
    assert code == 1
    said(text, "set.jsonl, line 1", *parts, "0 valid, 1 invalid")


def test_validate_goes_on_behind_an_invalid_task(new_task: MakeTask, tmp_path: Path) -> None:
    write_lines([new_task(), new_task(id="b")], str(tmp_path / "set.jsonl"))
    with (tmp_path / "set.jsonl").open("a") as out:
        out.write("{broken\n")
    code, text = call("clawgym-bench", "tasks", "validate", "set.jsonl", cwd=tmp_path)
    assert code == 1
    said(text, "line 3", "not JSON", "2 valid, 1 invalid")


def test_validate_finds_checks_that_hold_before_anything_is_done(
    new_task: MakeTask, tmp_path: Path
) -> None:
    vacuous = {"id": "v", "cites": "b", "text": {"path": "sales.csv", "contains": ["Birch"]}}
    write_folder(new_task(checks=[CHECK, vacuous]), tmp_path)
    code, text = call("clawgym-bench", "tasks", "validate", ".", cwd=tmp_path)
    assert code == 1
    said(text, "satisfied before anything is done: v", "set `gate: true`")


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (("tasks", "show", "no-such-task"), ("no task no-such-task", "tasks list")),
        (("tasks", "list", "--path", "nowhere"), ("nowhere", "no such task set")),
        (("tasks", "list", "--category", "sports"), ("no task in category 'sports'", "there are")),
        (("tasks", "schema", "tusk"), ("no schema 'tusk'", "task, line")),
        (("regrade", "nowhere.eval"), ("nowhere.eval", "cannot be read")),
        (("demo", "--sandbox", "jail"), ("no sandbox 'jail'", "docker, bwrap")),
        (("frobnicate",), ("No such command",)),
    ],
)
def test_commands_say_what_is_wrong(
    tmp_path: Path, command: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    code, text = call("clawgym-bench", *command, cwd=tmp_path)
    assert code == 2
    said(text, *parts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("-T", "sandbox=jail"), ("no sandbox 'jail'", "docker, bwrap")),
        (("-T", "agent=nobody", "-T", "sandbox=bwrap"), ("no agent 'nobody'", "claw, oracle")),
        (("-T", "ids=nope", "-T", "sandbox=bwrap"), ("no task nope", "tasks list")),
        (("-T", "subset=nope", "-T", "sandbox=bwrap"), ("no task in subset 'nope'", "smoke")),
        (("-T", "variant=x", "-T", "sandbox=bwrap"), ("goes with agent=oracle",)),
    ],
)
@pytest.mark.bwrap
def test_inspect_says_what_is_wrong_with_an_option(
    tmp_path: Path, options: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    code, text = call("inspect", "eval", "clawgym_bench", "--model", "none", *options, cwd=tmp_path)
    assert code != 0
    said(text, *parts)


@pytest.mark.slow
@pytest.mark.bwrap
def test_without_a_daemon_the_run_stops_and_names_the_other_sandbox(tmp_path: Path) -> None:
    code, text = call(
        "inspect", "eval", "clawgym_bench", "--model", "none", "-T", "agent=noop",
        cwd=tmp_path, DOCKER_HOST="unix:///nowhere.sock",
    )  # fmt: skip
    assert code != 0
    said(text, "no Docker daemon answers", "-T sandbox=bwrap")


@pytest.mark.slow
@pytest.mark.bwrap
def test_the_bare_name_runs_from_any_folder(tmp_path: Path) -> None:
    for folder in (tmp_path, Path(__file__).parents[2]):
        code, text = call(
            "inspect", "eval", "clawgym_bench", "--model", "none", "-T", "agent=oracle",
            "-T", "sandbox=bwrap", "-T", "subset=smoke", "--log-dir", str(tmp_path / "logs"),
            cwd=folder,
        )  # fmt: skip
        assert code == 0, text
        said(text, "clawgym_bench", "score")


def test_doctor_names_remedies_and_no_secret(tmp_path: Path) -> None:
    code, text = call(
        "clawgym-bench", "doctor", cwd=tmp_path,
        DOCKER_HOST="unix:///nowhere.sock", OPENAI_API_KEY="sk-very-secret",
    )  # fmt: skip
    assert code in {0, 1}
    said(text, "sandbox docker", "no Docker daemon answers", "OPENAI_API_KEY is set")
    if importlib.util.find_spec("vllm") is None:
        said(text, "pip install 'clawgym[vllm]'")
    assert "sk-very-secret" not in text


@pytest.mark.parametrize("missing", EXTRA)
def test_making_tasks_without_its_extra_says_what_to_install(missing: str, tmp_path: Path) -> None:
    """As after `pip install clawgym`; the module is hidden, the rest is as it is."""
    hidden = f"import sys; sys.modules[{missing!r}] = None; import clawgym_data.__main__ as m; "
    done = subprocess.run(
        [sys.executable, "-c", hidden + "m.main()", "synth", "--out", str(tmp_path / "set")],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    said(done.stderr, f"needs {missing}", "pip install 'clawgym[data]'")
