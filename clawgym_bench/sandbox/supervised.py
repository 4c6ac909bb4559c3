"""A sandbox whose process 1 is our supervisor: everything that both backends share."""

import asyncio
import errno
import functools
import marshal
import os
import posixpath
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clawgym_bench.errors import InputError, SandboxLost
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.labels import Label
from clawgym_bench.sandbox.protocol import (
    OUTPUT_LIMIT,
    ExecResult,
    File,
    SandboxSpec,
)
from clawgym_bench.sandbox.reaper import reaper
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits

HOME = "/home/agent"
PATH = "/usr/local/bin:/usr/bin:/bin"
USERS = {"agent": 1000, "grader": 1001}
BASE_ENV = MappingProxyType(
    {
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "PATH": PATH,
        "PYTHONDONTWRITEBYTECODE": "1",  # no __pycache__ in the deliverables
        "SHELL": "/bin/bash",
        "TERM": "dumb",
        "TZ": "UTC",
    }
)
LOADER = (
    "import marshal, posix; c = posix.read({0}, 1 << 20); posix.close({0}); exec(marshal.loads(c))"
)


def supervisor_text() -> str:
    return resources.files("clawgym_bench.sandbox").joinpath("supervisor.py").read_text("utf-8")


@functools.cache
def supervisor_code() -> bytes:
    """Compiled: half of the time that it takes to start. For this interpreter alone."""
    return marshal.dumps(compile(supervisor_text(), "<supervisor>", "exec", optimize=2))


def supervisor_command(
    python: str, settings: Mapping[str, object], compiled: int | None = None
) -> list[str]:
    """Starts the supervisor with this program's own text, so that both ends always match.

    `compiled`: the open file with `supervisor_code`, where `python` is this very interpreter.
    """
    program = supervisor_text() if compiled is None else LOADER.format(compiled)
    arguments = [f"{name}={value}" for name, value in settings.items() if value != ""]
    return [python, "-I", "-S", "-E", "-X", "utf8", "-c", program, *arguments]


class SupervisedSandbox:
    """Implements `Sandbox` on a channel.

    `destroy` ends the process or container behind it; `kill` does so from any thread, without an
    event loop, for the deadline and for sandboxes whose loop is gone.
    """

    def __init__(
        self,
        channel: Channel,
        spec: SandboxSpec,
        *,
        env: Mapping[str, str],
        facts: Mapping[str, str],
        label: Label,
        destroy: Callable[[], Awaitable[None]],
        kill: Callable[[], None],
        memory_kills: Callable[[], int] = lambda: 0,
    ) -> None:
        self._channel, self._spec, self._destroy, self._kill = channel, spec, destroy, kill
        self._loop = asyncio.get_running_loop()
        self._watched = reaper.watch(label.deadline, self._expire)
        self._memory_kills = memory_kills
        self._env = {**BASE_ENV, "USER": spec.user, "LOGNAME": spec.user, **env, **spec.env}
        made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(label.created))
        self._facts = MappingProxyType({**facts, "run": label.run, "created": made})
        self._closed = False

    @property
    def workspace(self) -> str:
        return self._spec.workspace

    @property
    def facts(self) -> Mapping[str, str]:
        return self._facts

    async def exec(
        self,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - it ends the command, not the call
        output_limit: int = OUTPUT_LIMIT,
    ) -> ExecResult:
        if not command:
            raise OSError(errno.EINVAL, "an empty command")
        merged = {**self._env, **(env or {})}
        refuse_nul(*command, *merged, *merged.values())
        kills = self._memory_kills()
        result = await self._channel.exec(
            command,
            self._inside(cwd or ""),
            merged,
            stdin=stdin,
            timeout=timeout,
            limit=output_limit,
        )
        if result.exit_code != 0 and not result.fault and self._memory_kills() > kills:
            return replace(result, fault="memory")
        return result

    async def write(self, files: Mapping[str, File]) -> None:
        inside = {self._inside(path): file for path, file in files.items()}
        await self._channel.write(inside)

    async def read(self, path: str, *, limit: int = 32 * 2**20) -> bytes:
        return await self._channel.read(self._inside(path), limit)

    async def stop(self) -> None:
        try:
            await self._channel.stop()
        except OSError as error:
            raise SandboxLost(f"its processes cannot be stopped: {error.strerror}") from error

    async def snapshot(self, limits: SnapshotLimits | None = None) -> Snapshot:
        return await self._channel.snapshot(self.workspace, limits or SnapshotLimits())

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        reaper.forget(self._watched)
        try:
            await self._channel.close()
        finally:
            await self._destroy()

    @property
    def orphaned(self) -> bool:
        """Whether the event loop it belongs to is gone, so that nobody can close it."""
        return self._loop.is_closed() and not self._closed

    def abandon(self) -> None:
        """Ends an orphan; blocks."""
        self._closed = True
        reaper.forget(self._watched)
        self._kill()

    def _expire(self) -> None:
        self._channel.doom = SandboxLost(f"its deadline passed ({self._spec.lifetime:g} s)")
        self._kill()

    def _inside(self, path: str) -> str:
        refuse_nul(path)
        return posixpath.join(self.workspace, path) if path else self.workspace


