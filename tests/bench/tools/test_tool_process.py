"""Background sessions: `exec` with background or yieldMs, and `process`."""

import re
import time

import pytest

pytestmark = pytest.mark.bwrap


async def started(ask, command, **more):
    text = await ask("exec", command=command, background=True, **more)
    return re.search(r"sessionId (s\d+)", text)[1]


class TestStart:
    async def test_background_returns_at_once_and_the_command_goes_on(self, ask):
        start = time.monotonic()
        session = await started(ask, "sleep 1; touch done.txt")
        assert time.monotonic() - start < 1
        assert "ended, exit code 0" in await ask(
            "process", action="poll", sessionId=session, timeout=5_000
        )
        assert await ask("ls") == "done.txt"

    async def test_a_command_that_ends_before_yieldMs_is_like_any_other(self, ask):
        assert await ask("exec", command="echo x; exit 4", yieldMs=5_000) == "x\n[exit code 4]"
        assert await ask("exec", command="echo x", yieldMs=5_000) == "x"

    async def test_a_command_that_outlives_yieldMs_gets_a_session(self, ask):
        text = await ask("exec", command="echo early; sleep 1; echo late", yieldMs=300)
        assert text.startswith("early\n[running in the background as sessionId s1")
        text = await ask("process", action="poll", sessionId="s1", timeout=5_000)
        assert text == "late\n[s1 ended, exit code 0]"

    async def test_workdir_env_and_umask_are_those_of_the_foreground(self, ask, put):
        await put({"d/a.txt": ""})
        command = "pwd; echo $A; touch t; stat -c %a t"
        arguments = {"command": command, "workdir": "d", "env": {"A": "x"}}
        foreground = await ask("exec", **arguments)
        assert await ask("exec", **arguments, yieldMs=5_000) == foreground

    async def test_a_workdir_that_is_not_there_is_refused(self, refused):
        assert "nope" in await refused("exec", command="pwd", workdir="nope", background=True)

    async def test_is_killed_at_its_time_limit(self, ask):
        session = await started(ask, "sleep 100", timeoutSeconds=1)
        text = await ask("process", action="poll", sessionId=session, timeout=10_000)
        assert "was killed at its limit of 1 s" in text

    async def test_limit_0_is_no_limit(self, ask):
        text = await ask("exec", command="sleep 100", background=True, timeoutSeconds=0)
        assert "without time limit" in text


class TestPoll:
    async def test_gives_only_what_is_new(self, ask):
        session = await started(ask, "echo one; read x; echo two")
        text = await ask("process", action="poll", sessionId=session, timeout=500)
        assert text.startswith("one\n[s1 has been running for")
        assert "(no new output)" in await ask("process", action="poll", sessionId=session)
        await ask("process", action="write", sessionId=session, data="\n")
        text = await ask("process", action="poll", sessionId=session, timeout=5_000)
        assert text == "two\n[s1 ended, exit code 0]"

    async def test_returns_as_soon_as_the_command_ends(self, ask):
        session = await started(ask, "sleep 0.5")
        start = time.monotonic()
        await ask("process", action="poll", sessionId=session, timeout=60_000)
        assert time.monotonic() - start < 10

    async def test_long_output_is_cut_in_the_middle(self, ask):
        session = await started(ask, "seq 2000000")
        text = await ask("process", action="poll", sessionId=session, timeout=10_000)
        assert "bytes of output left out here" in text
        assert "\n2000000\n" in text
        assert len(text) < 31_000


class TestLog:
    async def test_gives_the_last_lines_or_those_asked_for(self, ask):
        session = await started(ask, "seq 1000")
        await ask("process", action="poll", sessionId=session, timeout=5_000)
        lines = (await ask("process", action="log", sessionId=session)).split("\n")
        assert lines[0] == "801"
        assert "[lines 801-1000 of 1000]" in lines
        text = await ask("process", action="log", sessionId=session, offset=5, limit=2)
        assert text == "5\n6\n[lines 5-6 of 1000]\n[s1 ended, exit code 0]"

    async def test_does_not_take_output_from_poll(self, ask):
        session = await started(ask, "sleep 0.3; echo x; sleep 1")
        await ask("exec", command="sleep 0.6")
        assert (await ask("process", action="log", sessionId=session)).startswith("x\n")
        text = await ask("process", action="poll", sessionId=session, timeout=5_000)
        assert text.startswith("x\n")

    async def test_offset_beyond_the_end_is_refused(self, ask, refused):
        session = await started(ask, "true")
        text = await refused("process", action="log", sessionId=session, offset=10)
        assert "beyond the end" in text


