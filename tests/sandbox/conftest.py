"""Backends for the tests of this folder: every test that asks for one runs on both."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from clawgym_bench.sandbox import (
    Backend,
    Probe,
    Sandbox,
    SandboxSpec,
    open_backend,
    probe_bwrap,
    probe_docker,
)
from clawgym_bench.sandbox.docker import DockerBackend

Create = Callable[..., Awaitable[Sandbox]]
BACKENDS = [
    pytest.param("bwrap", marks=pytest.mark.bwrap),
    pytest.param("docker", marks=pytest.mark.docker),
]
_probes: dict[str, Probe] = {}


def require(name: str) -> None:
    """Skips with the reason, or fails where the machine is supposed to have the backend."""
    if name not in _probes:
        probe = {"bwrap": probe_bwrap, "docker": probe_docker}[name]
        # In a thread, for there may be a running loop here.
        import threading

        def work() -> None:
            _probes[name] = asyncio.run(probe())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    found = _probes[name]
    if not found.available:
        reason = f"{name}: {found.detail}: {found.remedy}"
        if os.environ.get(f"CLAWGYM_REQUIRE_{name.upper()}") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(params=BACKENDS)
def backend_name(request: pytest.FixtureRequest) -> str:
    require(request.param)
    return str(request.param)


@pytest.fixture(scope="session")
def shared_docker() -> Iterator[DockerBackend]:
    """One for all tests, so that the next test's container is made during this one."""
    opened = DockerBackend(pool=1)
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
async def backend(backend_name: str, request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    if backend_name == "docker":
        shared: DockerBackend = request.getfixturevalue("shared_docker")
        yield shared
        await shared._held.close()
    else:
        opened = open_backend("bwrap")
        yield opened
        await opened.close()


@pytest.fixture
async def sandbox(backend: Backend) -> Sandbox:
    return await backend.create(SandboxSpec())


@pytest.fixture
def shell(sandbox: Sandbox) -> Callable[..., Awaitable[str]]:
    """Runs a shell command that must succeed and returns what it printed."""

    async def run(script: str) -> str:
        result = await sandbox.exec(["bash", "-c", script], timeout=60)
        assert result.ok, (result.exit_code, result.stderr)
        return result.stdout.decode().strip()

    return run
