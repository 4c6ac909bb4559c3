"""Isolated workspaces: one protocol, two backends.

backend = open_backend("bwrap")
sandbox = await backend.create(SandboxSpec())
try:
    result = await sandbox.exec(["ls", "-la"])
finally:
    await backend.close()
"""

from clawgym_bench.sandbox.backends import open_backend, probe_docker
from clawgym_bench.sandbox.bwrap import probe_bwrap
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
