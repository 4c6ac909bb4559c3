"""Runs that are killed or interrupted leave nothing, and nothing else is touched."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clawgym_bench.cli import app
from clawgym_bench.errors import InputError, SandboxLost
from clawgym_bench.sandbox import SandboxSpec, labels, open_backend
from clawgym_bench.sandbox.cgroup import Cgroup, run_of
from clawgym_bench.sandbox.labels import (
    Label,
    Record,
    is_living,
    records,
    start_time,
    this_run,
)
from clawgym_bench.sandbox.strays import clean, clean_containers, sample_of
from tests.sandbox.conftest import require
from tests.sandbox.test_bwrap import groups

pytestmark = pytest.mark.xdist_group("strays")
BIN = Path(sys.executable).parent
COUNTS = {"bwrap": 64, "docker": 12}
"""64 containers would take a minute to start on two cores; what is tested does not depend on it."""
DEAD = ".".join([*this_run().split(".")[:2], "4194303", "1"])


class TestLabels:
    def test_this_run_lives_and_a_reused_number_does_not(self) -> None:
        assert is_living(this_run()) is True
        boot, namespace, pid, _ = this_run().split(".")
        assert is_living(f"{boot}.{namespace}.{pid}.1") is False
        assert is_living(DEAD) is False

    @pytest.mark.parametrize("run", ["", "x", "0.0.1.1", "a.b.c.d", "elsewhere.1.2.3"])
    def test_what_cannot_be_judged_from_here_is_left(self, run: str) -> None:
        assert is_living(run) is None

    def test_reasons(self) -> None:
        now = time.time()
        assert not Label(this_run(), "s", now, now + 60).why_stray()
        assert not Label("elsewhere.1.2.3", "s", now, now + 60).why_stray()
        assert not Label("", "", 0, 0).why_stray()
        assert Label(DEAD, "s", now, now + 60).why_stray() == "its run is over"
        assert Label("elsewhere.1.2.3", "s", now - 60, now - 1).why_stray()
        assert Label(this_run(), "s", now - 60, now + 60).why_stray(30)
        assert not Label(this_run(), "s", now - 60, now + 60).why_stray(90)

    def test_names(self) -> None:
        assert run_of(f"clawgym-{DEAD}-00ff") == DEAD
        assert run_of("docker-1-2") == run_of("clawgym-1234") == ""
        assert sample_of(["/clawgym-my-task-abc123"]) == "my-task"
        assert sample_of(["/peaceful_hopper"]) == sample_of(None) == ""


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records where no other run, which may begin at any moment, tidies up."""
    monkeypatch.setattr(labels, "FOLDER", tmp_path / "records")


@pytest.mark.usefixtures("own_folder")
class TestRecords:
    def test_come_and_go_with_the_sandbox(self) -> None:
        record = Record(Label.new("a sample", 60), 1, "2", []).written()
        assert record in list(records())
        record.remove()
        assert record not in list(records())

    def test_a_process_that_took_over_the_number_is_not_killed(self) -> None:
        process = subprocess.Popen(["sleep", "60"])
        try:
            label = Label(DEAD, "old", 0, 0)
            record = Record(label, process.pid, "1", ["/sys/fs/cgroup/memory"]).written()
            clean()
            assert record.path is not None
            assert not record.path.exists()
            assert process.poll() is None
        finally:
            process.kill()
            process.wait()

    def test_the_supervisor_of_a_dead_run_is(self) -> None:
        process = subprocess.Popen(["sleep", "60"])
        Record(Label(DEAD, "old", 0, 0), process.pid, start_time(process.pid)).written()
        [stray] = [stray for stray in clean() if stray.kind == "sandbox"]
        assert (stray.sample, stray.why) == ("old", "its run is over")
        assert process.wait(10) == -signal.SIGKILL


LIVES = """
import asyncio, sys
from clawgym_bench.sandbox import SandboxSpec, labels, open_backend
async def main():
    backend = open_backend(sys.argv[1])
    specs = [SandboxSpec(labels={"sample": f"sample-{n}"}) for n in range(int(sys.argv[2]))]
    made = await asyncio.gather(*(backend.create(spec) for spec in specs))
    busy = [asyncio.create_task(box.exec(["bash", "-c", "setsid sleep 6543 & sleep 6544"]))
            for box in made]
    await asyncio.sleep(0.3)
    print("ready", flush=True)
    await asyncio.gather(*busy)
asyncio.run(main())
"""


def start(backend: str, count: int) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", LIVES, backend, str(count)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def run_of_process(process: "subprocess.Popen[str]") -> str:
    return ".".join([*this_run().split(".")[:2], str(process.pid), start_time(process.pid)])


def labelled(run: str) -> list[str]:
    """Names of a run's containers, whatever their state."""
    try:
        from clawgym_bench.sandbox.image.build import connect

        client = connect()
    except Exception:
        return []
    try:
        found = client.api.containers(all=True, filters={"label": f"clawgym.run={run}"})
        return [entry["Names"][0] for entry in found]
    finally:
        client.close()


def left_of(run: str) -> list[str]:
    kept = [str(record.path) for record in records() if record.label.run == run]
    return [*labelled(run), *map(str, groups(run)), *kept]


