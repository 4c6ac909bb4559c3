"""Isolated workspaces: one protocol, two backends.

backend = open_backend("bwrap")
sandbox = await backend.create(SandboxSpec())
try:
    result = await sandbox.exec(["ls", "-la"])
finally:
    await backend.close()
"""

from typing import Any, Literal

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.bwrap import BwrapBackend, probe_bwrap
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.protocol import (
    OUTPUT_LIMIT,
    WORKSPACE,
    Backend,
    ExecResult,
    File,
    Resources,
    Sandbox,
    SandboxSpec,
)
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits

__all__ = [
    "OUTPUT_LIMIT",
    "WORKSPACE",
    "Backend",
    "ExecResult",
    "File",
    "Probe",
    "Resources",
    "Sandbox",
    "SandboxSpec",
    "Snapshot",
    "SnapshotLimits",
    "open_backend",
    "probe_bwrap",
    "probe_docker",
]

BackendName = Literal["docker", "bwrap"]


def open_backend(name: BackendName, **options: Any) -> Backend:
    """A backend by name. Options of docker: `image`, `runtime`; of bwrap: `root`.

    Nothing is started yet: what is missing on this machine shows when a sandbox is created.
    """
    try:
        if name == "bwrap":
            return BwrapBackend(**options)
        if name == "docker":
            # Imported here: the SDK takes 0.2 s, which a bwrap run does not need.
            from clawgym_bench.sandbox.docker import DockerBackend

            return DockerBackend(**options)
    except TypeError as error:
        raise InputError(f"sandbox {name!r}: {error}") from error
    raise InputError(f"sandbox {name!r}: must be docker or bwrap")


async def probe_docker(image: str | None = None) -> Probe:
    """Whether a Docker daemon answers and has the image."""
    from clawgym_bench.sandbox.docker import probe_docker as probe

    return await probe(image)
