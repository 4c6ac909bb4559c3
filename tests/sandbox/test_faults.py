"""Whose fault it was decides what becomes of the sample."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from docker.errors import APIError
from inspect_ai import eval
from inspect_ai.log import EvalSample

import clawgym_bench.sandbox.bwrap as bwrap_module
import clawgym_bench.sandbox.container as container_module
from clawgym_bench.errors import AgentFault, SandboxLost, SandboxUnavailable
from clawgym_bench.evaluation import imported
from clawgym_bench.regrade import regrade
from clawgym_bench.sandbox import Backend, Resources, Sandbox, SandboxSpec
from clawgym_bench.sandbox.bwrap import BwrapBackend
from clawgym_bench.sandbox.docker import DockerBackend
from clawgym_bench.sandbox.retry import CREATE_ATTEMPTS
from clawgym_bench.sandbox.supervised import SupervisedSandbox
from clawgym_bench.task import write_folder
from tests.conftest import MakeTask
from tests.sandbox.conftest import require
from tests.sandbox.test_bwrap import find_supervisor
from tests.scripted_model import follow, scripted_model

# Files in memory that nobody can be killed for, until only the supervisor is left.
GLUT = "for d in /workspace /tmp /home/agent; do dd if=/dev/zero of=$d/$RANDOM bs=1M & done; wait"


async def exhaust(sandbox: Sandbox) -> None:
    for _ in range(30):
        await sandbox.exec(["bash", "-c", GLUT], timeout=60)


@pytest.mark.slow
async def test_a_supervisor_that_died_of_the_sandboxes_memory(backend: Backend) -> None:
    spec = SandboxSpec(resources=Resources(memory_mb=64, disk_mb=512))
    sandbox = await backend.create(spec)
    if sandbox.facts.get("cgroup") == "none":
        pytest.skip("without a cgroup, what is in tmpfs does not count as memory")
    with pytest.raises(AgentFault, match="out of memory") as caught:
        await exhaust(sandbox)
    assert caught.value.fault == "memory"
    with pytest.raises(AgentFault, match="out of memory"):
        await sandbox.snapshot()


async def test_a_supervisor_that_somebody_killed_is_nobodys_fault(backend_name: str) -> None:
    backend = BwrapBackend() if backend_name == "bwrap" else DockerBackend(pool=0)
    try:
        sandbox = await backend.create()
        call = asyncio.create_task(sandbox.exec(["sleep", "60"]))
        await asyncio.sleep(0.3)
        if isinstance(backend, BwrapBackend):
            os.kill(find_supervisor(), signal.SIGKILL)
        else:
            backend._connect().api.kill(sandbox.facts["container"])
        with pytest.raises(SandboxLost, match="137"):
            await call
    finally:
        await backend.close()


Exec = Callable[..., Awaitable[Any]]


def play(
    new_task: MakeTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exec: Exec
) -> EvalSample:
    """A sample of the small task, in which a model runs one command, by another `exec`."""
    write_folder(new_task(), tmp_path / "set")
    model = scripted_model(follow([("exec", {"command": "true"}), "Done."]))
    task = imported(path=str(tmp_path / "set"), sandbox="bwrap")
    monkeypatch.setattr(SupervisedSandbox, "exec", exec)
    [log] = eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none")
    assert log.samples
    return log.samples[0]


@pytest.mark.bwrap
def test_an_agent_that_ends_its_sandbox_is_scored_with_the_reason(
    new_task: MakeTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("bwrap")
    whole = SupervisedSandbox.exec

    async def starved(self: SupervisedSandbox, *arguments: Any, **options: Any) -> Any:
        self._channel.doom = AgentFault("the sandbox ran out of memory", "memory")
        self._kill()
        return await whole(self, *arguments, **options)

    sample = play(new_task, tmp_path, monkeypatch, starved)
    assert sample.error is None, sample.error.message
    score = (sample.scores or {})["hybrid"]
    assert isinstance(score.value, dict)
    assert score.value["score"] == score.value["success"] == 0.0
    assert (score.metadata or {})["fault"] == "memory"
    assert "the agent's fault" in str(score.explanation)
    assert sample.metadata["fault"]["fault"] == "memory"
    assert sample.store["Conversations:ended"][-1] == "fault: memory"
    [log] = (tmp_path / "logs").glob("*.eval")
    [change] = regrade(log)
    assert (change.after, change.differs) == (0.0, False)
    assert "no files are left" in change.note


@pytest.mark.bwrap
def test_a_sandbox_that_was_lost_leaves_the_sample_unscored(
    new_task: MakeTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("bwrap")
    whole = SupervisedSandbox.exec

    async def killed(self: SupervisedSandbox, *arguments: Any, **options: Any) -> Any:
        self._kill()
        return await whole(self, *arguments, **options)

    sample = play(new_task, tmp_path, monkeypatch, killed)
    assert not sample.scores
    assert sample.error is not None
    assert "the sandbox ended" in sample.error.message
    assert "fault" not in sample.metadata


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap_module, "BACKOFF_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(container_module, "BACKOFF_SECONDS", (0.0, 0.0))


@pytest.mark.usefixtures("no_pause")
class TestRetries:
    async def test_a_creation_that_fails_once_is_repeated_and_says_so(
        self, backend_name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        backend = fails(backend_name, monkeypatch, 1)
        try:
            with caplog.at_level(logging.WARNING):
                sandbox = await backend.create()
            assert (await sandbox.exec(["true"])).ok
            assert "too busy" in sandbox.facts["retries"]
            assert "made at attempt 2" in caplog.text
        finally:
            await backend.close()

    async def test_it_is_given_up_in_the_end(
        self, backend_name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        backend = fails(backend_name, monkeypatch, CREATE_ATTEMPTS)
        try:
            with pytest.raises(SandboxUnavailable, match="too busy"):
                await backend.create()
            assert (await (await backend.create()).exec(["true"])).ok
        finally:
            await backend.close()


def fails(name: str, monkeypatch: pytest.MonkeyPatch, times: int) -> Backend:
    left = [times]
    if name == "bwrap":
        bwrap = BwrapBackend()
        whole = bwrap._start

        async def start(*arguments: Any) -> Any:
            if left[0]:
                left[0] -= 1
                raise SandboxLost("too busy")
            return await whole(*arguments)

        monkeypatch.setattr(bwrap, "_start", start)
        return bwrap
    docker = DockerBackend(pool=0)
    api = docker._connect().api
    whole_start = api.start

    def start_container(container: str) -> None:
        if left[0]:
            left[0] -= 1
            response = type("Response", (), {"status_code": 500, "reason": "", "url": ""})()
            raise APIError("", response=response, explanation="too busy")
        whole_start(container)

    monkeypatch.setattr(api, "start", start_container)
    return docker
