"""Any Inspect sandbox environment as our `Sandbox`: Inspect's docker, k8s, and others.

What is inside need only have `sh` and `tar`. Compared with our own backends: every call is a
process of the provider's, output comes as text, what the sandbox did to a command is not
recognised (`fault` is always ""), a command whose background job keeps its output open returns
when that ends, and `stop` finds the processes that carry a mark in their
environment, which a process may take off. A snapshot is safe to read in any case.
"""

import asyncio
import contextlib
import errno
import io
import itertools
import math
import posixpath
import secrets
import tarfile
import time
from collections.abc import Awaitable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from inspect_ai.util import (
    ExecResult as TextResult,
)
from inspect_ai.util import (
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
)

from clawgym_bench.errors import SandboxLost
from clawgym_bench.sandbox.archive import snapshot_of_archive
from clawgym_bench.sandbox.protocol import OUTPUT_LIMIT, WORKSPACE, ExecResult, File
from clawgym_bench.sandbox.snapshot import Snapshot, SnapshotLimits
from clawgym_bench.sandbox.supervised import refuse_nul

T = TypeVar("T")
MARK = "CLAWGYM_MARK"
FEW = 3
"""Files up to this many are written one by one, more as an archive."""
OWN_SECONDS = 120
GRACE_SECONDS = 20
MEMBER_BYTES = 3 * 512

RUN = 'cd "$1" || exit 126; shift; exec "$@"'
KILL = """
for round in 1 2 3 4 5; do
  found=
  for each in /proc/[0-9]*; do
    if grep -qs "$1" "$each/environ"; then found=1; kill -9 "${each#/proc/}" 2>/dev/null; fi
  done
  [ -n "$found" ] || exit 0
done
"""
LOOK = """
[ -d "$1" ] && exit 21
[ -e "$1" ] || exit 2
[ -f "$1" ] || exit 22
[ -r "$1" ] || exit 13
[ "$(wc -c < "$1")" -le "$2" ] || exit 27
"""
EXPORT = 'ulimit -f "$3"; tar -cf "$1" -C "$2" . 2>/dev/null; chmod 600 "$1"'
EXISTING_MODES = 'for f; do stat -c "%a" "$f" 2>/dev/null || echo 644; done'


