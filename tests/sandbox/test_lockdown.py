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

    async def test_neighbours_files_are_out_of_reach(self, backend: Backend) -> None:
        """By path, through every process's root and working directory, through /dev/shm."""
        one, two = await asyncio.gather(backend.create(), backend.create())
        secret = "the-neighbours-secret-42"
        hide = f"for d in . /tmp $HOME /dev/shm; do echo {secret} > $d/note; done; sleep 30"
        victim = asyncio.create_task(two.exec(["bash", "-c", hide]))
        await asyncio.sleep(0.3)
        script = (
            "cat /workspace/* /tmp/* /home/*/* /dev/shm/* /proc/*/root/workspace/* "
            "/proc/*/root/tmp/* /proc/*/cwd/* /proc/*/fd/* /proc/*/environ 2>/dev/null; "
            "ls -la /var/lib/docker /var/run/docker.sock /sys/fs/cgroup 2>/dev/null; true"
        )
        seen = await one.exec(["timeout", "3", "bash", "-c", script], timeout=30)
        assert secret.encode() not in seen.stdout
        await two.stop()
        await victim

    async def test_neighbours_share_no_sockets_queues_or_memory(self, backend: Backend) -> None:
        one, two = await asyncio.gather(backend.create(), backend.create())
        listen = """
import socket, time
place = socket.socket(socket.AF_UNIX)
place.bind("\\0claw-meeting-point")
place.listen()
server = socket.create_server(("127.0.0.1", 4242))
print("listening", flush=True)
time.sleep(20)
"""
        victim = asyncio.create_task(two.exec(["python3", "-c", listen]))
        await asyncio.sleep(0.5)
        connect = """
import socket
for family, place in ((socket.AF_UNIX, "\\0claw-meeting-point"),
                      (socket.AF_INET, ("127.0.0.1", 4242))):
    try:
        socket.socket(family).connect(place)
        print("REACHED", place)
    except OSError:
        print("no")
"""
        assert await python(one, connect) == "no\nno\n"
        assert b"REACHED" not in (await one.exec(["cat", "/proc/net/unix"])).stdout
        await two.stop()
        await victim


HOST_SERVER_MARK = f"clawgym-host-answer-{os.getpid()}"


async def test_servers_of_the_host_are_out_of_reach(sandbox: Sandbox) -> None:
    """On its loopback, on an abstract unix socket and on one with a name."""
    with (
        socket.create_server(("127.0.0.1", 0)) as plain,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0{HOST_SERVER_MARK}")
        abstract.listen()
        script = f"""
import socket
for family, place in (
    (socket.AF_INET, ("127.0.0.1", {plain.getsockname()[1]})),
    (socket.AF_UNIX, "\\0{HOST_SERVER_MARK}"),
    (socket.AF_UNIX, "/var/run/docker.sock"),
    (socket.AF_UNIX, "/run/dbus/system_bus_socket"),
    (socket.AF_INET, ("169.254.169.254", 80)),
    (socket.AF_INET, ("172.17.0.1", 80)),
    (socket.AF_INET6, ("fd00:ec2::254", 80)),
):
    try:
        client = socket.socket(family)
        client.settimeout(2)
        client.connect(place)
        print("REACHED", place)
    except OSError:
        pass
try:
    print("REACHED", socket.getaddrinfo("metadata.google.internal", 80))
except OSError:
    pass
"""
        assert await python(sandbox, script) == ""


async def test_the_clock_cannot_be_set(sandbox: Sandbox) -> None:
    script = """
import ctypes, time
before = time.time()
libc = ctypes.CDLL(None, use_errno=True)
for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC):
    try:
        time.clock_settime(clock, 1.0)
        print("SET", clock)
    except OSError:
        pass
now = (ctypes.c_long * 2)(1, 0)
if libc.settimeofday(now, None) == 0:
    print("SET by settimeofday")
if libc.adjtimex(ctypes.create_string_buffer(b"\\x01" + bytes(400))) >= 0:
    print("SET by adjtimex")
assert abs(time.time() - before) < 60
"""
    assert await python(sandbox, script) == ""


async def test_priorities_and_limits_cannot_be_raised(sandbox: Sandbox) -> None:
    script = """
import os, resource
def write(path, text):
    with open(path, "w") as out:
        out.write(text)
attempts = dict(
    nice=lambda: os.nice(-5),
    realtime=lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    files=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1 << 20, 1 << 20)),
    survivor=lambda: write("/proc/self/oom_score_adj", "-1000"),
    victim=lambda: write("/proc/1/oom_score_adj", "1000"),
)
for name, attempt in attempts.items():
    try:
        attempt()
        print("RAISED", name)
    except (OSError, ValueError):
        pass
"""
    assert await python(sandbox, script) == ""


async def test_commands_go_before_the_supervisor_when_memory_runs_out(sandbox: Sandbox) -> None:
    scores = await sandbox.exec(["cat", "/proc/self/oom_score_adj", "/proc/1/oom_score_adj"])
    own, supervisors = map(int, scores.stdout.split())
    assert own >= supervisors + 500
