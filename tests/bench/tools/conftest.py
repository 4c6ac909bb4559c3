"""Tools over a real bwrap sandbox, with files put into its workspace by the test."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from clawgym_bench.sandbox import File, Sandbox, open_backend, probe_bwrap
from clawgym_bench.tools import ClawTools, ToolLimits, ToolOutcome, WebPages, call

Ask = Callable[..., Awaitable[str]]


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    probe = await probe_bwrap()
    if not probe.available:
        reason = f"{probe.detail}: {probe.remedy}"
        if os.environ.get("CLAWGYM_REQUIRE_BWRAP") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    backend = open_backend("bwrap")
    yield await backend.create()
    await backend.close()


@pytest.fixture
def limits() -> ToolLimits:
    return ToolLimits()


@pytest.fixture
def web() -> WebPages | None:
    return None


@pytest.fixture
def tools(sandbox: Sandbox, limits: ToolLimits, web: WebPages | None) -> ClawTools:
    return ClawTools(sandbox, web=web, limits=limits)


@pytest.fixture
def put(sandbox: Sandbox) -> Callable[..., Awaitable[None]]:
    async def write(files: dict[str, bytes | str]) -> None:
        await sandbox.write(
            {
                path: File(content.encode() if isinstance(content, str) else content)
                for path, content in files.items()
            }
        )

    return write


@pytest.fixture
def ask(tools: ClawTools) -> Ask:
    """Calls a tool as a model does; the call must succeed."""

    async def run(name: str, **arguments: object) -> str:
        outcome = await call(tools, name, arguments)
        assert not outcome.error, outcome.text
        return outcome.text

    return run


@pytest.fixture
def refused(tools: ClawTools) -> Ask:
    """Calls a tool as a model does; the call must be refused. Gives what the model is told."""

    async def run(name: str, **arguments: object) -> str:
        outcome = await call(tools, name, arguments)
        assert isinstance(outcome, ToolOutcome)
        assert outcome.error, outcome.text
        return outcome.text

    return run
