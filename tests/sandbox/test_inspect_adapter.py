"""Other providers' environments as our sandbox, on Inspect's `local` (which isolates nothing).

Inspect's docker provider needs a newer engine than Debian 12's, and there is no cluster here: what
is sent to them is checked for its form only.
"""

import asyncio
import errno
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from inspect_ai import eval
from inspect_ai.util import SandboxEnvironmentSpec
from inspect_ai.util._sandbox.docker.util import ComposeProject
from inspect_ai.util._sandbox.events import SandboxEnvironmentProxy
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

import clawgym_bench.evaluation as evaluation
import clawgym_bench.sandbox.choices as choices
from clawgym_bench.errors import InputError, SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox import File, Probe, Resources, Sandbox
from clawgym_bench.sandbox.choices import (
    compose_config,
    grading_backend,
    k8s_values,
    probe,
    sandbox_spec,
)
from clawgym_bench.sandbox.inspect_adapter import InspectSandbox
from clawgym_bench.sandbox.inspect_provider import backend_of, from_inspect
from clawgym_bench.task import write_folder
from tests.conftest import FIELDS, MakeTask
from tests.sandbox.conftest import require


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    environment = LocalSandboxEnvironment()
    made = InspectSandbox(environment, str(tmp_path / "ws"))
    await made.write({"seed": File(b"")})
    yield made
    await made.stop()
    environment.directory.cleanup()


async def test_exec(sandbox: Sandbox) -> None:
    result = await sandbox.exec(
        ["sh", "-c", "cat; pwd; echo $X >&2; exit 3"], stdin=b"in\n", env={"X": "y"}
    )
    assert (result.exit_code, result.stderr) == (3, b"y\n")
    assert result.stdout == f"in\n{sandbox.workspace}\n".encode()
    assert (await sandbox.exec(["no-such-program"])).exit_code == 127
    assert (await sandbox.exec(["true"], cwd="nowhere")).exit_code == 126
    assert (await sandbox.exec(["sh", "-c", "kill -TERM $$"])).exit_code == 143
    with pytest.raises(OSError, match="NUL"):
        await sandbox.exec(["a\0b"])


async def test_output_is_shortened_as_ours_is(sandbox: Sandbox) -> None:
    result = await sandbox.exec(["seq", "10000"], output_limit=1_000)
    assert result.stdout_cut > 40_000
    assert result.stdout.startswith(b"1\n2\n")
    assert result.stdout.endswith(b"9999\n10000\n")


async def test_a_time_limit_ends_everything_of_the_command(sandbox: Sandbox) -> None:
    result = await sandbox.exec(["bash", "-c", "setsid sleep 4711 & sleep 4712"], timeout=1)
    assert (result.timed_out, result.exit_code) == (True, None)
    assert "sleep 471" not in running()


async def test_stop_ends_what_it_started_and_nothing_else(sandbox: Sandbox) -> None:
    bystander = await asyncio.create_subprocess_exec("sleep", "4713")
    await sandbox.exec(["bash", "-c", "setsid sleep 4714 >/dev/null 2>&1 &"])
    assert "sleep 4714" in running()
    await sandbox.stop()
    assert "sleep 4714" not in running()
    assert "sleep 4713" in running()
    bystander.kill()
    await bystander.wait()


def running() -> str:
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return "\n".join(lines)


async def test_files(sandbox: Sandbox) -> None:
    for count in (1, 6):
        files = {f"{count}/f{n} ü": File(bytes(range(256)), 0o755) for n in range(count)}
        await sandbox.write(files)
        assert await sandbox.read(f"{count}/f0 ü") == bytes(range(256))
        await sandbox.write({path: File(b"again") for path in files})
        mode = await sandbox.exec(["stat", "-c%a", f"{count}/f0 ü"])
        assert mode.stdout == b"755\n", "kept its mode"


async def test_read_errors(sandbox: Sandbox) -> None:
    await sandbox.exec(["sh", "-c", "mkdir d; mkfifo pipe; echo 12345 > f"])
    for path, number in (
        ("none", errno.ENOENT), ("d", errno.EISDIR), ("pipe", errno.EINVAL),
    ):  # fmt: skip
        with pytest.raises(OSError, match=path) as caught:
            await sandbox.read(path)
        assert caught.value.errno == number
    with pytest.raises(OSError, match="f") as caught:
        await sandbox.read("f", limit=3)
    assert caught.value.errno == errno.EFBIG


async def test_a_snapshot_follows_nothing(sandbox: Sandbox) -> None:
    script = "mkdir -p a/b; echo 1 > a/b/f; ln a/b/f hard; ln -s /etc/passwd link; mkfifo pipe"
    await sandbox.exec(["sh", "-c", script])
    await sandbox.stop()
    snapshot = await sandbox.snapshot()
    assert snapshot.files == {"a/b/f": b"1\n", "hard": b"1\n", "seed": b""}
    assert snapshot.directories == {"a", "a/b"}
    assert snapshot.refused == {"link": "symbolic link", "pipe": "FIFO"}
    assert not snapshot.cut