class TestWrite:
    async def test_reaches_the_command_and_eof_ends_its_input(self, ask):
        session = await started(ask, "while read x; do echo got $x; done; echo bye")
        await ask("process", action="write", sessionId=session, data="a b\nc\n")
        await ask("process", action="write", sessionId=session, data="d\n", eof=True)
        text = await ask("process", action="poll", sessionId=session, timeout=5_000)
        assert text == "got a b\ngot c\ngot d\nbye\n[s1 ended, exit code 0]"

    async def test_after_eof_or_the_end_nothing_can_be_written(self, ask, refused):
        first = await started(ask, "cat; sleep 100")
        await ask("process", action="write", sessionId=first, eof=True)
        text = await refused("process", action="write", sessionId=first, data="x")
        assert "closed earlier" in text
        second = await started(ask, "exit 2")
        await ask("process", action="poll", sessionId=second, timeout=5_000)
        text = await refused("process", action="write", sessionId=second, data="x")
        assert text == "s2 takes no more input: it ended, exit code 2."

    async def test_a_command_that_does_not_read_is_told(self, ask, refused):
        session = await started(ask, "sleep 100")
        text = await refused("process", action="write", sessionId=session, data="x" * 500_000)
        assert "does not read" in text


class TestKill:
    async def test_ends_everything_that_the_command_started(self, ask):
        session = await started(ask, "sleep 4321 & sleep 4321 | cat")
        assert "was killed" in await ask("process", action="kill", sessionId=session)
        assert await ask("exec", command="pgrep -x sleep | wc -l") == "0"

    async def test_ends_what_ignores_polite_signals(self, ask):
        session = await started(ask, "trap '' TERM; while :; do sleep 0.1; done")
        await ask("process", action="poll", sessionId=session, timeout=300)
        text = await ask("process", action="kill", sessionId=session)
        assert "was killed, exit code 137" in text

    async def test_a_command_that_has_ended_is_left_alone(self, ask):
        session = await started(ask, "exit 3")
        await ask("process", action="poll", sessionId=session, timeout=5_000)
        text = await ask("process", action="kill", sessionId=session)
        assert text == "[s1 ended, exit code 3]"


class TestSessions:
    async def test_list_names_all_with_state_and_command(self, ask):
        assert await ask("process", action="list") == "There are no background sessions."
        await started(ask, "exit 1")
        await started(ask, "sleep  100")
        await ask("process", action="poll", sessionId="s1", timeout=5_000)
        first, second = (await ask("process", action="list")).split("\n")
        assert first == "s1 ended, exit code 1: exit 1"
        assert second.startswith("s2 has been running for")
        assert second.endswith(": sleep 100")

    @pytest.mark.parametrize("action", ["poll", "log", "write", "kill"])
    async def test_an_unknown_or_missing_session_is_refused(self, refused, action):
        assert "Sessions: none" in await refused("process", action=action, sessionId="s9")
        assert "sessionId is missing" in await refused("process", action=action)

    async def test_a_removed_folder_is_told_not_raised(self, ask):
        session = await started(ask, "sleep 100")
        await ask("exec", command="rm -rf /tmp/.claw-*")
        assert "cannot be found" in await ask("process", action="poll", sessionId=session)

    async def test_a_killed_watcher_is_told_not_raised(self, ask):
        session = await started(ask, "sleep 100")
        await ask("exec", command="kill -9 $(cat /tmp/.claw-*/s1/runner)")
        assert "unknown way" in await ask("process", action="poll", sessionId=session)
