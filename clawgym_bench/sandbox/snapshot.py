"""What an agent left behind, as plain bytes: regular files only, bounded, links never followed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class SnapshotLimits:
    """What is exported at most. Sizes in bytes."""

    files: int = 20_000
    file_size: int = 32 * 2**20
    total_size: int = 256 * 2**20
    path_length: int = 1_024
    depth: int = 64


@dataclass(frozen=True)
class Snapshot:
    """A workspace frozen in memory.

    `files` maps a relative POSIX path to the content of a regular file. `directories` are all
    directories, the empty ones too. `refused` maps what was not exported (a link, a device, a
    FIFO, a socket, a file over a limit, a name that is not UTF-8 or holds control characters;
    bad bytes are escaped) to the reason. `cut` says why the export as a whole is incomplete
    (too many files, too many bytes); it is empty when everything was seen.
    """

    files: Mapping[str, bytes]
    directories: frozenset[str] = frozenset()
    refused: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    cut: str = ""
