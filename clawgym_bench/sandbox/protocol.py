"""What a sandbox is, whichever program provides it.

A `Backend` makes sandboxes. A `Sandbox` serves one sample or one grading and is then destroyed.
All paths given to a sandbox are absolute inside it or relative to its workspace. Everything that
comes out of one is hostile data: bounded here, parsed elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits

WORKSPACE = "/workspace"
OUTPUT_LIMIT = 256 * 1024


@dataclass(frozen=True)
class Resources:
    """Limits of one sandbox; recorded with every log."""

    memory_mb: int = 2_048
    cpus: float = 2.0
    processes: int = 256
    open_files: int = 4_096
    disk_mb: int = 512
    """Size of the workspace; /tmp and the home directory have a quarter of it each."""


@dataclass(frozen=True)
class SandboxSpec:
    """What to create. `labels` may name the `sample`; it shows wherever sandboxes are listed."""

    workspace: str = WORKSPACE
    user: str = "agent"
    """`agent` for the agent's own work, `grader` for a check that runs something afterwards."""
    resources: Resources = field(default_factory=Resources)
    env: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    lifetime: float = 86_400.0
    """Seconds after which it is destroyed, whatever it is doing."""


@dataclass(frozen=True)
class File:
    """A file to be written: its bytes and permission bits (None: 0644 for a new file, and those
    of a file that is there stay as they are)."""

    content: bytes
    mode: int | None = None


@dataclass(frozen=True)
class ExecResult:
    """Outcome of one command.

    `exit_code` is None when the command was killed at its time limit. Output beyond the limit is
    dropped from the middle; `stdout_cut` and `stderr_cut` count the dropped bytes (0: complete),
    and the kept text is `head + tail` with a line in between that says so. `fault` names what the
    sandbox itself did to the command: "memory", "processes", "disk" or "" (nothing noticed).
    """

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    stdout_cut: int = 0
    stderr_cut: int = 0
    timed_out: bool = False
    fault: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.exit_code == 0


@runtime_checkable
class Sandbox(Protocol):
    """One isolated workspace with its processes.

    Processes that a command leaves in the background go on until `stop` or `close`. Every method
    raises `SandboxLost` when the sandbox is gone, and `AgentFault` when what ran in it has ended
    it.
    """

    @property
    def workspace(self) -> str: ...

    @property
    def facts(self) -> Mapping[str, str]:
        """Backend, version, image digest or root, user, limits in force: recorded in the log."""
        ...

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
        """Runs a command in its own session; at `timeout` seconds its whole session is killed."""
        ...

    async def write(self, files: Mapping[str, File]) -> None:
        """Writes files in one stream, making parent directories.

        Raises `OSError` when the sandbox refuses (no space, not permitted, is a directory).
        """
        ...

    async def read(self, path: str, *, limit: int = 32 * 2**20) -> bytes:
        """Raises `FileNotFoundError`, `IsADirectoryError`, `PermissionError`, or `OSError`
        (errno EFBIG) when the file is larger than `limit`."""
        ...

    async def stop(self) -> None:
        """Kills every process of the sandbox except its supervisor."""
        ...

    async def snapshot(self, limits: SnapshotLimits | None = None) -> Snapshot:
        """Exports the workspace as one stream. Call `stop` first, so that nothing moves."""
        ...

    async def close(self) -> None:
        """Destroys the sandbox; safe to call twice."""
        ...


class Backend(Protocol):
    """Makes sandboxes of one kind."""

    @property
    def name(self) -> str: ...

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        """Raises `SandboxUnavailable` with what mends it, or `SandboxLost` when it dies early."""
        ...

    async def close(self) -> None:
        """Destroys every sandbox that this backend still holds."""
        ...
