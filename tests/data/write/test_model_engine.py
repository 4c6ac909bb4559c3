"""The model engine from end to end, against a server that plays good, bad and hostile models."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig

from clawgym_data.__main__ import main
from clawgym_data.cli.synth import DRAWN
from clawgym_data.pipeline import Settings, schedule, synthesize
from clawgym_data.pipeline.decision import Decision
from clawgym_data.pipeline.store import JOURNAL, read_journal, read_manifest
from clawgym_data.sets import read_set
from clawgym_data.write import Account, Answers, Budget, ModelEngine, read_skills
from tests.data.write import drafts
from tests.data.write.conftest import Command, command
from tests.data.write.server import MODEL, Reply, Script, Server, prompts, serving
from tests.data.write.test_skills import skill

SEED = 5
ASKED = ("synth", "--engine", "model", "--model", MODEL, "--seed", str(SEED), "--workers", "1")
LINT = ("--gates", "lint")


def good(number: int, before: int) -> Reply:
    return Reply(drafts.text(drafts.good(number)))


def everything(number: int, before: int) -> Reply:
    """Attempts 0 to 9: a kind of model each."""
    if number == 1:
        return Reply(drafts.text(drafts.good(1) if before else drafts.wrong(1)))
    if number == 2:
        return Reply("{not json" if before == 0 else drafts.text(drafts.good(2)))
    plays = {
        0: drafts.good, 3: drafts.escaping, 4: drafts.hooked, 5: drafts.coded,
        6: drafts.commanding, 8: drafts.wrong, 9: drafts.attacking,
    }  # fmt: skip
    if number == 7:
        return Reply(refusal="I will not write that.")
    return Reply(drafts.text(plays.get(number, drafts.good)(number)))


def decisions(folder: Path) -> dict[int, Decision]:
    return {one.number: one for one in read_journal(folder)}


def fingerprint(folder: Path) -> dict[str, str]:
    """Everything but the account, whose lines come as answers come."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "account.json.lines"
    }