@pytest.mark.slow
def test_a_killed_run_is_cleaned_up_and_a_living_one_is_not(backend_name: str) -> None:
    bystander = start(backend_name, 2)
    victim = start(backend_name, COUNTS[backend_name])
    try:
        living, dead = run_of_process(bystander), run_of_process(victim)
        before = left_of(living)
        assert before
        assert len(left_of(dead)) >= COUNTS[backend_name]
        if backend_name == "docker":
            assert any("sample-1-" in name for name in labelled(dead)), "named after its sample"
        victim.kill()
        victim.wait()
        # Other tests and other work may have the machine.
        busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        start_of_cleaning = time.monotonic()
        subprocess.run([str(BIN / "clawgym-bench"), "clean"], check=True, capture_output=True)
        while left_of(dead):
            clean()
            assert time.monotonic() - start_of_cleaning < 10 * busy
        assert set(before) <= set(left_of(living))
        assert bystander.poll() is None
    finally:
        for process in (victim, bystander):
            process.kill()
            process.wait()


@pytest.mark.docker
@pytest.mark.slow
def test_containers_that_never_started_and_foreign_ones() -> None:
    """What is left when a run is killed between `create` and `start`; the daemon keeps those."""
    require("docker")
    from clawgym_bench.sandbox.image.build import connect, image_name

    client = connect()
    try:
        now = time.time()
        made = {
            "dead": Label(DEAD, "s", now, now + 999).as_docker(),
            "late": Label("elsewhere.1.2.3", "s", now - 9, now - 1).as_docker(),
            "elsewhere": Label("elsewhere.1.2.3", "s", now, now + 999).as_docker(),
            "ours": Label(this_run(), "s", now, now + 999).as_docker(),
            "foreign": {"app": "theirs"},
        }
        ids = {
            name: client.api.create_container(image_name(), ["true"], labels=label)["Id"][:12]
            for name, label in made.items()
        }
        try:
            clean_containers()
            left = {entry["Id"][:12] for entry in client.api.containers(all=True)}
            assert left & set(ids.values()) == {ids[n] for n in ("elsewhere", "ours", "foreign")}
        finally:
            for container in ids.values():
                try:
                    client.api.remove_container(container, force=True)
                except Exception:
                    continue
    finally:
        client.close()


@pytest.mark.bwrap
def test_an_empty_cgroup_of_a_dead_run() -> None:
    require("bwrap")
    process = subprocess.Popen(["sleep", "60"])
    made = Cgroup.around(process.pid, SandboxSpec().resources)
    process.kill()
    process.wait()
    if made is None:
        pytest.skip("no cgroup can be made here")
    renamed = []
    for folder in made.folders:
        target = folder.with_name(f"clawgym-{DEAD}-00")
        folder.rmdir()
        target.mkdir()
        renamed.append(target)
    clean()
    assert not any(folder.exists() for folder in renamed)


async def test_a_sandbox_ends_at_its_deadline(backend_name: str) -> None:
    backend = open_backend(backend_name)  # type: ignore[arg-type]
    try:
        sandbox = await backend.create(SandboxSpec(lifetime=3))
        start = time.monotonic()
        with pytest.raises(SandboxLost, match=r"deadline passed \(3 s\)"):
            await sandbox.exec(["sleep", "60"])
        assert time.monotonic() - start < 10
        with pytest.raises(SandboxLost, match="deadline"):
            await sandbox.stop()
    finally:
        await backend.close()


TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import solver
from inspect_ai.util import SandboxEnvironmentSpec, sandbox
@solver
def busy():
    async def solve(state, generate):
        print("working", flush=True)
        await sandbox().exec(["bash", "-c", "setsid sleep 6543 & sleep 6544"])
        return state
    return solve
@task
def forever():
    samples = [Sample(id=f"s{n}", input="x") for n in range(4)]
    return Task(dataset=samples, solver=busy(), sandbox="claw-BACKEND")
"""


@pytest.mark.slow
def test_ctrl_c_leaves_nothing(backend_name: str, tmp_path: Path) -> None:
    (tmp_path / "forever.py").write_text(TASK.replace("BACKEND", backend_name))
    process = subprocess.Popen(
        [str(BIN / "inspect"), "eval", "forever.py", "--model", "none", "--log-dir", "logs"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "INSPECT_DISPLAY": "plain"}, start_new_session=True,
        # A shell without job control lets what it runs in the background ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout is not None
    try:
        run = run_of_process(process)
        seen = 0
        while seen < 4:
            line = process.stdout.readline()
            assert line, "it ended before it worked"
            seen += "working" in line
        assert len(left_of(run)) >= 4
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        for _ in range(50):  # the daemon removes what its process has left
            if not left_of(run):
                break
            time.sleep(0.1)
        assert left_of(run) == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("text", ["soon", "-1h", "1w", ""])
def test_durations(text: str) -> None:
    from clawgym_bench.cli.clean import seconds

    assert (seconds("90s"), seconds("30m"), seconds("1.5h"), seconds("2d")) == (
        90, 1_800, 5_400, 172_800,
    )  # fmt: skip
    with pytest.raises(InputError, match="no duration"):
        seconds(text)


@pytest.mark.usefixtures("own_folder")
def test_the_command_says_what_it_did() -> None:
    process = subprocess.Popen(["sleep", "60"])
    Record(Label(DEAD, "my-sample", 0, 0), process.pid, start_time(process.pid)).written()
    done = CliRunner().invoke(app, ["clean"])
    assert done.exit_code == 0
    assert f"removed sandbox process {process.pid} of my-sample: its run is over" in done.stdout
    process.wait(10)
    assert "my-sample" not in CliRunner().invoke(app, ["clean"]).stdout
