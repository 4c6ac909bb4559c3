"""What must be impossible from inside, on every backend."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from clawgym_bench.sandbox import Backend, Sandbox

REPOSITORY = Path(__file__).resolve().parents[2]


async def python(sandbox: Sandbox, script: str) -> str:
    result = await sandbox.exec(["python3", "-c", script], timeout=60)
    return (result.stdout + result.stderr).decode()


async def test_not_root_and_no_capabilities(sandbox: Sandbox) -> None:
    status = (await sandbox.exec(["cat", "/proc/self/status"])).stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert "0" not in fields["Uid"].split()
    assert "0" not in fields["Gid"].split()
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        if name == "CapBnd" and "NSpid" in fields and os.getuid() != 0:
            continue  # in a user namespace of its own the bounding set is worth nothing
        assert int(fields[name], 16) == 0, name
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"


async def test_no_network(sandbox: Sandbox) -> None:
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        hosts = ["127.0.0.1", "169.254.169.254", "1.1.1.1", socket.gethostname()]
        script = f"""
import socket
for host in {hosts!r}:
    try:
        socket.create_connection((host, {port}), timeout=2)
        print("REACHED", host)
    except OSError as error:
        print(host, error)
"""
        said = await python(sandbox, script)
    assert "REACHED" not in said
    interfaces = (await sandbox.exec(["cat", "/proc/net/dev"])).stdout.decode()
    assert {line.split(":")[0].strip() for line in interfaces.splitlines()[2:]} <= {"lo"}


async def test_loopback_works_inside(sandbox: Sandbox) -> None:
    script = """
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(("localhost", server.getsockname()[1]))
print("connected")
"""
    assert "connected" in await python(sandbox, script)


@pytest.mark.parametrize(
    "path",
    ["/x", "/usr/x", "/etc/x", "/etc/passwd", "/dev/x", "/root/x", "/opt/x", "/var/x", "/run/x"],
)
async def test_the_system_is_read_only(sandbox: Sandbox, path: str) -> None:
    result = await sandbox.exec(["sh", "-c", f"echo x >> {path}"])
    assert not result.ok


async def test_writable_places(sandbox: Sandbox) -> None:
    script = 'for d in . /tmp "$HOME" /var/tmp /dev/shm; do echo x > $d/probe || exit 1; done'
    assert (await sandbox.exec(["sh", "-c", script])).ok


async def test_nothing_else_is_writable(sandbox: Sandbox) -> None:
    script = "find / -path /proc -prune -o -writable -not -type l -print 2>/dev/null"
    found = (await sandbox.exec(["sh", "-c", script], timeout=60)).stdout.decode().split()
    places = {"/workspace", "/tmp", "/home/agent", "/dev/shm", "/dev/mqueue"}
    devices = {
        f"/dev/{name}" for name in ("full", "null", "ptmx", "random", "tty", "urandom", "zero")
    }
    assert {path for path in found if not path.startswith("/dev/pts")} <= places | devices


@pytest.mark.parametrize(
    "script",
    [
        "mount -t tmpfs x /tmp",
        "unshare -r true",
        "unshare -n true",
        "nsenter -t 1 -m true",
        "chroot / true",
        "mknod /tmp/disk b 8 0",
        "su -c true",
        "sysctl -w kernel.hostname=x",
        "hostname other",
        "date -s '2001-01-01'",
        "dmesg",
        "chown root /workspace",
        "echo 1 > /proc/sys/vm/drop_caches",
        "echo x > /proc/sysrq-trigger",
        "kill -9 1 && sleep 0.2 && kill -0 1 && false",
        "cat /proc/1/environ",
        "ls /proc/1/fd/",
        "cat /proc/1/mem",
        "echo junk > /proc/1/fd/1",
        "ls /proc/1/root/",
        "cat /proc/kcore",
        "cat /dev/mem",
        "ls /sys/kernel/debug/*",
    ],
)
async def test_refused(sandbox: Sandbox, script: str) -> None:
    result = await sandbox.exec(["bash", "-c", script], timeout=20)
    assert not result.ok, result.stdout
    assert (await sandbox.exec(["true"])).ok


SYSTEM_CALLS = """
import ctypes, sys, os
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": dict(ptrace=101, unshare=272, bpf=321, userfaultfd=323, keyctl=250,
                          perf=298, setns=308, io_uring=425, open_by_handle=304)}
