"""The Inspect providers: Inspect's own conformance checks, and an eval through each."""

import inspect
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from inspect_ai import Task, eval_async
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Target, accuracy, scorer
from inspect_ai.solver import Generate, TaskState, solver
from inspect_ai.util import SandboxEnvironment, SandboxEnvironmentSpec
from inspect_ai.util import sandbox as current_sandbox
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.events import SandboxEnvironmentProxy

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox import Resources, Sandbox, SnapshotLimits
from clawgym_bench.sandbox.inspect_provider import (
    ClawBwrapSandbox,
    ClawDockerSandbox,
    ClawSandboxConfig,
    ClawSandboxEnvironment,
    from_inspect,
    resolve,
)

PROVIDERS: dict[str, type[ClawSandboxEnvironment]] = {
    "bwrap": ClawBwrapSandbox,
    "docker": ClawDockerSandbox,
}
CHECKS = {
    name: function
    for name, function in vars(self_check).items()
    if name.startswith("test_") and inspect.iscoroutinefunction(function)
}
# A sandbox has one user without a way to become another: `adduser` as root cannot work. Inspect
# asks such providers to raise SandboxUserUnsupportedError, which the next check verifies.
NOT_APPLICABLE = {"test_exec_as_user"}


@pytest.fixture
async def environment(backend_name: str) -> AsyncIterator[SandboxEnvironment]:
    provider = PROVIDERS[backend_name]
    # Room for the two 50 MiB files of the checks.
    made = await provider.sample_init("checks", ClawSandboxConfig(), {})
    yield made["default"]
    await provider.sample_cleanup("checks", None, made, False)


def test_the_checks_are_there() -> None:
    assert len(CHECKS) >= 44


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(CHECKS) - NOT_APPLICABLE))
async def test_inspects_own_check(environment: SandboxEnvironment, name: str) -> None:
    await CHECKS[name](environment)


async def test_another_user_is_refused_as_inspect_wants(environment: SandboxEnvironment) -> None:
    from inspect_ai.util import SandboxUserUnsupportedError

    with pytest.raises(SandboxUserUnsupportedError):
        await environment.exec(["true"], user="root")


@solver
def work() -> Any:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sandbox = from_inspect(current_sandbox())
        result = await sandbox.exec(["sh", "-c", "cat given.txt > copy.txt; pwd"])
        state.metadata["cwd"] = result.stdout.decode().strip()
        return state

    return solve


@scorer(metrics=[accuracy()])
def by_snapshot() -> Any:
    async def score(state: TaskState, target: Target) -> Score:
        sandbox = from_inspect(current_sandbox())
        await sandbox.stop()
        snapshot = await sandbox.snapshot(SnapshotLimits())
        return Score(value=snapshot.files.get("copy.txt") == b"content")

    return score


async def test_an_eval_from_files_to_snapshot(backend_name: str, tmp_path: Any) -> None:
    config = ClawSandboxConfig(
        workspace="/root/.openclaw/workspace", resources=Resources(disk_mb=64)
    )
    task = Task(
        dataset=[Sample(input=f"{n}", files={"given.txt": "content"}) for n in range(4)],
        solver=work(),
        scorer=by_snapshot(),
        sandbox=SandboxEnvironmentSpec(f"claw-{backend_name}", config),
        name="claw",
    )
    [log] = await eval_async(task, model="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 1.0
    assert log.samples is not None
    assert {s.metadata["cwd"] for s in log.samples} == {"/root/.openclaw/workspace"}
    assert not PROVIDERS[backend_name].living


@pytest.mark.slow
async def test_inspects_injected_tools_work(environment: SandboxEnvironment) -> None:
    """`exec_remote` needs processes that outlive an exec and a place for Inspect's programs."""
    proxy = SandboxEnvironmentProxy(environment)  # as Inspect hands environments out
    result = await proxy.exec_remote(["echo", "remote"], stream=False)
    assert result.stdout == "remote\n"


class TestConfig:
    def test_can_be_a_key(self) -> None:
        assert len({ClawSandboxConfig(), ClawSandboxConfig(), ClawSandboxConfig(image="x")}) == 2

    def test_round_trips_through_the_log(self) -> None:
        config = ClawSandboxConfig(workspace="/w", resources=Resources(memory_mb=1))
        assert ClawBwrapSandbox.config_deserialize(config.model_dump()) == config
        assert resolve(config.model_dump_json()) == config
        assert resolve(None) == ClawSandboxConfig()

    def test_other_text_is_refused(self) -> None:
        with pytest.raises(InputError, match="ClawSandboxConfig"):
            resolve("compose.yaml")


@pytest.mark.parametrize("provider", PROVIDERS.values())
def test_no_default_concurrency(provider: type[ClawSandboxEnvironment]) -> None:
    """A number there makes Inspect sleep up to a second before every sample."""
    assert provider.default_concurrency() is None


_: Callable[[SandboxEnvironment], Sandbox] = from_inspect
