"""One container by the daemon's API: how it is locked down, started, spoken to and removed.

Everything here blocks and is called in threads.
"""

import asyncio
import contextlib
import re
import select
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import requests
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from clawgym_bench.errors import AgentFault, ClawGymError, SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox.image.build import BUILD_COMMAND
from clawgym_bench.sandbox.labels import Label
from clawgym_bench.sandbox.protocol import SandboxSpec
from clawgym_bench.sandbox.retry import BACKOFF_SECONDS, CREATE_ATTEMPTS
from clawgym_bench.sandbox.seccomp import AUDIT_ARCHITECTURES, seccomp_filter
from clawgym_bench.sandbox.supervised import HOME, USERS, rlimits, supervisor_command

if TYPE_CHECKING:
    from docker.client import DockerClient

T = TypeVar("T")
DAEMON_ERRORS = (APIError, DockerException, requests.RequestException, OSError)
REMOVE_WAITS, WAIT_SECONDS = 15, 1
DEATH_SECONDS = 3.0
"""How long the daemon may take to record why a container ended."""
KILLED = "137"
OOM_EVENT_SECONDS = 2.0


@dataclass(frozen=True)
class Container:
    """A started container, nobody's yet: its stream holds the supervisor's first frame."""

    id: str
    line: socket.socket
    """The SDK's, which closes it when it pleases: to end the connection it is shut down."""
    stream: socket.socket
    """A descriptor of ours for the same connection."""
    label: Label
    retries: Sequence[str] = ()
    """What went wrong before it could be made."""

    @property
    def alive(self) -> bool:
        """Whether the stream is still open at the other end."""
        poller = select.poll()
        poller.register(self.stream, select.POLLRDHUP)
        return not poller.poll(0)


class CannotStart(Exception):
    """A failure that may go away by itself."""


def start_with_retries(
    client: "DockerClient", image: str, spec: SandboxSpec, runtime: str | None
) -> Container:
    """Raises `SandboxUnavailable` at once for what stays, and after `CREATE_ATTEMPTS` otherwise."""
    retries: list[str] = []
    while True:
        try:
            return start(client, image, spec, runtime, retries)
        except CannotStart as error:
            retries.append(str(error))
            if len(retries) == CREATE_ATTEMPTS:
                raise SandboxUnavailable(
                    f"the daemon starts no container, {CREATE_ATTEMPTS} times: {error}"
                ) from error
        time.sleep(BACKOFF_SECONDS[len(retries) - 1])


def start(
    client: "DockerClient",
    image: str,
    spec: SandboxSpec,
    runtime: str | None,
    retries: Sequence[str] = (),
) -> Container:
    """Creates a container, attaches, starts. Attached first, so that no byte is missed."""
    api = client.api
    # Whatever the daemon runs on: its machine need not be this one.
    filters = {f"seccomp_{m}": seccomp_filter(m).hex() for m in AUDIT_ARCHITECTURES}
    settings = {**rlimits(spec), **filters}
    uid = USERS[spec.user]
    label = Label.new(spec.labels.get("sample", ""), spec.lifetime)
    try:
        created = api.create_container(
            image,
            command=supervisor_command("/usr/bin/python3", settings),
            entrypoint=[],
            hostname="sandbox",
            user=f"{uid}:{uid}",
            stdin_open=True,
            detach=False,
            working_dir=spec.workspace,
            labels=label.as_docker(),
            host_config=api.create_host_config(**host_options(spec, uid, runtime)),
        )
    except ImageNotFound as error:
        raise SandboxUnavailable(f"no image {image}; make it with `{BUILD_COMMAND}`") from error
    except DAEMON_ERRORS as error:
        raise refused("the daemon refuses a container", error) from error
    container = str(created["Id"])
    try:
        parameters = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        line = plain_socket(api.attach_socket(container, params=parameters))
        api.start(container)
        stream = socket.socket(fileno=socket.dup(line.fileno()))
    except DAEMON_ERRORS as error:
        with contextlib.suppress(SandboxLost):
            remove(client, container)
        raise refused("the daemon cannot start a container", error) from error
    except BaseException:
        remove(client, container)
        raise
    return Container(container, line, stream, label, tuple(retries))


