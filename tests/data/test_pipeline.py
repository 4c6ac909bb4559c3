"""The pipeline: the same set however it is made, whoever dies on the way."""

import gzip
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawgym_bench.audit import Finding, GateResult, TaskAudit
from clawgym_bench.errors import InputError, SandboxUnavailable
from clawgym_bench.sandbox import Probe
from clawgym_bench.task import read_tasks
from clawgym_data.__main__ import main
from clawgym_data.pipeline import ComposerEngine, Settings, schedule, synthesize
from clawgym_data.pipeline.audit import Audited, gates_for, judged, sampled
from clawgym_data.pipeline.balance import Targets
from clawgym_data.pipeline.settings import ALWAYS, SAMPLED
from clawgym_data.pipeline.store import JOURNAL, read_journal, read_manifest
from clawgym_data.sets import read_set, split_folders
from tests.data.fake_engines import Fake, Waiting

FREE = Targets(categories={}, difficulty={})


def quick(n: int, **more: Any) -> Settings:
    """No audit, and no balance for the fakes."""
    return Settings(n=n, gates=(), mutant_share=0.0, targets=FREE, shard_tasks=20, **more)


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A composed set, made by one worker without interruption."""
    folder = tmp_path_factory.mktemp("whole") / "set"
    outcome = synthesize(ComposerEngine(3), composed(), folder, workers=1)
    assert outcome.complete
    return folder


def composed() -> Settings:
    return Settings(n=50, gates=(), mutant_share=0.0, shard_tasks=20)


def test_a_set_is_what_its_manifest_says(whole: Path) -> None:
    manifest = read_manifest(whole)
    tasks = list(read_set(whole))
    assert len(tasks) == manifest["counts"]["accepted"] == 50
    assert manifest["complete"]
    assert sum(manifest["splits"].values()) == 50
    plans = [task.provenance.skeleton for task in tasks]
    assert len(set(plans)) == manifest["plans"]["distinct"]
    assert all(task.difficulty for task in tasks)
    stages = manifest["stages"]
    assert stages["persona"]["in"] == manifest["counts"]["attempts"]
    assert stages["export"]["out"] == 50
    rejected = sum(sum(stage["rejected"].values()) for stage in stages.values())
    assert rejected == manifest["counts"]["rejected"]
    assert manifest["contamination"]["compared"] >= 50
    for shards in manifest["shards"].values():
        for shard in shards:
            lines = gzip.decompress((whole / shard["file"]).read_bytes()).splitlines()
            assert len(lines) == shard["tasks"] <= 20


def test_splits_share_neither_plan_nor_persona(whole: Path) -> None:
    seen: list[tuple[set[str], set[str]]] = []
    for folder in split_folders(whole):
        tasks = list(read_tasks(folder))
        plans = {task.provenance.skeleton for task in tasks}
        personas = {task.persona.context for task in tasks if task.persona}
        for other_plans, other_personas in seen:
            assert not plans & other_plans
            assert not personas & other_personas
        seen.append((plans, personas))
    assert len(seen) > 1


def test_two_workers_make_the_same_bytes_as_one(whole: Path, tmp_path: Path) -> None:
    synthesize(ComposerEngine(3), composed(), tmp_path / "set", workers=2)
    assert fingerprint(tmp_path / "set") == fingerprint(whole)


SCRIPT = """
import sys
from clawgym_data.__main__ import main
from clawgym_data.pipeline import ComposerEngine, Settings, synthesize
if __name__ == "__main__":
    settings = Settings.model_validate_json(sys.argv[2])
    synthesize(ComposerEngine(3), settings, sys.argv[1], workers=1, resume=True)
