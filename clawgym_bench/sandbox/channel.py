"""The host's end of a supervisor's two pipes: many calls at once over one stream.

When the stream ends, breaks or says what no supervisor says, every open call and every later one
raises `SandboxLost`, or `AgentFault` where the sandbox used itself up.
"""

import asyncio
import contextlib
import copy
import itertools
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from clawgym_bench.errors import ClawGymError, SandboxLost
from clawgym_bench.sandbox.calls import Call, DoneCall, ExecCall, ReadCall, SnapshotCall
from clawgym_bench.sandbox.protocol import ExecResult, File
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits
from clawgym_bench.sandbox.wire import (
    UPLOAD_CHUNK,
    ProtocolViolation,
    Reader,
    encode,
    pack,
    read_frame,
    unpack,
)

T = TypeVar("T")
GRACE = 30.0
"""Seconds beyond a command's own time limit after which a silent supervisor counts as lost."""
CALL_TIMEOUT = 300.0
START_TIMEOUT = 60.0


class Channel:
    """Calls to one supervisor. `explain` says why it died, once the stream has ended: a
    `SandboxLost`, or an `AgentFault` where the sandbox did it to itself."""

    def __init__(
        self,
        reader: Reader,
        writer: asyncio.StreamWriter,
        explain: Callable[[], Awaitable[ClawGymError]],
    ) -> None:
        self._reader, self._writer, self._explain = reader, writer, explain
        self._numbers = itertools.count(1)
        self._calls: dict[int, Call[Any]] = {}
        self._lost: ClawGymError | None = None
        self.doom: ClawGymError | None = None
        """Why this program itself is ending the sandbox, set before it does."""
        self._ready: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self._pump = asyncio.create_task(self._receive())

    async def ready(self) -> dict[str, str]:
        """Waits for the supervisor's first frame: what it says about itself."""
        try:
            async with asyncio.timeout(START_TIMEOUT):
                return await asyncio.shield(self._ready)
        except TimeoutError:
            raise SandboxLost(f"no answer within {START_TIMEOUT:.0f} s of the start") from None

    async def exec(
        self,
        command: Sequence[str],
        cwd: str,
        env: Mapping[str, str],
        *,
        stdin: bytes,
        timeout: float | None,  # noqa: ASYNC109
        limit: int,
    ) -> ExecResult:
        call = ExecCall(limit)
        number = self._open(call)
        pairs = [f"{name}={value}" for name, value in env.items()]
        deadline = "" if timeout is None else repr(float(timeout))
        fields: list[str | int] = [cwd, deadline, limit, len(command), *command, *pairs]
        start, end = encode(b"E", number, pack(fields)), encode(b"I", number)
        try:
            if stdin:
                self._writer.write(start)
                for at in range(0, len(stdin), UPLOAD_CHUNK):
                    self._send(b"I", number, stdin[at : at + UPLOAD_CHUNK])
                    if not call.result.done():
                        await self._drain()
                self._writer.write(end)
            else:
                self._writer.write(start + end)
            return await self._answer(call, None if timeout is None else timeout + GRACE)
        except asyncio.CancelledError:
            if self._lost is None:
                self._send(b"K", number)
            raise
        finally:
            self._calls.pop(number, None)

    async def write(self, files: Mapping[str, File]) -> None:
        call = DoneCall(files)
        number = self._open(call)
        waiting = bytearray()
        try:
            for path, file in files.items():
                mode = "" if file.mode is None else file.mode & 0o777
                waiting += encode(b"P", number, pack([os.fsencode(path), mode]))
                for at in range(0, len(file.content), UPLOAD_CHUNK):
                    waiting += encode(b"D", number, file.content[at : at + UPLOAD_CHUNK])
                    if len(waiting) >= UPLOAD_CHUNK:
                        self._writer.write(bytes(waiting))
                        waiting.clear()
                        await self._drain()
            self._writer.write(bytes(waiting) + encode(b"F", number))
            await self._answer(call, CALL_TIMEOUT)
        except asyncio.CancelledError:
            if self._lost is None:
                self._send(b"F", number)
            raise
        finally:
            self._calls.pop(number, None)

    async def read(self, path: str, limit: int) -> bytes:
        return await self._ask(b"G", ReadCall(path, limit), pack([os.fsencode(path), limit]))

    async def stop(self) -> None:
        await self._ask(b"X", DoneCall())

    async def snapshot(self, root: str, limits: SnapshotLimits) -> Snapshot:
        counts = (limits.files, limits.file_size, limits.total_size)
        payload = pack([root, *counts, limits.path_length, limits.depth])
        return await self._ask(b"S", SnapshotCall(limits), payload)

    async def close(self) -> None:
        """Ends the conversation; the supervisor leaves when its stdin closes."""
        self._lose(SandboxLost("the sandbox was closed"))
        self._pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._pump
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    # Inside

    def _open(self, call: Call[Any]) -> int:
        if self._lost is not None:
            raise copy.copy(self._lost)
        number = next(self._numbers) & 0xFFFF_FFFF
        self._calls[number] = call
        return number

    def _send(self, kind: bytes, number: int, payload: bytes = b"") -> None:
        self._writer.write(encode(kind, number, payload))

    async def _drain(self) -> None:
        try:
            await self._writer.drain()
        except OSError:
            await self._died()

    async def _ask(self, kind: bytes, call: Call[T], payload: bytes = b"") -> T:
        number = self._open(call)
        try:
            self._send(kind, number, payload)
            return await self._answer(call, CALL_TIMEOUT)
        finally:
            self._calls.pop(number, None)

    async def _answer(self, call: Call[T], seconds: float | None) -> T:
        try:
            async with asyncio.timeout(seconds):
                await self._drain()
                return await call.result
        except TimeoutError:
            self._lose(SandboxLost("the supervisor stopped answering"))
            raise SandboxLost("the supervisor stopped answering") from None

    async def _receive(self) -> None:
        try:
            while True:
                frame = await read_frame(self._reader)
                if frame.kind == b"R" and not self._ready.done():
                    self._ready.set_result(described(frame.payload))
                elif call := self._calls.get(frame.number):
                    call.take(frame)
        except (asyncio.IncompleteReadError, OSError):
            # Whoever explains may itself wait for the death to be recorded elsewhere.
            await self._died()
        except ProtocolViolation as error:
            self._lose(SandboxLost(f"the supervisor broke the protocol: {error}"))

    async def _died(self) -> None:
        if self._lost is not None:
            return
        try:
            self._lose(self.doom or await self._explain())
        except Exception as error:  # every open call must end, or its caller would wait for ever
            self._lose(SandboxLost(f"the sandbox is gone, and why cannot be said: {error}"))

    def _lose(self, reason: ClawGymError) -> None:
        if self._lost is None:
            self._lost = reason
        if not self._ready.done():
            self._ready.set_exception(copy.copy(self._lost))
            self._ready.exception()  # nobody may be waiting any more
        for call in self._calls.values():
            call.fail(copy.copy(self._lost))
            if call.result.done() and not call.result.cancelled():
                call.result.exception()


def described(payload: bytes) -> dict[str, str]:
    """The supervisor's `name=value` pairs, printable and bounded."""
    texts = (field.decode("ascii", "replace")[:200] for field in unpack(payload)[:20])
    return {name: value for name, _, value in (text.partition("=") for text in texts)}
