"""The tools as Inspect runs them: a scripted model calls them through Inspect's own loop."""

import pytest
from inspect_ai.model import ChatMessageAssistant, execute_tools
from inspect_ai.tool import ToolCall, ToolDef

from clawgym_bench.errors import SandboxLost
from clawgym_bench.tools import CLAW_TOOLS, WEB_TOOLS, ClawTools, call, tool_schemas
from clawgym_bench.tools.inspect_tools import claw_tools

ALL = [*CLAW_TOOLS, *WEB_TOOLS]


async def through_inspect(tools, name, arguments):
    message = ChatMessageAssistant(
        content="", tool_calls=[ToolCall(id="1", function=name, arguments=arguments)]
    )
    (answer,), _ = await execute_tools([message], claw_tools(lambda: tools, ALL))
    return answer


def test_schemas_are_identical_to_those_for_training():
    for tool, schema in zip(claw_tools(lambda: None, ALL), tool_schemas(ALL), strict=True):
        definition = ToolDef(tool)
        assert {
            "name": definition.name,
            "description": definition.description,
            "parameters": definition.parameters.model_dump(exclude_none=True),
        } == schema["function"]


def test_tools_can_be_made_before_there_is_a_sandbox():
    def none_yet():
        raise AssertionError("asked too early")

    assert len(claw_tools(none_yet)) == len(CLAW_TOOLS)


class TestCalls:
    pytestmark = pytest.mark.bwrap

    async def test_work_and_give_the_same_text(self, tools, put):
        await put({"a.txt": "hello\n"})
        answer = await through_inspect(tools, "read", {"path": "a.txt"})
        assert answer.error is None
        assert answer.text == (await call(tools, "read", {"path": "a.txt"})).text == "hello"

    async def test_a_mistake_is_an_error_that_the_model_sees(self, tools):
        answer = await through_inspect(tools, "read", {"path": "nope.txt"})
        assert answer.error.message.startswith("nope.txt does not exist")

    @pytest.mark.parametrize(
        "arguments",
        [
            {"path": "a.txt", "offset": "1", "limit": None},
            {"path": "a.txt", "ofset": 1},
            {"path": "a.txt", "offset": "x"},
            {"pth": "a.txt"},
            {"path": "a.txt", "limit": 0},
        ],
    )
    async def test_the_same_calls_are_taken_and_refused_as_in_training(self, tools, put, arguments):
        await put({"a.txt": "hello\n"})
        answer = await through_inspect(tools, "read", arguments)
        outcome = await call(tools, "read", arguments)
        assert (answer.error is not None) == outcome.error

    async def test_long_results_are_not_cut_again_by_inspect(self, tools, put):
        await put({"a.txt": "x" * 79 + "\n"} | {"b.txt": ("x" * 79 + "\n") * 500})
        answer = await through_inspect(tools, "read", {"path": "b.txt"})
        assert answer.text == (await call(tools, "read", {"path": "b.txt"})).text
        assert len(answer.text) > 39_000


async def test_a_lost_sandbox_fails_the_sample():
    class Lost:
        workspace = "/workspace"

        async def read(self, path, *, limit=0):
            raise SandboxLost("gone")

    with pytest.raises(SandboxLost):
        await through_inspect(ClawTools(Lost()), "read", {"path": "a"})
