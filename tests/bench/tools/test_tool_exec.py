"""`exec` in the foreground."""

import re
import time

import pytest

from clawgym_bench.tools import ToolLimits
from clawgym_bench.tools.output import clock, cut_middle

pytestmark = pytest.mark.bwrap


def cut_bytes(text):
    return int(re.search(r"about ([\d,]+) bytes", text)[1].replace(",", ""))


class TestExec:
    async def test_gives_both_outputs_in_order(self, ask):
        text = await ask("exec", command="echo 1; echo 2 >&2; echo 3")
        assert text == "1\n2\n3"

    async def test_runs_in_the_workspace_or_where_told(self, ask, put):
        await put({"d/a.txt": ""})
        assert await ask("exec", command="pwd") == "/workspace"
        assert await ask("exec", command="pwd", workdir="d") == "/workspace/d"
        assert await ask("exec", command="pwd", workdir="/tmp") == "/tmp"

    async def test_a_workdir_that_is_not_there_is_refused(self, refused):
        assert "No such file" in await refused("exec", command="pwd", workdir="nope")

    async def test_an_exit_code_is_told_when_it_is_not_0(self, ask):
        assert await ask("exec", command="true") == "(no output)"
        assert await ask("exec", command="exit 3") == "[exit code 3]"
        assert await ask("exec", command="echo x; false") == "x\n[exit code 1]"

    async def test_a_message_on_stderr_with_exit_code_1_is_output_not_misuse(self, ask):
        assert await ask("exec", command="echo bad >&2; exit 1") == "bad\n[exit code 1]"

    async def test_is_bash(self, ask):
        assert await ask("exec", command="x=(a b); echo ${x[1]}; cat <<'E'\n$x\nE") == "b\n$x"

    async def test_sets_environment_variables(self, ask):
        assert await ask("exec", command="echo $A-$B", env={"A": "x y", "B": 2}) == "x y-2"

    async def test_input_is_empty_not_waited_for(self, ask):
        assert await ask("exec", command="cat; echo done") == "done"

    async def test_long_output_keeps_head_and_tail_and_says_how_much_is_gone(self, ask):
        text = await ask("exec", command="seq 200000")
        assert text.startswith("1\n2\n")
        assert text.endswith("\n199999\n200000")
        assert abs(cut_bytes(text) - (1_288_894 - 30_000)) < 1_000
        assert len(text) < 31_000

    async def test_output_beyond_what_the_sandbox_keeps_is_cut_alike(self, ask):
        text = await ask("exec", command="head -c 5000000 /dev/zero | tr '\\0' x")
        assert abs(cut_bytes(text) - (5_000_000 - 30_000)) < 1_000
        assert len(text) < 31_000

    async def test_binary_output_becomes_text(self, ask):
        assert await ask("exec", command=r"printf 'a\0b\377'") == "a\\0b\ufffd"

    async def test_time_out_keeps_the_output_so_far(self, ask):
        text = await ask("exec", command="echo begun; sleep 30", timeoutSeconds=1)
        assert text.startswith("begun\n[timed out after 1 s and was killed")

    @pytest.mark.parametrize("limits", [ToolLimits(exec_seconds=1, exec_max_seconds=2)])
    async def test_time_out_has_a_default_and_a_maximum(self, ask):
        assert "after 1 s" in await ask("exec", command="sleep 30")
        assert "after 2 s (more than 2" in await ask("exec", command="sleep 30", timeoutSeconds=99)

    async def test_a_job_left_with_an_ampersand_does_not_hold_the_call(self, ask):
        start = time.monotonic()
        assert await ask("exec", command="sleep 20 & echo started") == "started"
        assert time.monotonic() - start < 5
        assert "sleep 20" in await ask("exec", command="pgrep -af 'sleep 20' | grep -v pgrep")

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            ({"command": " "}, "empty"),
            ({"command": "echo \x00"}, "characters"),
            ({"command": "x" * 200_000}, "too long"),
            ({"command": "true", "env": {"A=B": "x"}}, "env"),
        ],
    )
    async def test_impossible_commands_are_refused(self, refused, arguments, reason):
        assert reason in await refused("exec", **arguments)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.44, "0.4 s"), (5, "5 s"), (12.3, "12 s"), (120, "2 min"), (185, "3 min 5 s")],
)
def test_durations_are_for_people(seconds, text):
    assert clock(seconds) == text


def test_output_within_the_limit_is_not_touched():
    assert cut_middle(b"abc\n", 4) == "abc\n"
