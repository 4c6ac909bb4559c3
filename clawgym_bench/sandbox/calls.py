"""The calls that a host has open with a supervisor, and how their answers are put together.

Every answer is hostile data: a call accepts a bounded amount, checks each field again and fails
with `ProtocolViolation` rather than believing anything.
"""

import asyncio
import os
from collections.abc import Collection
from types import MappingProxyType
from typing import Generic, TypeVar

from clawgym_bench.sandbox.protocol import ExecResult
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits
from clawgym_bench.sandbox.wire import Frame, ProtocolViolation, integer, unpack

T = TypeVar("T")
FAULTS = {b"": "", b"memory": "memory", b"processes": "processes", b"disk": "disk"}
REASON_LENGTH = 200


class Call(Generic[T]):
    """One question to the supervisor; `result` is set by the last frame of its answer."""

    def __init__(self) -> None:
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def take(self, frame: Frame) -> None:
        """Handles one frame of the answer."""
        raise NotImplementedError

    def succeed(self, value: T) -> None:
        if not self.result.done():
            self.result.set_result(value)

    def fail(self, error: BaseException) -> None:
        if not self.result.done():
            self.result.set_exception(error)


class ExecCall(Call[ExecResult]):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.output = {b"o": bytearray(), b"e": bytearray()}

    def take(self, frame: Frame) -> None:
        if frame.kind in self.output:
            kept = self.output[frame.kind]
            kept += frame.payload
            if len(kept) > self.limit + REASON_LENGTH:
                raise ProtocolViolation("more output than was asked for")
        elif frame.kind == b"x":
            self.finish(unpack(frame.payload))
        else:
            raise ProtocolViolation(f"frame {frame.kind!r} in an exec")

    def finish(self, fields: list[bytes]) -> None:
        if len(fields) != 6 or fields[4] not in FAULTS:
            raise ProtocolViolation("malformed end of an exec")
        code, timed_out, out_cut, err_cut, fault, elapsed = fields
        cuts = integer(out_cut), integer(err_cut)
        self.succeed(
            ExecResult(
                exit_code=integer(code, most=255) if code else None,
                stdout=self.join(b"o", cuts[0]),
                stderr=self.join(b"e", cuts[1]),
                stdout_cut=cuts[0],
                stderr_cut=cuts[1],
                timed_out=timed_out == b"1",
                fault=FAULTS[fault],
                seconds=integer(elapsed) / 1e6,
            )
        )

    def join(self, kind: bytes, cut: int) -> bytes:
        kept = bytes(self.output[kind])
        if not cut:
            return kept
        head = self.limit // 2
        return kept[:head] + f"\n[... {cut} bytes left out ...]\n".encode() + kept[head:]


class DoneCall(Call[None]):
    """A call whose whole answer is "done" or an error number; `paths` may be named in it."""

    def __init__(self, paths: Collection[str] = ()) -> None:
        super().__init__()
        self.paths = {os.fsencode(path): path for path in paths}

    def take(self, frame: Frame) -> None:
        if frame.kind != b".":
            raise ProtocolViolation(f"frame {frame.kind!r} where an end was expected")
        fields = unpack(frame.payload)
        number = integer(fields[0], most=4095) if fields else 0
        if number:
            path = self.paths.get(fields[1]) if len(fields) > 1 else None
            self.fail(OSError(number, os.strerror(number), path))
        else:
            self.succeed(None)


class ReadCall(Call[bytes]):
    def __init__(self, path: str, limit: int) -> None:
        super().__init__()
        self.path, self.limit, self.content = path, limit, bytearray()

    def take(self, frame: Frame) -> None:
        if frame.kind == b"d":
            self.content += frame.payload
            if len(self.content) > self.limit:
                raise ProtocolViolation("more content than was asked for")
        elif frame.kind == b".":
            fields = unpack(frame.payload)
            number = integer(fields[0], most=4095) if fields else 0
            if number:
                self.fail(OSError(number, os.strerror(number), self.path))
            else:
                self.succeed(bytes(self.content))
        else:
            raise ProtocolViolation(f"frame {frame.kind!r} in a read")


