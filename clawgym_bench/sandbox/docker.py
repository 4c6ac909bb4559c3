"""Sandboxes made by a Docker daemon, over its API.

One container per sandbox, whose process 1 is our supervisor, spoken to over one attached stream:
the daemon's own `exec` costs 0.2 CPU seconds a call. Starting one takes 0.15 s, so some are kept
ready that nobody has used; removing one happens behind the caller's back. When this program dies
the streams close, the supervisors leave, and the daemon removes the containers.
"""

import asyncio
import atexit
import contextlib
import logging
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgym_bench.errors import ClawGymError, InputError, SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.container import (
    DAEMON_ERRORS,
    Container,
    Demultiplexer,
    call_for,
    ending,
    hang_up,
    in_thread,
    remove,
    start_with_retries,
)
from clawgym_bench.sandbox.image.build import check_image, connect, image_name
from clawgym_bench.sandbox.labels import PREFIX, Label
from clawgym_bench.sandbox.pool import Pool
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.protocol import Resources, Sandbox, SandboxSpec
from clawgym_bench.sandbox.retry import CREATE_ATTEMPTS
from clawgym_bench.sandbox.supervised import Held, SupervisedSandbox, check_spec, limit_facts

if TYPE_CHECKING:
    from docker.client import DockerClient

logger = logging.getLogger(__name__)
POOL_SIZE = 8
READY_SECONDS = 3_600.0
"""How long a container may wait for its sandbox; its label's deadline allows for it."""
MAKERS = 4
REMOVERS = 4
REMOVALS_PENDING = 32


@dataclass(frozen=True)
class Kind:
    """What the containers that may stand in for each other have in common."""

    workspace: str
    user: str
    resources: Resources
    lifetime: float

    def spec(self) -> SandboxSpec:
        return SandboxSpec(
            self.workspace, self.user, self.resources, lifetime=self.lifetime + READY_SECONDS
        )