for name, number in numbers.get(os.uname().machine, {}).items():
    argument = 0x10000000 if name == "unshare" else 0
    result = libc.syscall(number, argument, 0, 0, 0, 0)
    print(name, result, ctypes.get_errno())
"""


async def test_system_calls_that_escapes_are_made_of(sandbox: Sandbox) -> None:
    for line in (await python(sandbox, SYSTEM_CALLS)).splitlines():
        result = line.split()[1]
        assert result == "-1", line


async def test_namespaces_through_clone(sandbox: Sandbox) -> None:
    script = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0), libc.syscall(435, 0, 0))
"""
    if os.uname().machine == "x86_64":
        assert await python(sandbox, script) == "-1 -1\n"


async def test_raw_sockets(sandbox: Sandbox) -> None:
    script = """
import socket
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW)):
    try:
        socket.socket(family, kind, 1)
        print("OPENED", family)
    except OSError:
        pass
"""
    assert "OPENED" not in await python(sandbox, script)


async def test_killing_everything_spares_the_supervisor(sandbox: Sandbox) -> None:
    await sandbox.exec(["bash", "-c", "kill -9 -1"], timeout=10)
    for signal in range(1, 32):
        await sandbox.exec(["bash", "-c", f"kill -{signal} 1"], timeout=10)
    assert (await sandbox.exec(["echo", "alive"])).stdout == b"alive\n"


async def test_the_supervisors_limits_are_out_of_reach(sandbox: Sandbox) -> None:
    script = "import resource; resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))"
    assert "PermissionError" in await python(sandbox, script)


class TestSecrets:
    async def test_this_project_is_not_there(self, sandbox: Sandbox) -> None:
        script = (
            "find / -name 'clawgym*' -not -path '/proc/*' 2>/dev/null; "
            "grep -rl clawgym_bench /opt /etc /workspace 2>/dev/null; "
            "python3 -c 'import clawgym_bench' 2>&1; python3 -c 'import inspect_ai' 2>&1"
        )
        result = await sandbox.exec(["bash", "-c", script], timeout=120)
        lines = [
            line
            for line in result.stdout.decode().splitlines()
            if line.endswith(("Error: No module named 'clawgym_bench'",)) or "clawgym" in line
        ]
        assert lines == ["ModuleNotFoundError: No module named 'clawgym_bench'"]
        assert "No module named 'inspect_ai'" in result.stdout.decode()

    @pytest.mark.parametrize(
        "path",
        [
            str(REPOSITORY),
            "/root/.ssh",
            "/home/user",
            "/var/lib",
            "/etc/shadow",
            "/run/docker.sock",
        ],
    )
    async def test_host_paths_are_not_there(self, sandbox: Sandbox, path: str) -> None:
        if sandbox.facts["backend"] == "docker" and path in ("/var/lib", "/etc/shadow"):
            pytest.skip("the image has one of its own")
        assert not (await sandbox.exec(["test", "-e", path])).ok

    async def test_arguments_of_host_processes_are_not_visible(self, sandbox: Sandbox) -> None:
        marker = "clawgym-visible-marker-71"
        process = await asyncio.create_subprocess_exec("sleep", "30", "infinity", env={"M": marker})
        try:
            seen = (await sandbox.exec(["bash", "-c", "cat /proc/[0-9]*/cmdline"])).stdout
            assert b"infinity" not in seen
        finally:
            process.kill()
            await process.wait()

    async def test_neighbours_cannot_be_signalled(self, backend: Backend) -> None:
        one, two = await asyncio.gather(backend.create(), backend.create())
        victim = asyncio.create_task(two.exec(["sleep", "2"]))
        await asyncio.sleep(0.2)
        await one.exec(["bash", "-c", "for p in $(seq 2 3000); do kill -9 $p; done; kill -9 -1"])
        assert (await victim).ok
