"""Backends by name."""

from typing import Any, Literal

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.bwrap import BwrapBackend
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.protocol import Backend

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
