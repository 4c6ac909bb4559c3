"""Frames between the host and a sandbox's supervisor: kind, id, length, payload.

The peer runs beside hostile code. Nothing here trusts a length, a count or a text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

HEADER = 9
MAX_PAYLOAD = 2**20
UPLOAD_CHUNK = 256 * 1024


class ProtocolViolation(Exception):
    """The peer sent something that a supervisor never sends."""


@dataclass(frozen=True)
class Frame:
    """One message; `kind` is a single byte, `number` says which call it belongs to."""

    kind: bytes
    number: int
    payload: bytes


def encode(kind: bytes, number: int, payload: bytes = b"") -> bytes:
    return kind + number.to_bytes(4, "big") + len(payload).to_bytes(4, "big") + payload


def pack(fields: Iterable[bytes | str | int]) -> bytes:
    """A list of byte strings as one payload."""
    parts: list[bytes] = []
    for field in fields:
        raw = field if isinstance(field, bytes) else str(field).encode("utf-8", "surrogateescape")
        parts += (len(raw).to_bytes(4, "big"), raw)
    return b"".join(parts)


def unpack(payload: bytes) -> list[bytes]:
    """The inverse of `pack`; raises `ProtocolViolation` when the lengths do not add up."""
    fields, at = [], 0
    while at < len(payload):
        size = int.from_bytes(payload[at : at + 4], "big")
        at += 4
        if at + size > len(payload):
            raise ProtocolViolation("a field is longer than its frame")
        fields.append(payload[at : at + size])
        at += size
    return fields


def integer(field: bytes, most: int = 2**62) -> int:
    """A non-negative number from the peer."""
    if not field.isdigit() or len(field) > 20:
        raise ProtocolViolation("a number was expected")
    return min(int(field), most)


class Reader(Protocol):
    """What is needed of a stream; `asyncio.StreamReader` has it."""

    async def readexactly(self, size: int, /) -> bytes: ...


async def read_frame(reader: Reader) -> Frame:
    """The next frame; `IncompleteReadError` at the end of the stream."""
    header = await reader.readexactly(HEADER)
    size = int.from_bytes(header[5:], "big")
    if size > MAX_PAYLOAD:
        raise ProtocolViolation(f"a frame of {size} bytes")
    payload = await reader.readexactly(size) if size else b""
    return Frame(header[:1], int.from_bytes(header[1:5], "big"), payload)
