"""What a run needs of this machine, and what it ran with."""

import asyncio
import importlib.metadata

from clawgym_bench.errors import SandboxUnavailable
from clawgym_bench.sandbox import probe_bwrap, probe_docker
from clawgym_data.pipeline.settings import Settings

NEEDS_NO_SANDBOX = frozenset({"lint"})


def require_sandbox(settings: Settings) -> None:
    """Raises `SandboxUnavailable` when gates need a sandbox and there is none."""
    sampled = settings.sampled_gates if settings.mutant_share else ()
    if {*settings.gates, *sampled} <= NEEDS_NO_SANDBOX:
        return
    found = asyncio.run(probe_docker() if settings.sandbox == "docker" else probe_bwrap())
    if not found.available:
        raise SandboxUnavailable(
            f"sandbox {settings.sandbox} cannot be used: {found.detail}. {found.remedy}\n"
            "Drafts are audited in sandboxes; --sandbox chooses another one."
        )


def versions() -> dict[str, str]:
    return {name: importlib.metadata.version(name) for name in ("clawgym", "mimesis", "datasketch")}
