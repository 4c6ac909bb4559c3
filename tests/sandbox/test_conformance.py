"""What `Sandbox` promises, on every backend."""

import asyncio
import errno
import time

import pytest

from clawgym_bench.errors import InputError, SandboxLost
from clawgym_bench.sandbox import (
    Backend,
    File,
    Resources,
    Sandbox,
    SandboxSpec,
    SnapshotLimits,
)


class TestExec:
    async def test_output_and_exit_code(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 3"])
        assert (result.exit_code, result.stdout, result.stderr) == (3, b"out\n", b"err\n")
        assert not result.ok
        assert not result.timed_out
        assert 0 < result.seconds < 5

    async def test_starts_in_the_workspace(self, sandbox: Sandbox) -> None:
        assert (await sandbox.exec(["pwd"])).stdout.decode().strip() == sandbox.workspace

    async def test_cwd_is_relative_to_the_workspace_or_absolute(self, sandbox: Sandbox) -> None:
        await sandbox.write({"sub/file": File(b"")})
        assert (await sandbox.exec(["ls"], cwd="sub")).stdout == b"file\n"
        assert (await sandbox.exec(["pwd"], cwd="/usr/bin")).stdout == b"/usr/bin\n"

    async def test_missing_cwd_is_reported(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["true"], cwd="nowhere")
        assert result.exit_code == 126
        assert b"nowhere: No such file" in result.stderr

    async def test_stdin(self, sandbox: Sandbox) -> None:
        data = bytes(range(256)) * 4096
        result = await sandbox.exec(["cat"], stdin=data, output_limit=2 * len(data))
        assert result.stdout == data

    async def test_stdin_that_nobody_reads_does_not_hang(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["true"], stdin=b"x" * 5_000_000, timeout=20)
        assert result.ok

    async def test_no_stdin_is_an_empty_one(self, sandbox: Sandbox) -> None:
        assert (await sandbox.exec(["cat"], timeout=10)).stdout == b""

    async def test_environment(self, backend: Backend) -> None:
        sandbox = await backend.create(SandboxSpec(env={"OF_SPEC": "1", "BOTH": "spec"}))
        result = await sandbox.exec(
            ["sh", "-c", "echo $OF_SPEC $OF_CALL $BOTH $HOME $USER"],
            env={"OF_CALL": "ä 2", "BOTH": "call"},
        )
        assert result.stdout.decode() == "1 ä 2 call /home/agent agent\n"

    async def test_nothing_of_the_host_environment(self, sandbox: Sandbox, monkeypatch) -> None:
        monkeypatch.setenv("SECRET_KEY", "sk-123")
        names = {
            line.split("=")[0] for line in (await sandbox.exec(["env"])).stdout.decode().split("\n")
        }
        allowed = {
            "", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH",
            "SHELL", "TERM", "TZ", "USER",
        }  # fmt: skip
        assert names <= allowed

    async def test_unknown_command(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["no-such-program"])
        assert result.exit_code == 127
        assert result.stderr == b"no-such-program: command not found\n"

    async def test_command_without_permission(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["/etc/passwd"])
        assert result.exit_code == 126
        assert b"Permission denied" in result.stderr

    async def test_signal_death_reads_as_in_a_shell(self, sandbox: Sandbox) -> None:
        assert (await sandbox.exec(["sh", "-c", "kill -TERM $$"])).exit_code == 143

    async def test_nul_bytes_are_refused(self, sandbox: Sandbox) -> None:
        with pytest.raises(OSError, match="NUL"):
            await sandbox.exec(["echo", "a\0b"])
        with pytest.raises(OSError, match="NUL"):
            await sandbox.read("a\0b")

    async def test_many_at_once(self, sandbox: Sandbox) -> None:
        start = time.monotonic()
        results = await asyncio.gather(
            *(sandbox.exec(["sh", "-c", f"sleep 0.5; echo {n}"]) for n in range(20))
        )
        assert [r.stdout for r in results] == [f"{n}\n".encode() for n in range(20)]
        assert time.monotonic() - start < 6

    async def test_python_and_its_libraries(self, sandbox: Sandbox) -> None:
        names = "openpyxl, docx, lxml.etree, pypdf, yaml, dateutil, pandas, sqlite3, csv, json"
        result = await sandbox.exec(["python3", "-c", f"import {names}; print('ok')"])
        assert result.stdout == b"ok\n", result.stderr

    @pytest.mark.parametrize("program", ["bash", "git", "jq", "sqlite3", "rg", "zip", "node"])
    async def test_programs_of_the_image(self, sandbox: Sandbox, program: str) -> None:
        if sandbox.facts["backend"] == "bwrap":
            pytest.skip("bwrap shows the host's programs, whatever they are")
        assert (await sandbox.exec([program, "--version"])).ok or program == "zip"

    async def test_facts_say_what_was_used(self, sandbox: Sandbox) -> None:
        facts = sandbox.facts
        assert {"backend", "user", "memory_mb", "disk_mb", "python", "workspace"} <= set(facts)
        assert all(isinstance(v, str) for v in facts.values())


class TestTimeout:
    async def test_ends_the_command(self, sandbox: Sandbox) -> None:
        start = time.monotonic()
        result = await sandbox.exec(["sh", "-c", "echo early; sleep 30"], timeout=0.5)
        assert result.timed_out
        assert result.exit_code is None
        assert result.stdout == b"early\n"
        assert time.monotonic() - start < 5

    async def test_ends_the_whole_session(self, sandbox: Sandbox) -> None:
        # Job control gives the background job a process group of its own.
        script = "set -m; sleep 4321 & setsid sleep 8765 & sleep 30"
        await sandbox.exec(["bash", "-c", script], timeout=0.5)
        left = (await sandbox.exec(["bash", "-c", "cat /proc/[0-9]*/cmdline"])).stdout
        assert b"4321" not in left
        assert b"8765" in left, "a session of its own is a daemon and goes on"

    async def test_ignoring_sigterm_does_not_help(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(
            ["bash", "-c", "trap '' TERM INT HUP; while :; do sleep 0.1; done"], timeout=0.5
        )
        assert result.timed_out

    async def test_cancelling_the_call_kills_the_command(self, sandbox: Sandbox) -> None:
        task = asyncio.create_task(sandbox.exec(["sleep", "1234"]))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.3)
        left = (await sandbox.exec(["bash", "-c", "cat /proc/[0-9]*/cmdline"])).stdout
        assert b"1234" not in left


class TestOutput:
    async def test_complete_at_the_limit(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["head", "-c", "1000", "/dev/zero"], output_limit=1000)
        assert (len(result.stdout), result.stdout_cut) == (1000, 0)

    async def test_keeps_head_and_tail_beyond_it(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["seq", "100000"], output_limit=1000)
        whole = "".join(f"{n}\n" for n in range(1, 100_001)).encode()
        assert result.stdout_cut == len(whole) - 1000
        assert result.stdout.startswith(whole[:500])
        assert result.stdout.endswith(whole[-500:])
        assert f"{result.stdout_cut} bytes left out".encode() in result.stdout
        assert result.stderr_cut == 0

    async def test_stderr_has_a_limit_of_its_own(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["sh", "-c", "seq 10000 >&2; echo ok"], output_limit=100)
        assert result.stdout == b"ok\n"
        assert result.stderr_cut > 0

    async def test_endless_output_costs_no_memory(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["yes"], timeout=2)
        assert result.timed_out
        assert result.stdout_cut > 10_000_000
        assert len(result.stdout) < 300_000

    async def test_bytes_that_are_not_text(self, sandbox: Sandbox) -> None:
        result = await sandbox.exec(["printf", "\\377\\000\\376"])
        assert result.stdout == b"\xff\x00\xfe"


class TestBackground:
    async def test_survives_its_exec_which_returns_at_once(self, sandbox: Sandbox) -> None:
        start = time.monotonic()
        # The background job keeps the pipes open and goes on printing into them.
        script = "(for i in $(seq 40); do echo tick; sleep 0.05; done; touch done) & echo started"
        result = await sandbox.exec(["bash", "-c", script])
        assert time.monotonic() - start < 1.5
        assert result.stdout.startswith(b"started\n") or b"started" in result.stdout
        await asyncio.sleep(3.5)
        assert (await sandbox.exec(["ls"])).stdout == b"done\n"

    async def test_stop_ends_everything(self, sandbox: Sandbox) -> None:
        await sandbox.exec(["bash", "-c", "setsid sleep 999 & nohup sleep 998 >/dev/null & :"])
        running = asyncio.create_task(sandbox.exec(["sleep", "997"]))
        await asyncio.sleep(0.3)
        await sandbox.stop()
        assert (await running).exit_code == 137
        count = await sandbox.exec(["bash", "-c", "ls -d /proc/[0-9]* | wc -l"])
        assert int(count.stdout) <= 4  # the supervisor, bash, ls, wc

    async def test_sandbox_works_on_after_stop(self, sandbox: Sandbox) -> None:
        await sandbox.stop()
        assert (await sandbox.exec(["true"])).ok

    async def test_orphans_are_reaped(self, sandbox: Sandbox) -> None:
        await sandbox.exec(["bash", "-c", "for i in $(seq 50); do (sleep 0.1 &) ; done"])
        await asyncio.sleep(0.8)
        states = await sandbox.exec(["bash", "-c", "cat /proc/[0-9]*/stat | grep -c ' Z '"])
        assert states.stdout.strip() == b"0"


class TestFiles:
    async def test_write_then_read(self, sandbox: Sandbox) -> None:
        files = {
            "a/b/c.txt": File(b"deep"),
            "empty": File(b""),
            "/tmp/outside": File(b"absolute"),
            "ünï cödé \n name": File(b"odd"),
            "large": File(bytes(range(256)) * 20_000),
        }
        await sandbox.write(files)
        for path, file in files.items():
            assert await sandbox.read(path) == file.content

    async def test_modes(self, sandbox: Sandbox) -> None:
        await sandbox.write({"run.sh": File(b"#!/bin/sh\necho ran", 0o755), "plain": File(b"")})
        assert (await sandbox.exec(["./run.sh"])).stdout == b"ran\n"
        await sandbox.write({"run.sh": File(b"#!/bin/sh\necho again")})
        assert (await sandbox.exec(["./run.sh"])).stdout == b"again\n", "kept its mode"
        assert (await sandbox.exec(["stat", "-c%a", "plain"])).stdout == b"644\n"

    async def test_written_files_belong_to_the_agent(self, sandbox: Sandbox) -> None:
        await sandbox.write({"d/f": File(b"x")})
        assert (await sandbox.exec(["sh", "-c", "echo y >> d/f && rm -r d"])).ok

    async def test_write_errors(self, sandbox: Sandbox) -> None:
        await sandbox.write({"dir/file": File(b""), "locked": File(b"", 0o444)})
        with pytest.raises(IsADirectoryError):
            await sandbox.write({"dir": File(b"")})
        with pytest.raises(PermissionError):
            await sandbox.write({"locked": File(b"")})
        with pytest.raises(NotADirectoryError):
            await sandbox.write({"dir/file/below": File(b"")})
        with pytest.raises(OSError, match=r"[Rr]ead-only|[Pp]ermission") as caught:
            await sandbox.write({"/usr/bin/ls": File(b"")})
        assert caught.value.errno in (errno.EROFS, errno.EACCES)

    async def test_read_errors(self, sandbox: Sandbox) -> None:
        await sandbox.write({"dir/file": File(b"12345"), "secret": File(b"", 0o000)})
        with pytest.raises(FileNotFoundError, match="nothing"):
            await sandbox.read("nothing")
        with pytest.raises(IsADirectoryError):
            await sandbox.read("dir")
        with pytest.raises(PermissionError):
            await sandbox.read("secret")
        with pytest.raises(OSError, match="large") as caught:
            await sandbox.read("dir/file", limit=4)
        assert caught.value.errno == errno.EFBIG
        assert await sandbox.read("dir/file", limit=5) == b"12345"

    async def test_a_fifo_does_not_hang_the_sandbox(self, sandbox: Sandbox) -> None:
        await sandbox.exec(["mkfifo", "pipe"])
        with pytest.raises(OSError, match="pipe"):
            await asyncio.wait_for(sandbox.read("pipe"), 10)
        with pytest.raises(OSError, match="pipe"):
            await asyncio.wait_for(sandbox.write({"pipe": File(b"x")}), 10)
        assert (await sandbox.exec(["true"])).ok

    async def test_links_to_devices_and_processes(self, sandbox: Sandbox) -> None:
        await sandbox.exec(
            ["sh", "-c", "ln -s /dev/zero z; ln -s /proc/self/fd/1 out; ln -s /proc/self/mem m"]
        )
        with pytest.raises(OSError, match="z"):
            await sandbox.read("z")
        for name in ("out", "m"):
            with pytest.raises(OSError, match=name):
                await sandbox.write({name: File(b"\x00" * 64)})
        assert (await sandbox.exec(["true"])).ok

    async def test_one_refused_file_does_not_wedge_later_writes(self, sandbox: Sandbox) -> None:
        await sandbox.write({"dir/x": File(b"")})
        with pytest.raises(IsADirectoryError):
            await sandbox.write({"dir": File(b"a" * 3_000_000), "b": File(b"b")})
        await sandbox.write({"b": File(b"later")})
        assert await sandbox.read("b") == b"later"


class TestSnapshot:
    async def test_files_and_directories(self, sandbox: Sandbox) -> None:
        await sandbox.write({"a.txt": File(b"1"), "d/e/f.bin": File(b"\0\xff"), "x": File(b"", 0)})
        await sandbox.exec(["mkdir", "-p", "empty/inner"])
        await sandbox.stop()
        snapshot = await sandbox.snapshot()
        assert snapshot.files == {"a.txt": b"1", "d/e/f.bin": b"\0\xff"}
        assert snapshot.directories == {"d", "d/e", "empty", "empty/inner"}
        assert snapshot.refused == {"x": "Permission denied"}
        assert snapshot.cut == ""

    async def test_nothing_but_regular_files(self, sandbox: Sandbox) -> None:
        script = """
        ln -s /etc/passwd link; ln -s / root; ln -s nowhere broken; ln -s . self; mkfifo pipe
        python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'
        echo hi > file; ln file hard
        """
        await sandbox.exec(["bash", "-c", script])
        snapshot = await sandbox.snapshot()
        assert snapshot.files == {"file": b"hi\n", "hard": b"hi\n"}
        assert snapshot.refused == {
            "link": "symbolic link",
            "root": "symbolic link",
            "broken": "symbolic link",
            "self": "symbolic link",
            "pipe": "FIFO",
            "sock": "socket",
        }

    async def test_odd_names(self, sandbox: Sandbox) -> None:
        script = r"""
        import os
        for name in (b"bad\xff", b"new\nline", b"esc\x1b[31m", b"..hidden", "ünï".encode(), b"a b"):
            open(name, "w").write("x")
        """
        await sandbox.exec(["python3", "-c", script.replace("\n        ", "\n")])
        snapshot = await sandbox.snapshot()
        assert set(snapshot.files) == {"..hidden", "ünï", "a b"}
        assert snapshot.refused == {
            "bad\\xff": "name is not UTF-8",
            "new\\x0aline": "control characters in the name",
            "esc\\x1b[31m": "control characters in the name",
        }

    async def test_limits(self, sandbox: Sandbox) -> None:
        await sandbox.exec(
            ["sh", "-c", "mkdir -p a/b/c/d; echo > a/b/c/d/deep; head -c 2000 /dev/zero > big"]
        )
        await sandbox.write({f"f{n}": File(b"x" * 100) for n in range(10)})
        full = await sandbox.snapshot(SnapshotLimits(file_size=1999, depth=3))
        assert len(full.files) == 10
        assert full.refused == {"big": "file too large", "a/b/c": "nested too deeply"}
        assert (await sandbox.snapshot(SnapshotLimits(files=5))).cut == "too many files"
        few = await sandbox.snapshot(SnapshotLimits(total_size=450))
        assert few.cut == "too many bytes"
        assert sum(map(len, few.files.values())) <= 450
        named = await sandbox.snapshot(SnapshotLimits(path_length=2))
        assert named.refused == {"bi…": "path too long", "a/…": "path too long"}

    async def test_a_huge_sparse_file_costs_nothing(self, sandbox: Sandbox) -> None:
        await sandbox.exec(["truncate", "-s", "500M", "sparse"])
        start = time.monotonic()
        snapshot = await sandbox.snapshot()
        assert snapshot.refused == {"sparse": "file too large"}
        assert time.monotonic() - start < 2

    async def test_workspace_of_another_place(self, backend: Backend) -> None:
        spec = SandboxSpec(workspace="/root/.openclaw/workspace")
        sandbox = await backend.create(spec)
        await sandbox.write({"x": File(b"1")})
        assert (await sandbox.exec(["pwd"])).stdout.decode().strip() == spec.workspace
        assert (await sandbox.snapshot()).files == {"x": b"1"}
        assert not (await sandbox.exec(["touch", "/root/y"])).ok


class TestLife:
    async def test_close_is_final_and_idempotent(self, sandbox: Sandbox) -> None:
        waiting = asyncio.create_task(sandbox.exec(["sleep", "60"]))
        await asyncio.sleep(0.2)
        await sandbox.close()
        await sandbox.close()
        with pytest.raises(SandboxLost):
            await waiting
        for call in (sandbox.exec(["true"]), sandbox.read("x"), sandbox.stop()):
            with pytest.raises(SandboxLost):
                await call

    async def test_sandboxes_share_nothing(self, backend: Backend) -> None:
        one, two = await asyncio.gather(backend.create(), backend.create())
        await one.write({"mine": File(b"1"), "/tmp/mine": File(b"1")})
        await one.exec(["bash", "-c", "sleep 4242 &"])
        seen = await two.exec(["bash", "-c", "ls . /tmp; cat /proc/[0-9]*/cmdline"])
        assert b"mine" not in seen.stdout
        assert b"4242" not in seen.stdout

    async def test_backend_close_ends_all(self, backend: Backend) -> None:
        made = [await backend.create() for _ in range(3)]
        await backend.close()
        for sandbox in made:
            with pytest.raises(SandboxLost):
                await sandbox.exec(["true"])

    async def test_grader_is_another_user(self, backend: Backend) -> None:
        grader = await backend.create(SandboxSpec(user="grader"))
        assert (await grader.exec(["whoami"])).stdout == b"grader\n"
        assert (await grader.exec(["sh", "-c", "echo ok > x && cat x"])).stdout == b"ok\n"

    @pytest.mark.parametrize(
        "spec",
        [
            SandboxSpec(user="root"),
            SandboxSpec(workspace="relative"),
            SandboxSpec(workspace="/"),
            SandboxSpec(workspace="/usr/local/x"),
            SandboxSpec(workspace="/a/../etc"),
        ],
        ids=lambda spec: f"{spec.user}-{spec.workspace}",
    )
    async def test_impossible_specs(self, backend: Backend, spec: SandboxSpec) -> None:
        with pytest.raises(InputError):
            await backend.create(spec)

    async def test_resources_are_applied(self, backend: Backend) -> None:
        limits = Resources(disk_mb=64, open_files=100)
        sandbox = await backend.create(SandboxSpec(resources=limits))
        found = await sandbox.exec(["bash", "-c", "ulimit -n; df -m --output=size . | tail -1"])
        assert found.stdout.split() == [b"100", b"64"]
