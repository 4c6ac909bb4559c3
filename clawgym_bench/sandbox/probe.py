"""What `clawgym-bench doctor` says about a backend."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """Whether sandboxes can be made here, what was found, and what mends it ("" when nothing)."""

    available: bool
    detail: str
    remedy: str