class InspectSandbox:
    """`workspace` is made when the first file is written into it."""

    def __init__(self, environment: SandboxEnvironment, workspace: str = WORKSPACE) -> None:
        self.environment, self.workspace = environment, workspace
        self._mark = secrets.token_hex(16)
        self._numbers = itertools.count(1)
        name = type(environment).__name__.removesuffix("SandboxEnvironment").lower()
        self.facts: Mapping[str, str] = MappingProxyType(
            {"backend": f"inspect {name}", "workspace": workspace}
        )

    async def exec(
        self,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - it ends the command, not the call
        output_limit: int = OUTPUT_LIMIT,
    ) -> ExecResult:
        if not command:
            raise OSError(errno.EINVAL, "an empty command")
        variables = {"PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        refuse_nul(*command, *variables, *variables.values())
        mark = f"{self._mark}.{next(self._numbers)}."
        start = time.monotonic()
        expired = asyncio.Event()
        # Providers kill the command alone and then wait for whoever else holds its output.
        expiry = asyncio.create_task(self._expire(mark, timeout, expired))
        shown, errors, code = b"", b"", None
        try:
            result = await self._call(
                self.environment.exec(
                    ["sh", "-c", RUN, "sh", self._inside(cwd or ""), *command],
                    input=stdin,
                    env={**variables, MARK: mark},
                    timeout=None if timeout is None else math.ceil(timeout) + GRACE_SECONDS,
                    timeout_retry=False,
                )
            )
            code = result.returncode if result.returncode >= 0 else 128 - result.returncode
            shown, errors = result.stdout.encode(), result.stderr.encode()
        except TimeoutError:
            expired.set()
        except OutputLimitExceededError as error:
            # The command goes on writing to nobody; its exit code will not be known.
            await self._kill(mark)
            code, shown = 141, (error.truncated_output or "").encode()
        except PermissionError as error:
            code, errors = 126, f"{command[0]}: {error.strerror or error}\n".encode()
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await asyncio.shield(self._kill(mark))
            raise
        finally:
            expiry.cancel()
        out, out_cut = shortened(shown, output_limit)
        err, err_cut = shortened(errors, output_limit)
        return ExecResult(
            exit_code=None if expired.is_set() else code,
            stdout=out,
            stderr=err,
            stdout_cut=out_cut,
            stderr_cut=err_cut,
            timed_out=expired.is_set(),
            seconds=time.monotonic() - start,
        )

    async def write(self, files: Mapping[str, File]) -> None:
        inside = {self._inside(path): file for path, file in files.items()}
        if len(inside) > FEW:
            await self._write_archive(inside)
            return
        for path, file in inside.items():
            await self._call(self.environment.write_file(path, file.content))
            if file.mode is not None:
                await self._own("chmod", f"{file.mode & 0o777:o}", path)

    async def _write_archive(self, files: Mapping[str, File]) -> None:
        listed = await self._own("sh", "-c", EXISTING_MODES, "sh", *files)
        modes = [int(line, 8) for line in listed.stdout.split()]
        modes += [0o644] * (len(files) - len(modes))
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for (path, file), mode in zip(files.items(), modes, strict=True):
                member = tarfile.TarInfo(path.lstrip("/"))
                member.size, member.mtime = len(file.content), int(time.time())
                member.mode = mode if file.mode is None else file.mode & 0o777
                archive.addfile(member, io.BytesIO(file.content))
        result = await self._own("tar", "-xof", "-", "-C", "/", stdin=stream.getvalue())
        if not result.success:
            raise OSError(errno.EIO, f"not all files could be written: {result.stderr.strip()}")

    async def read(self, path: str, *, limit: int = 32 * 2**20) -> bytes:
        inside = self._inside(path)
        refuse_nul(path)
        limit = min(limit, SandboxEnvironmentLimits.MAX_READ_FILE_SIZE)
        seen = await self._own("sh", "-c", LOOK, "sh", inside, str(limit))
        if seen.returncode:
            known = seen.returncode in errno.errorcode
            number = seen.returncode if known else errno.EIO
            raise OSError(number, errno.errorcode[number], path)
        try:
            return await self._call(self.environment.read_file(inside, text=False))
        except OutputLimitExceededError as error:
            raise OSError(errno.EFBIG, "File too large", path) from error

    async def stop(self) -> None:
        await self._kill(f"{self._mark}.")

    async def snapshot(self, limits: SnapshotLimits | None = None) -> Snapshot:
        """One archive, read back whole: at most 100 MiB with its headers, Inspect's limit."""
        limits = limits or SnapshotLimits()
        most = min(
            limits.total_size + limits.files * MEMBER_BYTES,
            SandboxEnvironmentLimits.MAX_READ_FILE_SIZE,
        )
        folder = (await self._own("mktemp", "-d", "/tmp/export.XXXXXXXXXX")).stdout.strip()
        target = f"{folder}/workspace.tar"
        try:
            blocks = str(most // 512)
            await self._own("sh", "-c", EXPORT, "sh", target, self.workspace, blocks)
            archive = await self.read(target, limit=most)
        except OSError as error:
            return Snapshot({}, cut=f"the workspace could not be exported: {error}")
        finally:
            await self._own("rm", "-rf", folder)
        return await asyncio.to_thread(snapshot_of_archive, archive, limits)

    async def close(self) -> None:
        """Inspect destroys its environments itself."""

    # Inside

    def _inside(self, path: str) -> str:
        refuse_nul(path)
        return posixpath.join(self.workspace, path) if path else self.workspace

    async def _expire(self, mark: str, seconds: float | None, expired: asyncio.Event) -> None:
        if seconds is not None:
            await asyncio.sleep(seconds)
            expired.set()
            await self._kill(mark)

    async def _kill(self, mark: str) -> None:
        await self._own("sh", "-c", KILL, "sh", f"{MARK}={mark}")

    async def _own(self, *command: str, stdin: bytes | None = None) -> TextResult[str]:
        """A command of ours: without the mark, from the root folder, bounded in time."""
        try:
            return await self._call(
                self.environment.exec(
                    list(command), input=stdin, cwd="/", timeout=OWN_SECONDS, timeout_retry=False
                )
            )
        except TimeoutError as error:
            raise SandboxLost(f"`{command[0]}` hung in the sandbox") from error

    async def _call(self, call: Awaitable[T]) -> T:
        """What a provider raises beyond what Inspect documents means that it has failed."""
        try:
            return await call
        except (OSError, OutputLimitExceededError, asyncio.CancelledError):
            raise
        except Exception as error:
            raise SandboxLost(f"{self.facts['backend']}: {error}") from error


def shortened(output: bytes, limit: int) -> tuple[bytes, int]:
    """Head and tail, as our own backends give them, and how much was cut."""
    cut = len(output) - limit
    if cut <= 0:
        return output, 0
    head = limit // 2
    tail = output[len(output) - (limit - head) :]
    return output[:head] + f"\n[... {cut} bytes left out ...]\n".encode() + tail, cut
