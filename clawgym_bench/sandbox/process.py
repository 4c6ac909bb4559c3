"""A child process with two pipes, made and waited for without a moment at which it can be lost.

`asyncio.create_subprocess_exec` of Python 3.11 may wait for ever when it is cancelled while it
connects the pipes, `wait()` there lasts until whoever inherited a pipe has closed it too, and each
process costs a thread that waits. Here the process is made in one step, before anything is
awaited, and its death is told by a pidfd.
"""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

STREAM_LIMIT = 2**20


class Process:
    """Raises `OSError` when it cannot be made. `name` is its argument zero, `errors` the file for
    its stderr, `passed` the descriptors it inherits."""

    def __init__(
        self,
        program: Path,
        name: str,
        arguments: Sequence[str],
        errors: int,
        passed: Sequence[int],
    ) -> None:
        self._popen = subprocess.Popen(
            [name, *arguments],
            executable=program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            pass_fds=passed,
            env={},
            bufsize=0,
        )
        self._reading: asyncio.ReadTransport | None = None
        self._writing: asyncio.WriteTransport | None = None
        self._loop = asyncio.get_running_loop()
        self._over = self._loop.create_future()
        self._handle = os.pidfd_open(self.pid)
        self._loop.add_reader(self._handle, self._died)

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs. Until this or `wait` has seen it dead, its number is its own."""
        return self._popen.poll()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Its stdout and its stdin; once only."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        reader = asyncio.StreamReader(STREAM_LIMIT)
        self._reading, _ = await self._loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._popen.stdout
        )
        self._writing, protocol = await self._loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), self._popen.stdin
        )
        return reader, asyncio.StreamWriter(self._writing, protocol, None, self._loop)

    async def wait(self) -> None:
        await asyncio.shield(self._over)

    def kill(self) -> None:
        """From any thread."""
        self._popen.kill()

    def hang_up(self) -> None:
        """Closes both pipes, also where `connect` was interrupted. A pipe that the loop reads is
        closed by its transport: closed under it, its number goes to another file, and the loop,
        which believes that it watches that one already, never tells of it."""
        for transport, pipe in (
            (self._reading, self._popen.stdout),
            (self._writing, self._popen.stdin),
        ):
            if transport is not None:
                transport.close()
            elif pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _died(self) -> None:
        self._popen.poll()
        self._loop.remove_reader(self._handle)
        os.close(self._handle)
        self._over.set_result(None)