"""


def test_killed_and_resumed_is_the_same_as_never_stopped(whole: Path, tmp_path: Path) -> None:
    out, script = tmp_path / "set", tmp_path / "run.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(out), composed().model_dump_json()]
    for lines in (9, 40):
        process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        wait_for(out / JOURNAL, lines, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (out / "manifest.json").exists()
    assert subprocess.run(command, check=False, cwd=Path(__file__).parents[2]).returncode == 0
    assert fingerprint(out) == fingerprint(whole)


def wait_for(journal: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(2_000):
        if journal.exists() and journal.read_bytes().count(b"\n") >= lines:
            return
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.01)
    pytest.fail("the run does not come forward")


def test_whatever_a_kill_leaves_is_mended(whole: Path, tmp_path: Path) -> None:
    """The journal cut at any place, shards longer than it says, or with a task too few."""
    journal = (whole / JOURNAL).read_bytes()
    for number, cut in enumerate((20, len(journal) // 3, len(journal))):
        out = tmp_path / str(number)
        shutil.copytree(whole, out)
        (out / "manifest.json").unlink()
        (out / JOURNAL).write_bytes(journal[:cut])
        for shard in sorted(out.rglob("*.jsonl.gz"))[-1:]:
            content = shard.read_bytes()
            shard.write_bytes(content + b"x" * 5_000 if number % 2 else content[: -9 - number])
        if number == 0:  # nothing stands in the journal: whatever lies there is not ours to remove
            for folder in split_folders(out):
                shutil.rmtree(folder)
        synthesize(ComposerEngine(3), composed(), out, workers=1, resume=True)
        assert fingerprint(out) == fingerprint(whole)


def test_resuming_a_complete_set_changes_nothing(whole: Path) -> None:
    before = fingerprint(whole)
    assert synthesize(ComposerEngine(3), composed(), whole, workers=1, resume=True).complete
    assert fingerprint(whole) == before


def test_a_run_goes_on_with_its_own_settings_only(whole: Path) -> None:
    with pytest.raises(InputError, match=r"engine was seed 3, now 4"):
        synthesize(ComposerEngine(4), composed(), whole, resume=True)
    with pytest.raises(InputError, match=r"settings was n 50, now 51"):
        synthesize(ComposerEngine(3), composed().model_copy(update={"n": 51}), whole, resume=True)
    with pytest.raises(InputError, match="is not empty"):
        synthesize(ComposerEngine(3), composed(), whole)


def test_one_bad_record_stops_nobody(tmp_path: Path) -> None:
    engine = Fake(rejects=(1, 4), raises=(2,), deadly=(3,), shaky=(5,), notes=str(tmp_path))
    outcome = synthesize(engine, quick(12), tmp_path / "set", workers=2)
    assert outcome.complete
    decisions = {one.number: one for one in read_journal(tmp_path / "set")}
    assert [n for n, one in decisions.items() if one.state == "failed"] == [2, 3]
    assert "KeyError" in decisions[2].failure
    assert "WorkerDied" in decisions[3].failure
    assert [n for n, one in decisions.items() if one.state == "rejected"] == [1, 4]
    assert decisions[5].state == "accepted", "an outage is no reject"
    assert outcome.manifest["counts"] == {
        "accepted": 12, "rejected": 2, "failed": 2, "attempts": 16,
    }  # fmt: skip
    assert outcome.manifest["stages"]["workspace"]["rejected"] == {"no files": 2}


def test_an_outage_that_lasts_ends_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "PAUSES", (0.0, 0.0, 0.0))
    engine = Fake(shaky=(0,), outages=99, notes=str(tmp_path))
    synthesize(engine, quick(2), tmp_path / "set", workers=1)
    first = next(read_journal(tmp_path / "set"))
    assert (first.state, first.failure) == ("failed", "InfrastructureError: no answer")
    assert (tmp_path / "0").read_text() == "xxx"


def test_an_engine_that_yields_nothing_comes_to_an_end(tmp_path: Path) -> None:
    engine = Fake(rejects=tuple(range(500)))
    outcome = synthesize(engine, quick(2, attempts=4), tmp_path / "set", workers=1)
    assert not outcome.complete
    assert outcome.why.startswith("72 attempts were made")
    failing = Fake(raises=tuple(range(500)))
    outcome = synthesize(failing, quick(40), tmp_path / "other", workers=1)
    assert "100 attempts failed in a row" in outcome.why


def test_a_waiting_engine_revises_and_ends_with_its_budget(tmp_path: Path) -> None:
    settings = Settings(n=9, gates=("lint",), mutant_share=0.0, targets=FREE)
    engine = Waiting(rounds=1, budget=6, bad=(1, 2), hopeless=(2,))
    outcome = synthesize(engine, settings, tmp_path / "set", workers=1)
    assert not outcome.complete
    assert outcome.why == "budget: 1 dollar is spent"
    assert 1 < engine.most <= 3
    decisions = list(read_journal(tmp_path / "set"))
    assert [one.number for one in decisions] == list(range(6))
    assert [(one.state, one.rounds, one.cost.calls) for one in decisions[:4]] == [
        ("accepted", 0, 1), ("accepted", 1, 2), ("rejected", 1, 2), ("accepted", 0, 1),
    ]  # fmt: skip
    outcome = synthesize(
        Waiting(rounds=1, budget=8), settings, tmp_path / "set", workers=1, resume=True
    )
    assert outcome.manifest["counts"]["attempts"] == 8
    assert outcome.manifest["cost"]["calls"] == 10


def test_without_a_sandbox_nothing_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none() -> Probe:
        return Probe(False, "not installed", "install it")

    monkeypatch.setattr("clawgym_data.pipeline.machine.probe_bwrap", none)
    with pytest.raises(SandboxUnavailable, match="install it"):
        synthesize(ComposerEngine(3), Settings(n=2), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_what_the_machine_fails_is_no_reject() -> None:
    note = Finding("note", "the gate could not be run: the sandbox is gone")
    broken = judged(TaskAudit("a", "h", [GateResult("oracle", "no evidence", [note])]))
    assert broken.ended is None
    assert "the sandbox is gone" in broken.failure
    empty = judged(
        TaskAudit("a", "h", [GateResult("variants", "no evidence", [Finding("note", "none")])])
    )
    assert empty.ended is not None
    assert empty.ended.reason == "variants: no evidence"
    wrong = GateResult("junk", "failed", [Finding("error", "echo earns 1", "ask for more")])
    found = judged(TaskAudit("a", "h", [GateResult("lint", "passed"), wrong]))
    assert found == Audited(
        gates={"lint": "passed", "junk": "failed"},
        ended=found.ended,
        findings=("junk: echo earns 1 → ask for more",),
    )
    assert found.ended is not None
    assert found.ended.reason == "junk"


def test_the_sample_for_costly_gates_goes_by_content() -> None:
    names = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(4_000)]
    share = sum(sampled(name, 0.05) for name in names) / len(names)
    assert share == pytest.approx(0.05, abs=0.015)
    assert not any(sampled(name, 0.0) for name in names)
    assert gates_for(names[0], Settings(n=1, mutant_share=1.0)) == (*ALWAYS, *SAMPLED)
    assert gates_for(names[0], Settings(n=1, mutant_share=0.0)) == ALWAYS


@pytest.mark.bwrap
@pytest.mark.slow
def test_audited_sets_do_not_depend_on_workers_either(tmp_path: Path) -> None:
    settings = Settings(n=6, mutant_share=0.2)
    for workers in (1, 2):
        outcome = synthesize(ComposerEngine(11), settings, tmp_path / str(workers), workers=workers)
        assert outcome.complete
        audit = outcome.manifest["audit"]
        assert audit["oracle"]["passed"] >= 6
    assert fingerprint(tmp_path / "1") == fingerprint(tmp_path / "2")


@pytest.mark.slow
def test_ray_makes_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="pip install 'clawgym[scale]'")
    pytest.importorskip("ray.data")
    try:
        synthesize(ComposerEngine(3), composed(), tmp_path / "set", workers=2, ray=True)
    finally:
        ray.shutdown()
    assert fingerprint(tmp_path / "set") == fingerprint(whole)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["clawgym-data", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return call


def test_the_command_says_what_is_wrong_and_what_to_do(
    whole: Path, tmp_path: Path, run: Run
) -> None:
    for arguments, said in (
        (["--out", str(whole)], "is not empty"),
        (["--out", str(tmp_path / "x"), "--gates", "lint,nice"], "no gate nice; there are lint"),
        (["--out", str(tmp_path / "x"), "-n", "0"], "ask for at least one task"),
        (["--out", str(tmp_path / "x"), "--tier", "huge"], "full or tiny"),
    ):
        code, _, error = run("synth", *arguments)
        assert code == 2
        assert said in error
        assert "Traceback" not in error


def test_the_command_makes_a_set_and_shows_its_tasks(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "set"
    code, told, _ = run(
        "synth", "-n", "5", "--seed", "3", "--out", str(out), "--gates", "none", "--workers", "1"
    )
    assert code == 0
    assert f"5 tasks in {out}" in told
    assert json.loads((out / "manifest.json").read_text())["engine"]["seed"] == 3
    task = next(read_set(out))
    _, shown, _ = run("show", task.id, "--path", str(out))
    assert task.sessions[0].instruction.splitlines()[0] in shown
    code, _, error = run("show", "nobody", "--path", str(out))
    assert code == 2
    assert "no task 'nobody'" in error


def test_the_command_says_when_the_set_is_not_complete(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "clawgym_data.cli.synth.open_engine", lambda *_: Fake(raises=tuple(range(200)))
    )
    code, told, _ = run(
        "synth", "-n", "40", "--out", str(tmp_path / "set"), "--gates", "none", "--workers", "1"
    )
    assert code == 3
    assert "not complete: 100 attempts failed in a row" in told
    assert "--resume" in told