def check_spec(spec: SandboxSpec) -> None:
    """Raises `InputError` for what no sandbox can be made from."""
    if spec.user not in USERS:
        raise InputError(f"sandbox user {spec.user!r}: must be one of {', '.join(USERS)}")
    path = Path(spec.workspace)
    taken = ("/proc", "/dev", "/tmp", "/usr", "/etc", "/bin", "/lib", "/sbin", HOME)
    plain = path.is_absolute() and ".." not in path.parts and len(path.parts) > 1
    if not plain or any(spec.workspace == t or spec.workspace.startswith(t + "/") for t in taken):
        raise InputError(
            f"sandbox workspace {spec.workspace!r}: must be an absolute path outside the system"
        )


def refuse_nul(*texts: str) -> None:
    """No system call can take a NUL; models do write them."""
    for text in texts:
        if "\0" in text:
            raise OSError(errno.EINVAL, "a NUL byte in a path, an argument or a variable", text)


def rlimits(spec: SandboxSpec) -> dict[str, object]:
    """What the supervisor sets for each command; see `limit_resources` there."""
    limits = spec.resources
    return {
        "nofile": limits.open_files,
        "fsize": limits.disk_mb * 2**20,
        "core": "0",
        "processes": limits.processes,
        "workspace": spec.workspace,
        "home": HOME,
    }


def limit_facts(spec: SandboxSpec) -> dict[str, str]:
    limits = spec.resources
    return {
        "user": spec.user,
        "workspace": spec.workspace,
        "memory_mb": str(limits.memory_mb),
        "cpus": str(limits.cpus),
        "processes": str(limits.processes),
        "open_files": str(limits.open_files),
        "disk_mb": str(limits.disk_mb),
        "host": os.uname().release,
    }


async def unmake(birth: asyncio.Task[SupervisedSandbox]) -> None:
    birth.cancel()
    await asyncio.wait([birth])
    if not birth.cancelled() and birth.exception() is None:
        await birth.result().close()


class Held:
    """The sandboxes that a backend has made and that are not closed."""

    def __init__(self) -> None:
        self.sandboxes: set[SupervisedSandbox] = set()
        self._unwanted: set[asyncio.Task[None]] = set()

    async def made(self, making: Coroutine[Any, Any, SupervisedSandbox]) -> SupervisedSandbox:
        """Awaits one in the making. When the caller is cancelled meanwhile, the making is, once,
        and clears up in a task of its own: a cancel scope cancels its tasks again and again, and
        would interrupt that too."""
        birth = asyncio.create_task(making)
        try:
            return await asyncio.shield(birth)
        except asyncio.CancelledError:
            ending = asyncio.create_task(unmake(birth))
            self._unwanted.add(ending)
            ending.add_done_callback(self._unwanted.discard)
            await asyncio.shield(ending)
            raise

    async def close(self) -> None:
        """Closes all of them, also those of event loops that are gone."""
        await self.bury()
        loop = asyncio.get_running_loop()
        closed = await asyncio.gather(
            *(sandbox.close() for sandbox in list(self.sandboxes)),
            *(ending for ending in self._unwanted if ending.get_loop() is loop),
            return_exceptions=True,
        )
        for outcome in closed:
            if isinstance(outcome, BaseException):
                raise outcome

    async def bury(self) -> None:
        for sandbox in [sandbox for sandbox in list(self.sandboxes) if sandbox.orphaned]:
            self.sandboxes.discard(sandbox)
            await asyncio.to_thread(sandbox.abandon)
