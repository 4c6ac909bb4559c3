"""The ways to give a program a workspace of its own, each with the same life.

A life: create, write five small files, five commands, take the workspace out, destroy. Every life
checks what came out, so that nothing is measured that did not work.

All Docker ways use our image. Each way is used as its authors mean it to be: Inspect's provider
writes file by file because that is its interface, the command line moves files as one archive
because that is what it can do.
"""

import asyncio
import io
import os
import secrets
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from clawgym_bench.sandbox import Backend, File, open_backend
from clawgym_bench.sandbox.bwrap import find_bwrap

FILES = {f"notes-{n}.txt": (f"line {n} of a small file\n" * 40).encode() for n in range(5)}
COMMANDS = [["sh", "-c", f"cat {name} >> all.txt"] for name in FILES]
EXPECTED = {**FILES, "all.txt": b"".join(FILES.values())}
WORKSPACE = "/workspace"

Exec = Callable[[list[str]], Awaitable[int | None]]


class Unusable(Exception):
    """A way that cannot be gone on this machine, and why."""


class Way(Protocol):
    """Opened once; then lives, many at a time."""

    async def open(self) -> None:
        """Raises `Unusable`."""
        ...

    async def life(self) -> list[float]:
        """Lives once; returns how long each command took, in seconds."""
        ...

    async def close(self) -> None: ...


async def run_all(execute: Exec) -> list[float]:
    """The five commands, timed from the call to its result."""
    seconds = []
    for command in COMMANDS:
        start = time.perf_counter()
        code = await execute(command)
        seconds.append(time.perf_counter() - start)
        if code != 0:
            raise RuntimeError(f"{command} ended with code {code}")
    return seconds


def check(found: Mapping[str, bytes]) -> None:
    if dict(found) != EXPECTED:
        raise RuntimeError(f"the workspace came out wrong: {sorted(found)}")


class Ours:
    """Our backends through their own interface."""

    def __init__(self, name: str, **options: Any) -> None:
        self._backend: Backend = open_backend("bwrap" if name == "bwrap" else "docker", **options)

    async def open(self) -> None:
        pass

    async def life(self) -> list[float]:
        sandbox = await self._backend.create()
        try:
            await sandbox.write({path: File(content) for path, content in FILES.items()})

            async def execute(command: list[str]) -> int | None:
                return (await sandbox.exec(command)).exit_code

            seconds = await run_all(execute)
            await sandbox.stop()
            check((await sandbox.snapshot()).files)
        finally:
            await sandbox.close()
        return seconds

    async def close(self) -> None:
        await self._backend.close()


COMPOSE = """\
services:
  default:
    image: {image}
    x-local: true
    command: tail -f /dev/null
    init: true
    network_mode: none
    stop_grace_period: 1s
    working_dir: {workspace}
"""
"""Inspect's own default service, with our image."""


class InspectDocker:
    """Inspect's `docker` provider through the interface that an evaluation uses."""

    async def open(self) -> None:
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.util._sandbox.docker.docker import DockerSandboxEnvironment
        from inspect_ai.util._subprocess import init_max_subprocesses

        init_max_subprocesses()
        self._provider = DockerSandboxEnvironment
        self._folder = Path(tempfile.mkdtemp(prefix="clawgym-benchmark-"))
        file = self._folder / "compose.yaml"
        file.write_text(COMPOSE.format(image=docker_image(), workspace=WORKSPACE))
        self._config = str(file)
        try:
            await self._provider.task_init("benchmark", self._config)
        except PrerequisiteError as error:
            shutil.rmtree(self._folder)
            raise Unusable(" ".join(str(error).split())) from error

    async def life(self) -> list[float]:
        boxes = await self._provider.sample_init("benchmark", self._config, {})
        try:
            box = boxes["default"]
            for path, content in FILES.items():
                await box.write_file(path, content)

            async def execute(command: list[str]) -> int | None:
                return (await box.exec(command)).returncode

            seconds = await run_all(execute)
            await box.exec(["tar", "-cf", "/tmp/workspace.tar", "."])
            check(unpacked(await box.read_file("/tmp/workspace.tar", text=False)))
        finally:
            await self._provider.sample_cleanup("benchmark", self._config, boxes, False)
        return seconds

    async def close(self) -> None:
        await self._provider.task_cleanup("benchmark", self._config, True)
        shutil.rmtree(self._folder)