class SnapshotCall(Call[Snapshot]):
    def __init__(self, limits: SnapshotLimits) -> None:
        super().__init__()
        self.limits = limits
        self.files: dict[str, bytes] = {}
        self.directories: set[str] = set()
        self.refused: dict[str, str] = {}
        self.total = 0
        self.path: bytes | None = None
        self.content = bytearray()

    def take(self, frame: Frame) -> None:
        match frame.kind:
            case b"n":
                self.add_directory(frame.payload)
            case b"r":
                path, reason = (*unpack(frame.payload), b"", b"")[:2]
                self.refuse(path, reason.decode("utf-8", "replace")[:REASON_LENGTH])
            case b"f":
                if self.path is not None:
                    raise ProtocolViolation("a file inside a file")
                self.path, self.content = frame.payload, bytearray()
            case b"d":
                self.add_data(frame.payload)
            case b"c":
                self.end_file(frame.payload.decode("utf-8", "replace")[:REASON_LENGTH])
            case b".":
                self.finish(unpack(frame.payload))
            case _:
                raise ProtocolViolation(f"frame {frame.kind!r} in a snapshot")

    def add_directory(self, raw: bytes) -> None:
        if len(self.directories) >= self.limits.files:
            raise ProtocolViolation("too many directories")
        path, problem = checked(raw, self.limits)
        if problem:
            self.refuse(raw, problem)
        else:
            self.directories.add(path)

    def add_data(self, data: bytes) -> None:
        if self.path is None:
            raise ProtocolViolation("content without a file")
        self.content += data
        self.total += len(data)
        too_long = len(self.content) > self.limits.file_size
        if too_long or self.total > self.limits.total_size:
            raise ProtocolViolation("more content than the limits allow")

    def end_file(self, problem: str) -> None:
        raw, self.path = self.path, None
        if raw is None or len(self.files) >= self.limits.files:
            raise ProtocolViolation("an unexpected end of a file")
        path, bad_name = checked(raw, self.limits)
        if problem or bad_name:
            self.refuse(raw, bad_name or problem)
        else:
            self.files[path] = bytes(self.content)
        self.content = bytearray()

    def refuse(self, raw: bytes, reason: str) -> None:
        if len(self.refused) >= 3 * self.limits.files + 3:
            raise ProtocolViolation("too many refused entries")
        longest = self.limits.path_length
        shown = escaped(raw[:longest]) + ("…" if len(raw) > longest else "")
        self.refused[shown] = reason or "refused"

    def finish(self, fields: list[bytes]) -> None:
        number = integer(fields[0], most=4095) if fields else 0
        if number:
            self.fail(OSError(number, os.strerror(number)))
            return
        cut = fields[2].decode("utf-8", "replace")[:REASON_LENGTH] if len(fields) > 2 else ""
        self.succeed(
            Snapshot(
                files=MappingProxyType(self.files),
                directories=frozenset(self.directories),
                refused=MappingProxyType(self.refused),
                cut=cut,
            )
        )


def escaped(raw: bytes) -> str:
    """A name from the sandbox, made printable."""
    text = raw.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def checked(raw: bytes, limits: SnapshotLimits) -> tuple[str, str]:
    """A relative path from the sandbox, and what is wrong with it ("" when nothing is)."""
    try:
        path = raw.decode("utf-8")
    except UnicodeDecodeError:
        return "", "name is not UTF-8"
    if any(ord(c) < 32 or ord(c) == 127 for c in path):
        return "", "control characters in the name"
    if len(raw) > limits.path_length:
        return "", "path too long"
    parts = path.split("/")
    if not path or len(parts) > limits.depth + 1 or any(part in ("", ".", "..") for part in parts):
        raise ProtocolViolation("a path that no walk produces")
    return path, ""
