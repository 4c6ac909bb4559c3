"""Commands that try to use everything up: the sandbox holds, answers and says what it did."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from clawgym_bench.sandbox import Backend, File, Resources, Sandbox, SandboxSpec

pytestmark = pytest.mark.slow

SMALL = Resources(memory_mb=256, processes=64, disk_mb=64, open_files=256)


@pytest.fixture
async def small(backend: Backend) -> AsyncIterator[Sandbox]:
    sandbox = await backend.create(SandboxSpec(resources=SMALL))
    yield sandbox
    assert (await sandbox.exec(["echo", "alive"], timeout=10)).stdout == b"alive\n"


async def test_one_big_process(small: Sandbox) -> None:
    script = "x = []\nwhile True: x.append(b'x' * 10_000_000)"
    result = await small.exec(["python3", "-c", script], timeout=60)
    assert not result.ok
    assert not result.timed_out
    assert result.fault == "memory"


async def test_many_processes_that_share_the_memory(small: Sandbox) -> None:
    script = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(os.urandom(1)) * 40_000_000
        time.sleep(20)
        os._exit(0)
time.sleep(3)
print(open("/proc/self/statm").read())
"""
    await small.exec(["python3", "-c", script], timeout=30)
    used = await small.exec(
        ["bash", "-c", "cat /proc/[0-9]*/statm | awk '{s += $2 - $3} END {print s * 4}'"]
    )
    assert int(used.stdout) < 300_000, "kB in use by all processes"
    await small.stop()


async def test_fork_bomb(small: Sandbox) -> None:
    """A bash that cannot fork tries again for 15 s before it gives up."""
    bomb = await small.exec(["bash", "-c", "bomb() { bomb | bomb & }; bomb; sleep 2"], timeout=60)
    assert not bomb.timed_out
    start = time.monotonic()
    await small.stop()
    assert time.monotonic() - start < 5
    left = await small.exec(["bash", "-c", "ls -d /proc/[0-9]* | wc -l"])
    assert int(left.stdout) <= 4


async def test_process_limit_is_named(small: Sandbox) -> None:
    script = """
import subprocess
alive = []
while True:
    alive.append(subprocess.Popen(["sleep", "30"]))
"""
    result = await small.exec(["python3", "-c", script], timeout=30)
    assert not result.ok
    assert result.fault == "processes"
    await small.stop()


async def test_full_disk_is_named(small: Sandbox) -> None:
    result = await small.exec(["dd", "if=/dev/zero", "of=fill", "bs=1M"], timeout=60)
    assert not result.ok
    assert result.fault == "disk"
    with pytest.raises(OSError, match="No space left"):
        await small.write({"more": File(b"x" * 3_000_000)})
    await small.exec(["rm", "fill"])
    await small.write({"more": File(b"x" * 3_000_000)})


@pytest.mark.parametrize("place", ["/tmp", "/home/agent", "/dev/shm"])
async def test_other_places_are_limited_too(small: Sandbox, place: str) -> None:
    result = await small.exec(["dd", "if=/dev/zero", f"of={place}/fill", "bs=1M"], timeout=60)
    assert not result.ok
    assert b"No space left" in result.stderr


async def test_a_file_larger_than_the_disk(small: Sandbox) -> None:
    result = await small.exec(["truncate", "-s", "10G", "sparse"])
    assert not result.ok


async def test_open_files(small: Sandbox) -> None:
    script = "x = [open('/dev/null') for _ in range(100_000)]"
    result = await small.exec(["python3", "-c", script])
    assert b"Too many open files" in result.stderr


async def test_a_great_many_files(backend: Backend) -> None:
    sandbox = await backend.create()
    script = """
for n in range(60_000):
    open(f"f{n}", "w").close()
"""
    await sandbox.exec(["python3", "-c", script], timeout=60)
    start = time.monotonic()
    snapshot = await sandbox.snapshot()
    assert snapshot.cut == "too many files"
    assert len(snapshot.files) == 20_000
    assert time.monotonic() - start < 30


async def test_a_very_deep_tree(sandbox: Sandbox) -> None:
    script = """
import os
for _ in range(2000):
    os.mkdir("d")
    os.chdir("d")
"""
    assert (await sandbox.exec(["python3", "-c", script])).ok
    snapshot = await sandbox.snapshot()
    assert list(snapshot.refused.values()) == ["nested too deeply"]
    assert (await sandbox.exec(["true"])).ok