class DockerBackend:
    """Sandboxes in containers of `image`; `runtime` is one that the daemon knows ("runsc").

    `pool`: how many unused containers are kept ready at most, per combination of workspace, user
    and limits; 0 makes each when it is asked for. It follows the demand: half of what is in use.
    """

    name = "docker"

    def __init__(
        self, image: str | None = None, runtime: str | None = None, pool: int = POOL_SIZE
    ) -> None:
        if isinstance(pool, bool) or not isinstance(pool, int) or pool < 0:
            raise InputError(f"sandbox pool {pool!r}: must be a number of containers, 0 or more")
        self.image, self.runtime = image or image_name(), runtime
        self._client: DockerClient | None = None
        self._known: dict[str, str] = {}
        self._held = Held()
        self._connecting = threading.Lock()
        self._pool: Pool[Kind, Container] = Pool(
            self._start, self._discard, fit, size=pool, makers=MAKERS
        )
        self._removers = ThreadPoolExecutor(REMOVERS, thread_name_prefix="remove")
        self._removals: set[Future[None]] = set()
        atexit.register(leave, weakref.ref(self))

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        spec = spec or SandboxSpec()
        check_spec(spec)
        await self._held.bury()
        client = await in_thread(self._connect)
        kind = Kind(spec.workspace, spec.user, spec.resources, spec.lifetime)
        retries: list[str] = []
        while True:
            container = await self._pool.take(kind)
            retries += container.retries
            try:
                sandbox = await self._adopt(client, kind, spec, container, retries)
            except SandboxLost as error:
                # It died before anybody used it.
                retries.append(str(error))
                if len(retries) >= CREATE_ATTEMPTS:
                    raise
                continue
            if retries:
                logger.warning("a sandbox was made at attempt %d: %s", len(retries) + 1, retries)
            return sandbox

    async def _adopt(
        self,
        client: "DockerClient",
        kind: Kind,
        spec: SandboxSpec,
        container: Container,
        retries: list[str],
    ) -> SupervisedSandbox:
        """Makes a container the sandbox of one sample."""
        try:
            raw, writer = await asyncio.open_connection(sock=container.stream, limit=2**20)
        except BaseException:
            self._pool.over(kind)
            await self._remove_soon(container)
            raise
        output = Demultiplexer(raw)

        async def explain() -> ClawGymError:
            reason = await in_thread(lambda: ending(client, container))
            reason.args = (f"{reason}{output.said()}",)
            return reason

        async def destroy() -> None:
            self._held.sandboxes.discard(sandbox)
            self._pool.over(kind)
            if not naming.cancel():
                # An old daemon (20.10) lists a container for ever that is named while it goes.
                with contextlib.suppress(Exception):
                    await asyncio.wrap_future(naming)
            await self._remove_soon(container)

        channel = Channel(output, writer, explain)
        try:
            about = await channel.ready()
        except BaseException:
            await channel.close()
            self._pool.over(kind)
            await self._remove_soon(container)
            raise
        label = Label.new(spec.labels.get("sample", ""), spec.lifetime)
        naming = self._removers.submit(call_for, client, container.id, label.sample)
        facts = {
            "backend": self.name,
            "container": container.id[:12],
            "image": self.image,
            **self._known,
            "runtime": self.runtime or "default",
            **limit_facts(spec),
            **about,
            **({"retries": "; ".join(retries)} if retries else {}),
        }
        sandbox = SupervisedSandbox(
            channel,
            spec,
            env={},
            facts=facts,
            label=label,
            destroy=destroy,
            kill=lambda: remove(client, container.id),
        )
        self._held.sandboxes.add(sandbox)
        return sandbox

    async def close(self) -> None:
        try:
            await self._held.close()
        finally:
            await in_thread(self._leave)

    # In threads

    def _connect(self) -> "DockerClient":
        with self._connecting:
            if self._client is None:
                client = connect()
                try:
                    info = check_image(self.image)
                    version = client.version()
                except BaseException:
                    client.close()
                    raise
                self._known = {
                    "image_digest": info.digest,
                    "docker": str(version.get("Version", "")),
                    "api": str(version.get("ApiVersion", "")),
                }
                self._client = client
                # What killed runs have left goes first, without anybody waiting for it.
                self._removers.submit(sweep)
            return self._client

    def _start(self, kind: Kind) -> Container:
        return start_with_retries(self._connect(), self.image, kind.spec(), self.runtime)

    def _discard(self, container: Container) -> None:
        hang_up(self._connect(), container)

    def _end(self, container: Container) -> None:
        try:
            self._discard(container)
        except (ClawGymError, *DAEMON_ERRORS) as error:
            logger.warning("a container is left behind (clawgym-bench clean): %s", error)

    async def _remove_soon(self, container: Container) -> None:
        """Hands a container to those who remove; waits only where they are far behind."""
        removal = self._removers.submit(self._end, container)
        self._removals.add(removal)
        removal.add_done_callback(self._removals.discard)
        if len(self._removals) > REMOVALS_PENDING:
            with contextlib.suppress(Exception):
                await asyncio.shield(asyncio.wrap_future(removal))

    def _leave(self) -> None:
        """Removes the containers that nobody has used and waits for every removal."""
        self._pool.drain()
        wait(list(self._removals))
        if self._client is not None:
            client, self._client = self._client, None
            client.close()


def fit(container: Container) -> bool:
    """Whether a container that has waited can still become a sandbox."""
    return container.alive and time.time() - container.label.created < READY_SECONDS


def leave(reference: Callable[[], DockerBackend | None]) -> None:
    """At the end of the program, for backends that nobody has closed."""
    backend = reference()
    if backend is not None and backend._client is not None:
        with contextlib.suppress(Exception):
            backend._leave()


def sweep() -> None:
    from clawgym_bench.sandbox.strays import clean_containers

    with contextlib.suppress(ClawGymError, *DAEMON_ERRORS):
        clean_containers()


async def remove_strays(container: str | None = None) -> None:
    """Removes one container that this project made, or all of them, of living runs too."""

    def work() -> None:
        client = connect()
        try:
            for found in client.api.containers(all=True, filters={"label": f"{PREFIX}=1"}):
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