class DockerCommands:
    """`docker run`, `exec` and `rm`, a process each."""

    async def open(self) -> None:
        if shutil.which("docker") is None:
            raise Unusable("there is no docker program")
        self._image = docker_image()

    async def life(self) -> list[float]:
        name = f"clawgym-benchmark-{secrets.token_hex(6)}"
        common = ["--init", "--network", "none", "--workdir", WORKSPACE]
        await program("docker", "run", "-d", "--name", name, *common, self._image, *FOREVER)
        try:
            unpack = ("docker", "exec", "-i", name, "tar", "-x")
            await program(*unpack, stdin=packed(FILES))

            async def execute(command: list[str]) -> int | None:
                await program("docker", "exec", name, *command)
                return 0

            seconds = await run_all(execute)
            check(unpacked(await program("docker", "exec", name, "tar", "-c", ".")))
        finally:
            await program("docker", "rm", "-f", name)
        return seconds

    async def close(self) -> None:
        pass


FOREVER = ("tail", "-f", "/dev/null")


class BwrapCommands:
    """A folder on the host and one `bwrap` process per command."""

    async def open(self) -> None:
        self._bwrap = str(find_bwrap())

    async def life(self) -> list[float]:
        folder = Path(tempfile.mkdtemp(prefix="clawgym-benchmark-"))
        try:
            for path, content in FILES.items():
                (folder / path).write_bytes(content)

            async def execute(command: list[str]) -> int | None:
                await program(self._bwrap, *BWRAP, "--bind", str(folder), *INSIDE, *command)
                return 0

            seconds = await run_all(execute)
            check(read_all(folder))
        finally:
            shutil.rmtree(folder)
        return seconds

    async def close(self) -> None:
        pass


BWRAP = [
    *("--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"),
    *("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"),
    *("--symlink", "usr/lib64", "/lib64", "--setenv", "PATH", "/usr/bin"),
    *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
]
INSIDE = [WORKSPACE, "--chdir", WORKSPACE, "--"]


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def program(*command: str, stdin: bytes = b"") -> bytes:
    """What a program printed; raises `RuntimeError` when it fails."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(stdin or None)
    if process.returncode != 0:
        raise RuntimeError(f"{command[:3]} failed: {err.decode('utf-8', 'replace').strip()}")
    return out


def packed(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def unpacked(content: bytes) -> dict[str, bytes]:
    files = {}
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for entry in archive.getmembers():
            if entry.isfile() and (stream := archive.extractfile(entry)):
                files[os.path.normpath(entry.name)] = stream.read()
    return files


def docker_image() -> str:
    """The name of our image; raises `Unusable` when it is not there."""
    from clawgym_bench.errors import SandboxUnavailable
    from clawgym_bench.sandbox.image import check_image

    try:
        return check_image().name
    except SandboxUnavailable as error:
        raise Unusable(str(error)) from error


def docker_facts() -> dict[str, object]:
    """Versions of what the Docker ways use; empty where there is no daemon."""
    facts: dict[str, object] = {}
    questions = {
        "docker_engine": ["docker", "version", "--format", "{{.Server.Version}}"],
        "docker_client": ["docker", "version", "--format", "{{.Client.Version}}"],
        "docker_compose": ["docker", "compose", "version", "--short"],
        "docker_storage": ["docker", "info", "--format", "{{.Driver}}"],
    }
    for name, command in questions.items():
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        except OSError:
            return facts
        if done.returncode == 0:
            facts[name] = done.stdout.strip()
    return facts


BARE_BWRAP, BARE_DOCKER = "bare bwrap", "bare docker commands"
OUR_BWRAP, OUR_DOCKER, OUR_COLD = "claw bwrap", "claw docker", "claw docker, no pool"
INSPECT = "inspect docker"

WAYS: dict[str, Callable[[], Way]] = {
    OUR_BWRAP: lambda: Ours("bwrap"),
    BARE_BWRAP: BwrapCommands,
    OUR_DOCKER: lambda: Ours("docker"),
    OUR_COLD: lambda: Ours("docker", pool=0),
    BARE_DOCKER: DockerCommands,
    INSPECT: InspectDocker,
}