async def test_neighbours_go_on(backend: Backend) -> None:
    bad, good = await asyncio.gather(
        backend.create(SandboxSpec(resources=SMALL)), backend.create(SandboxSpec(resources=SMALL))
    )
    bomb = asyncio.create_task(
        bad.exec(["bash", "-c", "bomb() { bomb | bomb & }; bomb; sleep 3"], timeout=20)
    )
    await asyncio.sleep(1)
    for _ in range(5):
        result = await good.exec(["bash", "-c", "echo $(echo sub | cat)"], timeout=15)
        assert result.stdout == b"sub\n"
    await bomb
    await bad.close()


async def test_file_names_that_use_everything_up(small: Sandbox) -> None:
    """100,000 files of nothing: they are not data, and still count."""
    script = """
for n in range(100_000):
    open(f"{n:0200d}", "w").close()
"""
    await small.exec(["python3", "-c", script], timeout=120)
    await small.stop()
    snapshot = await small.snapshot()
    assert len(snapshot.files) <= 20_000
    await small.exec(["bash", "-c", "rm -rf ./*"], timeout=60)


async def test_endless_output_on_both_streams_from_many_processes(small: Sandbox) -> None:
    script = "for i in $(seq 20); do yes & yes >&2 & done; wait"
    result = await small.exec(["bash", "-c", script], timeout=2)
    assert result.timed_out
    assert len(result.stdout) + len(result.stderr) < 600_000
    assert min(result.stdout_cut, result.stderr_cut) > 1_000_000


async def test_a_thousand_hung_execs_worth_of_files_and_sockets(small: Sandbox) -> None:
    script = """
import os, socket
held = []
try:
    while True:
        held += socket.socketpair()
except OSError as error:
    print(error.errno, len(held))
"""
    result = await small.exec(["python3", "-c", script], timeout=30)
    number, count = map(int, result.stdout.split())
    assert number == 24
    assert count < 256


async def test_directories_that_change_into_links_during_the_export(sandbox: Sandbox) -> None:
    """The walk holds directories open: a swapped parent leads nowhere else."""
    script = """
import os
os.makedirs("d/e", exist_ok=True)
open("d/e/f", "w").write("own")
while True:
    os.rename("d", "moved")
    os.symlink("/etc", "d")
    os.unlink("d")
    os.rename("moved", "d")
"""
    await sandbox.write({"swap.py": File(script.encode())})
    await sandbox.exec(["bash", "-c", "python3 swap.py >/dev/null 2>&1 & sleep 0.3"])
    for _ in range(50):
        snapshot = await sandbox.snapshot()
        names = {path.rpartition("/")[2] for path in snapshot.files}
        assert names <= {"f", "swap.py"}
        assert set(snapshot.files.values()) <= {b"own", script.encode()}


async def test_files_that_grow_and_shrink_during_the_export(sandbox: Sandbox) -> None:
    script = """
import os
f = os.open("f", os.O_CREAT | os.O_RDWR)
while True:
    os.ftruncate(f, 3_000_000)
    os.ftruncate(f, 0)
"""
    await sandbox.write({"grow.py": File(script.encode())})
    await sandbox.exec(["bash", "-c", "python3 grow.py & sleep 0.2"])
    for _ in range(30):
        snapshot = await sandbox.snapshot()
        assert len(snapshot.files.get("f", b"")) <= 3_000_000
    assert (await sandbox.exec(["true"])).ok


async def test_links_that_change_during_the_export(sandbox: Sandbox) -> None:
    """A process that swaps a file for a link while the workspace is read gets nothing out."""
    script = """
import os
while True:
    for target in ("/etc/passwd", "/proc/1/environ"):
        try:
            os.unlink("f")
        except OSError: pass
        os.symlink(target, "f")
        os.unlink("f")
        open("f", "w").write("own")
"""
    await sandbox.write({"swap.py": File(script.encode())})
    await sandbox.exec(["bash", "-c", "python3 swap.py & mkdir d; ln -s /etc d/e; :"])
    for _ in range(50):
        snapshot = await sandbox.snapshot()
        assert set(snapshot.files) <= {"f", "swap.py"}
        assert snapshot.files.get("f", b"own") in (b"own", b"")