@pytest.mark.bwrap
@pytest.mark.slow
def test_good_bad_malformed_hostile_and_refused_drafts(run: Command, tmp_path: Path) -> None:
    out = tmp_path / "set"
    traces = [
        Path("/tmp") / f"clawgym-{what}" for what in ("hooked", "coded", "attacked", "escaped")
    ]
    for trace in traces:
        trace.unlink(missing_ok=True)
    with serving(prompts(SEED, 60), everything) as server:
        done = run(server, *ASKED, "-n", "4", "--out", str(out), "--mutant-share", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    found = decisions(out)
    assert [found[n].state for n in (0, 1, 2, 9)] == ["accepted"] * 4
    assert [found[n].rounds for n in (0, 1, 2, 9)] == [0, 1, 1, 0]
    ends = {number: one.ended for number, one in found.items() if one.ended}
    assert {number: (ended.stage.value, ended.reason) for number, ended in ends.items()} == {
        3: ("workspace", "hostile: leads outside the workspace"),
        4: ("workspace", "hostile: runs by itself"),
        5: ("verification", "hostile: code in a check"),
        6: ("verification", "hostile: code in a check"),
        7: ("intent", "refused by the model"),
        8: ("audit", "oracle"),
    }
    assert ends[7].detail == "I will not write that."
    # Hostile and refused drafts are not handed back; a hopeless one is, twice.
    assert dict(server.calls) == {0: 1, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 3, 9: 1}
    assert not any(trace.exists() for trace in traces)
    tasks = list(read_set(out))
    assert len(tasks) == 4
    assert {task.provenance.kind for task in tasks} == {"model"}
    manifest = read_manifest(out)
    assert manifest["cost"] == {
        "calls": 14, "input_tokens": 1400, "output_tokens": 560, "dollars": 0.0, "unpriced": 14,
    }  # fmt: skip
    assert manifest["cost_per_accepted"]["tokens"] == 490.0
    assert "14 answers: 1,400 tokens in, 560 out" in done.stdout
    assert "per accepted task 490 tokens" in done.stdout
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert b"secret-of-the-test" not in written


@pytest.mark.bwrap
@pytest.mark.slow
def test_the_audits_findings_go_back_with_the_draft(tmp_path: Path) -> None:
    with serving(prompts(SEED, 20), everything) as server:
        outcome = synth(server, tmp_path / "set", Settings(n=2, mutant_share=0.0, targets=DRAWN))
    assert outcome.complete
    first, second = (
        body["messages"] for body in server.bodies if len(body["messages"]) in (2, 4)
        and body["messages"][1] == server.bodies[1]["messages"][1]
    )  # fmt: skip
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[:2] == first
    assert json.loads(second[2]["content"]) == drafts.wrong(1)
    assert "oracle:" in second[3]["content"]
    assert "9999" in second[3]["content"]
    schema = server.bodies[0]["response_format"]["json_schema"]
    assert schema["name"] == "Draft"
    assert schema["schema"]["additionalProperties"] is False


def synth(
    server: Server,
    out: Path,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    budget: Budget = Budget(),
    config: GenerateConfig = GenerateConfig(),
    **more: Any,
) -> Any:
    for name, value in server.env.items():
        os.environ[name] = value
    engine = ModelEngine(Answers(MODEL, Account(out, budget), config=config), SEED, **more)
    chosen = settings or Settings(n=6, gates=("lint",), mutant_share=0.0, targets=DRAWN)
    try:
        return synthesize(engine, chosen, out, workers=1, resume=resume)
    finally:
        for name in server.env:
            os.environ.pop(name)


def slowly(script: Script) -> Script:
    def play(number: int, before: int) -> Reply:
        time.sleep(0.3)
        return script(number, before)

    return play


def revised(number: int, before: int) -> Reply:
    """Every third draft needs two answers, one in five is never any good."""
    if number % 5 == 4:
        return Reply("no")
    return Reply("{" if number % 3 == 1 and not before else drafts.text(drafts.good(number)))


@pytest.mark.slow
def test_killed_and_resumed_is_the_same_and_nothing_is_paid_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = prompts(SEED, 80)
    with serving(numbers, revised) as server:
        assert synth(server, tmp_path / "whole").complete
    wanted = server.calls
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "other-cache"))
    out = tmp_path / "set"
    arguments = [*ASKED, *LINT, "-n", "6", "--out", str(out), "--resume", "--mutant-share", "0",
                 "--max-connections", "2"]  # fmt: skip
    with serving(numbers, slowly(revised)) as server:
        for lines in (2, 5):
            process = subprocess.Popen(
                command(*arguments), env={**os.environ, **server.env},
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            wait_for(out / JOURNAL, lines, process)
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert not (out / "manifest.json").exists()
        done = subprocess.run(
            command(*arguments), env={**os.environ, **server.env}, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert fingerprint(out) == fingerprint(tmp_path / "whole")
    # An answer that was on its way when the process was killed may be asked for again; those that
    # had come are not.
    again = {n: server.calls[n] - wanted[n] for n in server.calls if server.calls[n] != wanted[n]}
    assert sum(again.values()) <= 2 * 2
    assert set(wanted) == set(server.calls)


def wait_for(journal: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(6_000):
        if journal.exists() and journal.read_bytes().count(b"\n") >= lines:
            return
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.01)
    pytest.fail("the run does not come forward")


@pytest.mark.slow
def test_a_budget_stops_and_a_larger_one_goes_on(run: Command, tmp_path: Path) -> None:
    out = tmp_path / "set"
    same = (*ASKED, *LINT, "-n", "5", "--out", str(out), "--mutant-share", "0",
            "--max-connections", "1")  # fmt: skip
    with serving(prompts(SEED, 60), revised) as server:
        done = run(server, *same, "--budget-tokens", "400")
        assert done.returncode == 3, done.stdout + done.stderr
        assert "not complete: budget: 420 of 400 tokens are spent" in done.stdout
        assert "--resume" in done.stdout
        assert server.calls.total() == 3
        before = list(decisions(out))
        done = run(server, *same, "--budget-tokens", "400", "--resume")
        assert done.returncode == 3
        assert server.calls.total() == 3, "nothing is asked for without money"
        done = run(server, *same, "--budget-tokens", "100000", "--resume")
        assert done.returncode == 0, done.stdout + done.stderr
        calls = server.calls.total()
        settings = Settings(n=5, gates=("lint",), mutant_share=0.0, targets=DRAWN)
        assert synth(server, tmp_path / "whole", settings).complete
        assert server.calls.total() == calls, "all answers are in the cache"
    assert list(decisions(out))[: len(before)] == before
    assert read_manifest(out)["cost"]["calls"] == calls
    assert fingerprint(tmp_path / "whole") == fingerprint(out)


def test_answers_under_way_at_the_bound_are_kept(tmp_path: Path) -> None:
    """Four calls at a time, slow ones first: those that are paid are there when money is."""

    def play(number: int, before: int) -> Reply:
        time.sleep(0.2 if number == 0 else 1.0 if number < 4 else 0.0)
        return good(number, before)

    four = GenerateConfig(max_connections=4)
    with serving(prompts(SEED, 60), play) as server:
        outcome = synth(server, tmp_path / "set", budget=Budget(tokens=100), config=four)
        assert outcome.why.startswith("budget: ")
        assert dict(server.calls) == {0: 1, 1: 1, 2: 1, 3: 1}
        account = Account(tmp_path / "set")
        assert account.spent.calls == 4
        assert synth(server, tmp_path / "set", resume=True, config=four).complete
    assert dict(server.calls) == dict.fromkeys(range(6), 1)


@pytest.mark.slow
def test_dollars_come_from_prices(run: Command, tmp_path: Path) -> None:
    out, prices = tmp_path / "set", tmp_path / "prices.yaml"
    same = (*ASKED, *LINT, "-n", "5", "--out", str(out), "--mutant-share", "0",
            "--max-connections", "1", "--budget-usd", "0.001")  # fmt: skip
    with serving(prompts(SEED, 60), good) as server:
        done = run(server, *same)
        assert done.returncode == 2
        assert "the price of openai-api/local/scripted is not known" in done.stderr
        assert not out.exists()
        cost = {"input": 2.0, "output": 5.0, "input_cache_write": 2.0, "input_cache_read": 0.2}
        prices.write_text(json.dumps({MODEL: cost}))
        done = run(server, *same, "--model-cost-config", str(prices))
    assert done.returncode == 3, done.stdout + done.stderr
    assert "$0.0012 of $0.001 are spent" in done.stdout  # 3 answers of 0.0004
    manifest = read_manifest(out)
    assert manifest["cost"]["dollars"] == 0.0012
    assert manifest["cost"]["unpriced"] == 0
    assert manifest["cost_per_accepted"]["dollars"] == 0.0004


def test_nothing_is_asked_for_that_is_not_needed(tmp_path: Path) -> None:
    with serving(prompts(SEED, 60), good) as server:
        assert synth(server, tmp_path / "set").complete
    assert server.calls.total() == 6


@pytest.mark.slow
def test_a_provider_that_refuses_every_call_ends_the_run_at_once(
    run: Command, tmp_path: Path
) -> None:
    same = (*ASKED, *LINT, "-n", "5", "--mutant-share", "0", "--max-connections", "1")
    with serving(prompts(SEED, 60), lambda *_: Reply(status=401)) as server:
        done = run(server, *same, "--out", str(tmp_path / "set"))
    assert done.returncode == 3, done.stdout + done.stderr
    assert "refuses every call (HTTP 401): the key is not accepted" in done.stdout
    assert server.calls.total() == 1
    done = run(None, *same, "--out", str(tmp_path / "other"))
    assert done.returncode == 2
    assert "--model openai-api/local/scripted" in done.stderr
    assert "LOCAL_API_KEY" in done.stderr


def test_an_outage_is_tried_again_and_is_no_reject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "PAUSES", (0.0, 0.0, 0.0))

    def play(number: int, before: int) -> Reply:
        bad = (number == 0 and before < 1) or number == 1
        return Reply(status=400 if number == 2 else 500) if bad or number == 2 else good(number, 0)

    once = GenerateConfig(max_retries=0, timeout=20, max_connections=1)
    with serving(prompts(SEED, 60), play) as server:
        synth(server, tmp_path / "set", Settings(
            n=2, gates=("lint",), mutant_share=0.0, targets=DRAWN
        ), config=once)  # fmt: skip
    found = decisions(tmp_path / "set")
    assert [found[n].state for n in (0, 1, 2, 3)] == ["accepted", "failed", "failed", "accepted"]
    assert "no answer from openai-api/local/scripted (HTTP 500" in found[1].failure
    assert "does not accept the call (HTTP 400" in found[2].failure


def test_an_answer_without_end_says_so(tmp_path: Path) -> None:
    def play(number: int, before: int) -> Reply:
        text = drafts.text(drafts.good(number))
        return Reply(text[:200], finish="length") if number == 0 else Reply(text)

    with serving(prompts(SEED, 60), play) as server:
        synth(server, tmp_path / "set", Settings(
            n=1, gates=("lint",), mutant_share=0.0, targets=DRAWN
        ), rounds=1)  # fmt: skip
    ended = decisions(tmp_path / "set")[0].ended
    assert ended is not None
    assert ended.reason == "cut at the limit of tokens"
    assert server.calls[0] == 2


@pytest.mark.slow
def test_tasks_on_skills_and_those_that_were_left_out(run: Command, tmp_path: Path) -> None:
    root, out = tmp_path / "skills", tmp_path / "set"
    skill(root, "tidy", "Tidies lists.", "Sort every list.", "license: MIT\n")
    skill(root, "totals", "Adds up lists.", "Add up every list.", "license: MIT\n")
    skill(root, "mailer", "Sends mails.", "You need an API key.")
    usable = read_skills(root).usable
    with serving(prompts(SEED, 60, usable), good) as server:
        done = run(server, *ASKED, *LINT, "-n", "3", "--out", str(out), "--skills", str(root),
                   "--mutant-share", "0")  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skill left out: mailer: needs credentials: “You need an API key.”" in done.stdout
    skills = read_manifest(out)["engine"]["skills"]
    assert skills["used"] == ["tidy", "totals"]
    assert list(skills["left_out"]) == ["mailer"]
    for task in read_set(out):
        assert task.tags[0] == "skill"
        assert task.provenance.licence == "MIT"
        assert "skills t" in task.provenance.source


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--engine", "model"], "--engine model: say which with --model"),
        (["--model", MODEL], "--model and --skills go with --engine model"),
        (["--engine", "model", "--model", MODEL, "--rounds", "-1"], "--rounds -1"),
        (["--engine", "model", "--model", MODEL, "--budget-usd", "0"], "--budget-usd 0.0: give"),
        (["--engine", "model", "--model", MODEL, "-M", "x"], "-M x: give NAME=VALUE"),
        (["--engine", "model", "--model", "nobody/x"], "--model nobody/x"),
        (["--engine", "model", "--model", MODEL, "--skills", "/none"], "--skills /none"),
        (["--budget-tokens", "5"], "go with --model"),
    ],
)
def test_wrong_options_are_told(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    said: str,
) -> None:
    given = ["clawgym-data", "synth", "--out", str(tmp_path / "set"), "-n", "1", *arguments]
    monkeypatch.setattr(sys, "argv", given)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "set").exists()
