"""Reads a tar archive that hostile code may have written, as a snapshot.

A reader of our own, because it must not do most of what `tarfile` does: nothing is unpacked, no
link is followed, every number is checked, no regular expression meets the content, and what is
wrong ends the reading with what was read so far. It knows ustar, GNU long names and pax.
"""

from dataclasses import dataclass, field
from types import MappingProxyType

from clawgym_bench.sandbox.calls import checked, escaped
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits
from clawgym_bench.sandbox.wire import ProtocolViolation

BLOCK = 512
EXTENSION_BYTES = 64 * 1024
DAMAGED = "the archive is damaged or cut off"
KINDS = {
    b"1": "hard link to what is not in the archive",
    b"2": "symbolic link",
    b"3": "character device",
    b"4": "block device",
    b"6": "FIFO",
    b"S": "sparse file",
}


class Damaged(Exception):
    """The archive breaks its own format."""


@dataclass
class Reading:
    """What has been read so far."""

    limits: SnapshotLimits
    files: dict[str, bytes] = field(default_factory=dict)
    directories: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    total: int = 0

    def refuse(self, raw: bytes, reason: str) -> None:
        self.refused[escaped(raw[: self.limits.path_length])] = reason

    def cut(self) -> str:
        """Why no more may be read."""
        most = self.limits.files
        for found, what in (
            (self.files, "files"),
            (self.directories, "directories"),
            (self.refused, "refused entries"),
        ):
            if len(found) > most:
                return f"too many {what}"
        return ""

    def snapshot(self, cut: str) -> Snapshot:
        return Snapshot(
            MappingProxyType(self.files),
            frozenset(self.directories),
            MappingProxyType(self.refused),
            cut,
        )


def snapshot_of_archive(archive: bytes, limits: SnapshotLimits) -> Snapshot:
    """Never raises; what is amiss is in `refused` and `cut`."""
    reading = Reading(limits)
    try:
        cut = read_members(memoryview(archive), reading)
    except Damaged:
        cut = DAMAGED
    return reading.snapshot(cut)


def read_members(archive: memoryview, reading: Reading) -> str:
    at = 0
    name: bytes | None = None
    target: bytes | None = None
    size: int | None = None
    while True:
        header = bytes(archive[at : at + BLOCK])
        if len(header) < BLOCK:
            raise Damaged
        if not any(header):
            return ""
        check_sum(header)
        kind, stated = header[156:157], number(header[124:136])
        length = stated if size is None else size
        at += BLOCK
        body = archive[at : at + length]
        if len(body) < length:
            raise Damaged
        at += -(-length // BLOCK) * BLOCK
        if kind in b"LKxg":
            if length > EXTENSION_BYTES:
                raise Damaged
            if kind == b"L":
                name = bytes(body).rstrip(b"\0")
            elif kind == b"K":
                target = bytes(body).rstrip(b"\0")
            elif kind == b"x":
                fields = pax(bytes(body))
                name, target = fields.get(b"path", name), fields.get(b"linkpath", target)
                if b"size" in fields:
                    size = decimal(fields[b"size"])
            continue
        plain = text(header[:100])
        if header[257:262] == b"ustar" and header[345]:
            plain = text(header[345:500]) + b"/" + plain
        if cut := take(reading, kind, name or plain, body, target or text(header[157:257])):
            return cut
        name = target = size = None


def take(reading: Reading, kind: bytes, raw: bytes, body: memoryview, target: bytes) -> str:
    """One member; returns why the reading must end, or nothing."""
    raw = tidy(raw)
    if not raw or raw == b".":
        return ""
    try:
        path, problem = checked(raw, reading.limits)
    except ProtocolViolation:
        path, problem = "", "a path that leads out"
    if problem:
        reading.refuse(raw, problem)
    elif kind == b"5":
        reading.directories.add(path)
    elif kind in (b"0", b"\0", b"7"):
        if len(body) > reading.limits.file_size:
            reading.refuse(raw, "file too large")
        elif reading.total + len(body) > reading.limits.total_size:
            return "too many bytes"
        else:
            reading.total += len(body)
            reading.files[path] = bytes(body)
    elif kind == b"1" and (known := reading.files.get(tidy(target).decode("utf-8", "replace"))):
        # The same file once more: only its name in this archive counts.
        reading.total += len(known)
        if reading.total > reading.limits.total_size:
            return "too many bytes"
        reading.files[path] = known
    else:
        reading.refuse(raw, KINDS.get(kind, "not a regular file"))
    return reading.cut()


def tidy(raw: bytes) -> bytes:
    """As `tar -C FOLDER .` names things: `./a/b`, folders with a slash at the end."""
    return raw.removeprefix(b"./").removesuffix(b"/")


def text(raw: bytes) -> bytes:
    return raw.partition(b"\0")[0]


def number(raw: bytes) -> int:
    """Octal, or base 256 where the first bit is set."""
    if raw[0] & 0x80:
        if raw[0] != 0x80:  # negative, or larger than anything
            raise Damaged
        return int.from_bytes(raw[1:], "big")
    digits = raw.strip(b" \0")
    if digits.strip(b"01234567"):
        raise Damaged
    return int(digits or b"0", 8)


def decimal(raw: bytes) -> int:
    if not raw.isdigit() or len(raw) > 20:
        raise Damaged
    return int(raw)


def check_sum(header: bytes) -> None:
    stated = number(header[148:156])
    if stated != sum(header) - sum(header[148:156]) + 8 * 32:
        raise Damaged


def pax(body: bytes) -> dict[bytes, bytes]:
    """`length key=value` lines."""
    fields, at = {}, 0
    while at < len(body):
        space = body.find(b" ", at, at + 21)
        if space < 0:
            raise Damaged
        end = at + decimal(body[at:space])
        line = body[space + 1 : end]
        if end <= space + 1 or end > len(body) or not line.endswith(b"\n"):
            raise Damaged
        key, _, value = line[:-1].partition(b"=")
        fields[key] = value
        at = end
    return fields
