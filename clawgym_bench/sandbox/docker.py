"""Sandboxes made by a Docker daemon, over its API.

One container per sandbox, whose process 1 is our supervisor, spoken to over one attached stream:
the daemon's own `exec` costs 0.2 CPU seconds a call. When this program dies the stream closes, the
supervisor leaves, and the daemon removes the container.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from clawgym_bench.errors import SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.image.build import BUILD_COMMAND, check_image, connect, image_name
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.protocol import Sandbox, SandboxSpec
from clawgym_bench.sandbox.seccomp import AUDIT_ARCHITECTURES, seccomp_filter
from clawgym_bench.sandbox.supervised import (
    HOME,
    USERS,
    SupervisedSandbox,
    check_spec,
    limit_facts,
    rlimits,
    supervisor_command,
)

if TYPE_CHECKING:
    from docker.client import DockerClient

T = TypeVar("T")
LABEL = "clawgym"
REMOVE_ATTEMPTS = 100


class DockerBackend:
    """Sandboxes in containers of `image`; `runtime` is one that the daemon knows ("runsc")."""

    name = "docker"

    def __init__(self, image: str | None = None, runtime: str | None = None) -> None:
        self.image, self.runtime = image or image_name(), runtime
        self._client: DockerClient | None = None
        self._known: dict[str, str] = {}
        self._sandboxes: set[SupervisedSandbox] = set()

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        spec = spec or SandboxSpec()
        check_spec(spec)
        client = await self._connect()
        container, stream = await in_thread(lambda: self._start(client, spec))
        try:
            raw, writer = await asyncio.open_connection(sock=stream, limit=2**20)
        except BaseException:
            await in_thread(lambda: remove(client, container))
            raise
        output = Demultiplexer(raw)

        async def explain() -> str:
            return await in_thread(lambda: ending(client, container)) + output.said()

        async def destroy() -> None:
            self._sandboxes.discard(sandbox)
            await in_thread(lambda: remove(client, container))

        channel = Channel(output, writer, explain)
        try:
            about = await channel.ready()
        except BaseException as error:
            await channel.close()
            await in_thread(lambda: remove(client, container))
            if isinstance(error, SandboxLost):
                raise SandboxLost(f"container {container[:12]} of {self.image}: {error}") from error
            raise
        facts = {
            "backend": self.name,
            "container": container[:12],
            "image": self.image,
            **self._known,
            "runtime": self.runtime or "default",
            **limit_facts(spec),
            **about,
        }
        sandbox = SupervisedSandbox(channel, spec, env={}, facts=facts, destroy=destroy)
        self._sandboxes.add(sandbox)
        return sandbox

    async def close(self) -> None:
        await asyncio.gather(*(sandbox.close() for sandbox in list(self._sandboxes)))
        if self._client is not None:
            client, self._client = self._client, None
            await in_thread(client.close)

    async def _connect(self) -> "DockerClient":
        if self._client is None:
            client = await in_thread(connect)
            info = await in_thread(lambda: check_image(self.image))
            version = await in_thread(client.version)
            self._known = {
                "image_digest": info.digest,
                "docker": str(version.get("Version", "")),
                "api": str(version.get("ApiVersion", "")),
            }
            self._client = client
        return self._client

    def _start(self, client: "DockerClient", spec: SandboxSpec) -> tuple[str, socket.socket]:
        """Creates a container, attaches, starts. Attached first, so that no byte is missed."""
        api = client.api
        # Whatever the daemon runs on: its machine need not be this one.
        filters = {f"seccomp_{m}": seccomp_filter(m).hex() for m in AUDIT_ARCHITECTURES}
        settings = {**rlimits(spec), **filters}
        uid = USERS[spec.user]
        try:
            created = api.create_container(
                self.image,
                command=supervisor_command("/usr/bin/python3", settings),
                entrypoint=[],
                hostname="sandbox",
                user=f"{uid}:{uid}",
                stdin_open=True,
                detach=False,
                working_dir=spec.workspace,
                labels={LABEL: "1", **{f"{LABEL}.{k}": v for k, v in spec.labels.items()}},
                host_config=api.create_host_config(**host_options(spec, uid, self.runtime)),
            )
        except ImageNotFound as error:
            raise SandboxUnavailable(
                f"no image {self.image}; make it with `{BUILD_COMMAND}`"
            ) from error
        except (APIError, DockerException) as error:
            raise SandboxUnavailable(f"the daemon refuses a container: {error}") from error
        container = str(created["Id"])
        try:
            parameters = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            stream = plain_socket(api.attach_socket(container, params=parameters))
            api.start(container)
        except (APIError, DockerException, OSError) as error:
            remove(client, container)
            raise SandboxUnavailable(f"the daemon cannot start a container: {error}") from error
        except BaseException:
            remove(client, container)
            raise
        return container, stream


def host_options(spec: SandboxSpec, uid: int, runtime: str | None) -> dict[str, Any]:
    """The lock-down. The daemon's default seccomp profile stays on, and the supervisor adds our
    filter to it."""
    limits = spec.resources
    disk, memory = limits.disk_mb * 2**20, limits.memory_mb * 2**20
    own = f"uid={uid},gid={uid},exec,nosuid,nodev"
    return {
        "network_mode": "none",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "read_only": True,
        "ipc_mode": "private",
        "tmpfs": {
            spec.workspace: f"{own},mode=0755,size={disk}",
            HOME: f"{own},mode=0755,size={disk // 4}",
            "/tmp": f"{own},mode=1777,size={disk // 4}",
        },
        "shm_size": disk // 8,
        "mem_limit": memory,
        "memswap_limit": memory,
        # One more than the agent has: the supervisor.
        "pids_limit": limits.processes + 1,
        "nano_cpus": int(limits.cpus * 1e9),
        "auto_remove": True,
        "log_config": {"type": "none"},  # what goes over the stream would be logged to disk
        **({"runtime": runtime} if runtime else {}),
    }


async def in_thread(function: Callable[[], T]) -> T:
    """Runs a blocking call of the SDK to its end, even when this task is cancelled meanwhile:
    half a call would leave a container that nobody knows."""
    task = asyncio.ensure_future(asyncio.to_thread(function))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            await task
        raise


def plain_socket(attached: Any) -> socket.socket:
    """The socket beneath what the SDK returns, for asyncio."""
    inner = getattr(attached, "_sock", attached)
    if not isinstance(inner, socket.socket) or type(inner).__name__ == "SSLSocket":
        raise SandboxUnavailable(
            "the daemon is reached over TLS or a pipe, which this backend does not speak: use a "
            "unix socket, plain tcp, or an ssh tunnel to the daemon's socket"
        )
    return socket.socket(fileno=socket.dup(inner.fileno()))


def remove(client: "DockerClient", container: str) -> None:
    """Kills and removes a container; returns when it is gone."""
    for _ in range(REMOVE_ATTEMPTS):
        try:
            client.api.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code != 409:  # 409: the daemon is already removing it
                raise SandboxLost(f"cannot remove container {container[:12]}: {error}") from error
        else:
            return
        with contextlib.suppress(NotFound, APIError):
            client.api.wait(container, timeout=1, condition="removed")


def ending(client: "DockerClient", container: str) -> str:
    """Why a container ended, as far as the daemon still knows."""
    try:
        state = client.api.inspect_container(container)["State"]
    except (APIError, DockerException, OSError):
        return "the container is gone"
    if state.get("OOMKilled"):
        return "the container ran out of memory"
    return f"the container ended (code {state.get('ExitCode')})"


class Demultiplexer:
    """The supervisor's output out of the daemon's stream of stdout and stderr."""

    def __init__(self, raw: asyncio.StreamReader) -> None:
        self.raw, self.ready, self.errors = raw, bytearray(), b""

    async def readexactly(self, size: int) -> bytes:
        while len(self.ready) < size:
            header = await self.raw.readexactly(8)
            data = await self.raw.readexactly(int.from_bytes(header[4:], "big"))
            if header[0] == 2:
                self.errors = (self.errors + data)[-2_000:]
            else:
                self.ready += data
        data = bytes(self.ready[:size])
        del self.ready[:size]
        return data

    def said(self) -> str:
        text = self.errors.decode("utf-8", "replace").strip()
        return f": {text}" if text else ""


async def remove_strays(container: str | None = None) -> None:
    """Removes one container that this project made, or all of them."""

    def work() -> None:
        client = connect()
        try:
            for found in client.api.containers(all=True, filters={"label": f"{LABEL}=1"}):
                if container is None or str(found["Id"]).startswith(container):
                    remove(client, str(found["Id"]))
        finally:
            client.close()

    await in_thread(work)


async def probe_docker(image: str | None = None) -> Probe:
    """Whether a daemon answers and has the image."""
    try:
        info = await asyncio.to_thread(check_image, image)
    except SandboxUnavailable as error:
        detail, _, remedy = str(error).partition("; ")
        return Probe(False, detail, remedy)
    return Probe(True, f"{info.name} {info.digest[:19]} ({info.size // 2**20} MB)", "")