async def test_a_file_larger_than_everything_ends_the_export(sandbox: Sandbox) -> None:
    await sandbox.exec(["truncate", "-s", "3G", "zzz"])
    snapshot = await sandbox.snapshot()
    assert snapshot.cut
    assert not (await sandbox.exec(["sh", "-c", "ls -d /tmp/export.*"])).ok


async def test_a_provider_that_fails_loses_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = LocalSandboxEnvironment()

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("Compose is gone")

    monkeypatch.setattr(environment, "exec", broken)
    with pytest.raises(SandboxLost, match="Compose is gone"):
        await InspectSandbox(environment).exec(["true"])


async def test_one_adapter_per_environment() -> None:
    environment = SandboxEnvironmentProxy(LocalSandboxEnvironment())
    first = from_inspect(environment, "/w")
    assert from_inspect(environment) is first
    assert first.workspace == "/w"
    assert isinstance(first, Sandbox)
    assert backend_of(environment) is None


@pytest.mark.bwrap
@pytest.mark.slow
def test_a_task_is_run_and_graded_in_another_providers_sandbox(
    new_task: MakeTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From placing files to a check that runs something, which ours does."""
    require("bwrap")
    runs = {
        "id": "runs",
        "cites": "amounts per vendor",
        "command": {
            "run": ["python3", "{hidden}/count.py"],
            "hidden": ["hidden/count.py"],
            "cases": [{"expect": [{"text": {"path": "@stdout", "contains": ["3 lines"]}}]}],
        },
    }
    task = new_task(
        files={"hidden/count.py": "print(len(open('out/totals.csv').readlines()), 'lines')"},
        checks=[*FIELDS["checks"], runs],
    )
    write_folder(task, tmp_path / "set")
    monkeypatch.setattr(evaluation, "choose_sandbox", lambda name: "k8s")
    monkeypatch.setattr(
        evaluation, "sandbox_spec", lambda *_: SandboxEnvironmentSpec("local", None)
    )
    from_there = evaluation.from_inspect
    workspace = str(tmp_path / "ws")
    monkeypatch.setattr(
        evaluation, "from_inspect", lambda environment, _: from_there(environment, workspace)
    )
    built = evaluation.imported(path=str(tmp_path / "set"), agent="oracle", sandbox="k8s")
    [log] = eval(built, model="none", log_dir=str(tmp_path / "logs"), display="none")
    [sample] = log.samples or []
    assert sample.error is None, sample.error.message
    assert (sample.scores or {})["hybrid"].value["score"] == 1.0  # type: ignore[index]
    assert sample.metadata["sandbox"]["backend"] == "inspect local"


class TestChoices:
    def test_unknown(self) -> None:
        with pytest.raises(InputError, match="docker, bwrap, inspect-docker, k8s"):
            sandbox_spec("jail", "/w", Resources())

    def test_what_inspects_docker_is_sent(self) -> None:
        config = compose_config("/data/space", Resources(memory_mb=1_000, disk_mb=400))
        service = config.services["default"].model_dump(exclude_none=True)
        assert service["network_mode"] == "none"
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["user"] == "1000:1000"
        assert any(entry.startswith("/data/space:") for entry in service["tmpfs"])
        assert sandbox_spec("inspect-docker", "/w", Resources()).type == "docker"
        assert hash(config)

    async def test_inspect_takes_it(self) -> None:
        project = await ComposeProject.create("clawgym", compose_config("/w", Resources()))
        assert project.config is not None
        written = yaml.safe_load(await asyncio.to_thread(Path(project.config).read_text))
        assert written["services"]["default"]["mem_limit"]
        os.unlink(project.config)

    def test_what_the_cluster_is_sent(self) -> None:
        path = k8s_values("/data/space", Resources(memory_mb=512, cpus=1, disk_mb=200))
        service = yaml.safe_load(path.read_text())["services"]["default"]
        assert service["workingDir"] == service["volumeMounts"][0]["mountPath"] == "/data/space"
        assert service["resources"]["limits"] == {"memory": "512Mi", "cpu": "1"}
        assert service["volumes"][0]["emptyDir"]["sizeLimit"] == "200Mi"
        assert sandbox_spec("k8s", "/data/space", Resources()).type == "k8s"

    def test_the_charts_schema_accepts_it(self) -> None:
        """A copy of the schema of inspect-k8s-sandbox 0.14.0 (MIT), which is not installed here."""
        schema = Path(__file__).parent / "k8s-values.schema.json"
        values = yaml.safe_load(k8s_values("/w", Resources()).read_text())
        values["global"] = {}  # as Helm adds the chart's own
        jsonschema.validate(values, json.loads(schema.read_text()))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**values, "colour": 1}, json.loads(schema.read_text()))

    def test_an_old_engine_is_named_with_the_way_out(self) -> None:
        require("docker")
        found = probe("inspect-docker")
        if not found.available:
            assert "24.0.6" in found.detail
            assert "sandbox=docker" in found.remedy

    def test_without_one_of_ours_nothing_can_be_run_for_grading(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(choices, "probe", lambda name: Probe(False, f"no {name}", ""))
        with pytest.raises(SandboxUnavailable, match="no docker; bwrap: no bwrap"):
            grading_backend()