def refused(what: str, error: Exception) -> Exception:
    """A request that is wrong stays wrong; a daemon in trouble may recover."""
    if isinstance(error, APIError) and error.status_code and error.status_code < 500:
        return SandboxUnavailable(f"{what}: {error}")
    return CannotStart(f"{what}: {error}")


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


def plain_socket(attached: Any) -> socket.socket:
    """The socket beneath what the SDK returns."""
    inner = getattr(attached, "_sock", attached)
    if not isinstance(inner, socket.socket) or type(inner).__name__ == "SSLSocket":
        raise SandboxUnavailable(
            "the daemon is reached over TLS or a pipe, which this backend does not speak: use a "
            "unix socket, plain tcp, or an ssh tunnel to the daemon's socket"
        )
    return inner


def call_for(client: "DockerClient", container: str, sample: str) -> None:
    """Names a container after its sample, which was not known when it was made."""
    if not sample:
        return
    with contextlib.suppress(*DAEMON_ERRORS):
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", sample)[:80]
        client.api.rename(container, f"clawgym-{slug}-{container[:12]}")


def remove(client: "DockerClient", container: str) -> None:
    """Kills a container and returns when it is gone.

    What runs removes itself once it is killed. Removing it at the same time makes old daemons
    list it for ever (20.10), so that is only for what never ran or does not leave.
    """
    try:
        client.api.kill(container)
    except NotFound:
        return
    except APIError as error:
        running = error.status_code not in (409, 500)
        if running:
            raise SandboxLost(f"cannot kill container {container[:12]}: {error}") from error
    except DAEMON_ERRORS as error:
        raise SandboxLost(f"cannot kill container {container[:12]}: {error}") from error
    else:
        if gone(client, container):
            return
    try:
        client.api.remove_container(container, force=True, v=True)
    except NotFound:
        return
    except DAEMON_ERRORS as error:
        if not gone(client, container):
            raise SandboxLost(f"cannot remove container {container[:12]}: {error}") from error


def gone(client: "DockerClient", container: str) -> bool:
    """Waits for a container that is on its way out."""
    for _ in range(REMOVE_WAITS):
        try:
            client.api.wait(container, timeout=WAIT_SECONDS, condition="removed")
        except NotFound:
            return True
        except (requests.Timeout, requests.ConnectionError):
            continue  # the daemon misses the moment now and then: ask again
        except DAEMON_ERRORS:
            return False
        return True
    return False


def hang_up(client: "DockerClient", container: Container) -> None:
    """Ends the supervisor's stdin, on which it leaves, and with it the container."""
    with contextlib.suppress(OSError):
        container.line.shutdown(socket.SHUT_RDWR)
    container.stream.close()
    if not gone(client, container.id):
        remove(client, container.id)


def ending(client: "DockerClient", container: Container) -> ClawGymError:
    """Why a container ended. It removes itself, so the daemon's memory of events is asked."""
    code, starved = "", False
    end = time.monotonic() + DEATH_SECONDS
    try:
        while not (code and (starved or code != KILLED)) and time.monotonic() < end:
            events = client.api.events(  # type: ignore[call-overload]  # it takes fractions too
                since=f"{container.label.created:.0f}",
                until=f"{time.time():.3f}",
                filters={"container": container.id, "event": ["die", "oom"]},
                decode=True,
            )
            for event in events:
                starved = starved or event.get("Action") == "oom"
                if event.get("Action") == "die" and not code:
                    code = str(event["Actor"]["Attributes"].get("exitCode", ""))
                    # That memory ran out may be told after the death it caused.
                    end = min(end, time.monotonic() + OOM_EVENT_SECONDS)
            time.sleep(0.1)
    except DAEMON_ERRORS as error:
        return SandboxLost(f"container {container.id[:12]} is gone, and the daemon too: {error}")
    if code == KILLED and starved:
        return AgentFault("the sandbox ran out of memory, and its supervisor with it", "memory")
    return SandboxLost(f"container {container.id[:12]} ended (code {code or 'unknown'})")


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
