"""Our backends as Inspect sandbox providers: `sandbox="claw-docker"`, `sandbox="claw-bwrap"`.

An environment is a thin wrapper; what the rest
of the project works with is its `.sandbox`.
"""

import errno
from collections import Counter
from typing import Any, ClassVar, Literal, overload
from weakref import WeakKeyDictionary

from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from pydantic import BaseModel, ConfigDict

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox import (
    WORKSPACE,
    Backend,
    File,
    Resources,
    Sandbox,
    SandboxSpec,
    open_backend,
)
from clawgym_bench.sandbox.inspect_adapter import InspectSandbox
from clawgym_bench.sandbox.strays import clean_processes


class ClawSandboxConfig(BaseModel):
    """What a task asks of its sandbox; hashable, as Inspect groups samples by it.

    `image` and `runtime` are for docker, `root` (an unpacked image) for bwrap; each provider
    ignores the other's, so that one task definition serves both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    workspace: str = WORKSPACE
    resources: Resources = Resources()
    image: str | None = None
    runtime: str | None = None
    root: str | None = None
    lifetime: float = 86_400.0
    """Seconds after which the sandbox is destroyed, whatever it is doing."""


class ClawSandboxEnvironment(SandboxEnvironment):
    """One sandbox of one sample."""

    backend_name: ClassVar[Literal["docker", "bwrap"]]
    backends: ClassVar[dict[tuple[str | None, ...], Backend]] = {}
    living: ClassVar[set["ClawSandboxEnvironment"]] = set()
    runs: ClassVar[Counter[Backend]] = Counter()
    """Tasks that may still ask a backend for sandboxes."""

    def __init__(self, sandbox: Sandbox, maker: Backend, config: ClawSandboxConfig) -> None:
        super().__init__()
        self.sandbox, self.maker, self.config = sandbox, maker, config

    @classmethod
    def backend(cls, config: ClawSandboxConfig) -> Backend:
        """Made on first use; a backend holds nothing until it creates a sandbox."""
        options = cls.options(config)
        key = (cls.backend_name, *options.values())
        if key not in cls.backends:
            cls.backends[key] = open_backend(cls.backend_name, **options)
        return cls.backends[key]

    @classmethod
    def options(cls, config: ClawSandboxConfig) -> dict[str, str | None]:
        raise NotImplementedError

    @classmethod
    async def task_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None) -> None:
        cls.runs[cls.backend(resolve(config))] += 1

    @classmethod
    async def sample_init(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        metadata: dict[str, str],
    ) -> dict[str, SandboxEnvironment]:
        settings = resolve(config)
        spec = SandboxSpec(
            workspace=settings.workspace,
            resources=settings.resources,
            labels={"task": task_name, "sample": str(metadata.get("__sample_id__", ""))},
            lifetime=settings.lifetime,
        )
        backend = cls.backend(settings)
        environment = cls(await backend.create(spec), backend, settings)
        cls.living.add(environment)
        return {"default": environment}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        for environment in environments.values():
            if isinstance(environment, ClawSandboxEnvironment):
                cls.living.discard(environment)
                await environment.sandbox.close()

    @classmethod
    async def task_cleanup(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, cleanup: bool
    ) -> None:
        """A sandbox dies with this process in any case, so `cleanup=False` cannot keep one."""
        settings = resolve(config)
        for environment in [each for each in cls.living if each.config == settings]:
            cls.living.discard(environment)
            await environment.sandbox.close()
        backend = cls.backend(settings)
        cls.runs[backend] -= 1
        if cls.runs[backend] <= 0:
            await backend.close()

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        return ClawSandboxConfig.model_validate(config)

    def default_polling_interval(self) -> float:
        return 0.2

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,  # noqa: ASYNC109 - Inspect's signature
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        if user not in (None, "agent", "1000"):
            raise SandboxUserUnsupportedError(
                f"a claw sandbox has one user, agent, and cannot run commands as {user!r}"
            )
        result = await self.sandbox.exec(
            cmd,
            stdin=input.encode() if isinstance(input, str) else input or b"",
            cwd=cwd,
            env=env,
            timeout=timeout,
            output_limit=SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE,
        )
        if result.timed_out or result.exit_code is None:
            raise TimeoutError(f"the command ran longer than {timeout} seconds")
        stderr = result.stderr.decode("utf-8", "replace")
        if result.exit_code == 126 and "Permission denied" in stderr:
            raise PermissionError(errno.EACCES, stderr.strip(), cmd[0])
        return ExecResult(
            success=result.ok,
            returncode=result.exit_code,
            stdout=result.stdout.decode("utf-8", "replace"),
            stderr=stderr,
        )

    async def write_file(self, file: str, contents: str | bytes) -> None:
        content = contents.encode() if isinstance(contents, str) else contents
        await self.sandbox.write({file: File(content)})

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        try:
            content = await self.sandbox.read(file, limit=limit)
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise OutputLimitExceededError(
                    SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None
                ) from error
            raise
        return content.decode("utf-8") if text else content


@sandboxenv(name="claw-docker")
class ClawDockerSandbox(ClawSandboxEnvironment):
    backend_name = "docker"

    @classmethod
    def options(cls, config: ClawSandboxConfig) -> dict[str, str | None]:
        return {"image": config.image, "runtime": config.runtime}

    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        from clawgym_bench.sandbox.docker import remove_strays

        await remove_strays(id)


@sandboxenv(name="claw-bwrap")
class ClawBwrapSandbox(ClawSandboxEnvironment):
    backend_name = "bwrap"

    @classmethod
    def options(cls, config: ClawSandboxConfig) -> dict[str, str | None]:
        return {"root": config.root}

    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        """What a dead run has left; the rest ends with the process that made it."""
        clean_processes()


def resolve(config: SandboxEnvironmentConfigType | None) -> ClawSandboxConfig:
    """The settings behind what Inspect hands over: nothing, our model, or JSON of it."""
    if config is None:
        return ClawSandboxConfig()
    if isinstance(config, ClawSandboxConfig):
        return config
    if isinstance(config, str) and config.lstrip().startswith("{"):
        return ClawSandboxConfig.model_validate_json(config)
    raise InputError(
        f"sandbox configuration {config!r}: give a ClawSandboxConfig or its JSON "
        '(for example {"workspace": "/workspace"})'
    )


_adapters: "WeakKeyDictionary[SandboxEnvironment, InspectSandbox]" = WeakKeyDictionary()


def from_inspect(environment: SandboxEnvironment, workspace: str | None = None) -> Sandbox:
    """The sandbox behind an Inspect environment: ours, or an adapter to another provider's.

    `workspace` is for those; what the first call for an environment says holds.
    """
    inner = _behind(environment)
    if isinstance(inner, ClawSandboxEnvironment):
        return inner.sandbox
    if inner not in _adapters:
        _adapters[inner] = InspectSandbox(inner, workspace or WORKSPACE)
    return _adapters[inner]


def backend_of(environment: SandboxEnvironment) -> Backend | None:
    """What made the environment's sandbox, to make another like it; None when it is not ours."""
    inner = _behind(environment)
    return inner.maker if isinstance(inner, ClawSandboxEnvironment) else None


def _behind(environment: SandboxEnvironment) -> SandboxEnvironment:
    """Inspect hands out proxies; `as_type` looks behind them."""
    return environment.as_type(SandboxEnvironment)  # type: ignore[type-abstract]
