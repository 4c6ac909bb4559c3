"""What models are told about the tools, and how their calls are checked."""

import inspect
import typing

import jsonschema
import pytest

import clawgym_bench.tools
from clawgym_bench.errors import SandboxLost
from clawgym_bench.tools import (
    CLAW_TOOLS,
    WEB_TOOLS,
    ClawTools,
    ToolLimits,
    ToolMisuse,
    call,
    tool_schemas,
)
from clawgym_bench.tools.parameters import PARAMETERS
from clawgym_bench.tools.schema import parse_arguments

ALL = [*CLAW_TOOLS, *WEB_TOOLS]
OPENCLAW = {
    "read": ["path", "offset", "limit"],
    "write": ["path", "content"],
    "edit": ["path", "edits"],
    "apply_patch": ["input"],
    "ls": ["path", "limit"],
    "exec": ["command", "workdir", "env", "yieldMs", "background", "timeoutSeconds"],
    "process": ["action", "sessionId", "data", "eof", "offset", "limit", "timeout"],
    "memory_search": ["query", "maxResults", "minScore"],
    "memory_get": ["path", "from", "lines"],
    "web_search": ["query", "count"],
    "web_fetch": ["url", "extractMode", "maxChars"],
}


def functions():
    return {item["function"]["name"]: item["function"] for item in tool_schemas(ALL)}


class TestSchemas:
    def test_names_and_parameters_are_those_of_openclaw(self):
        found = {name: list(item["parameters"]["properties"]) for name, item in functions().items()}
        assert found == OPENCLAW

    @pytest.mark.parametrize("name", ALL)
    def test_are_plain_json_schema_that_every_provider_takes(self, name):
        parameters = functions()[name]["parameters"]
        jsonschema.Draft7Validator.check_schema(parameters)
        text = repr(parameters)
        for word in ("$ref", "$defs", "anyOf", "'title'", "null", "'default'"):
            assert word not in text
        for described in parameters["properties"].values():
            assert described["description"]
            assert described["type"]

    def test_limits_in_descriptions_are_the_ones_in_force(self):
        (item,) = tool_schemas(["exec"], limits=ToolLimits(exec_seconds=7, exec_max_seconds=9))
        described = item["function"]["parameters"]["properties"]["timeoutSeconds"]["description"]
        assert "default 7, at most 9" in described
        assert "{" not in repr([item["description"] for item in functions().values()])

    def test_an_unknown_name_is_an_error(self):
        with pytest.raises(KeyError):
            tool_schemas(["reed"])

    @pytest.mark.parametrize("name", ALL)
    def test_every_tool_is_a_method_with_the_same_parameters(self, name):
        signature = inspect.signature(getattr(ClawTools, name))
        hints = typing.get_type_hints(getattr(ClawTools, name))
        fields = PARAMETERS[name].model_fields
        assert list(signature.parameters)[1:] == list(fields)
        assert hints["return"] is str
        for key, field in fields.items():
            required = signature.parameters[key].default is inspect.Parameter.empty
            assert required == field.is_required()


class TestArguments:
    @pytest.mark.parametrize(
        ("name", "arguments", "message"),
        [
            ("read", {}, "path is missing"),
            (
                "read",
                {"path": "a", "ofset": 1},
                "ofset is no parameter of this tool; did you mean offset?",
            ),
            ("exec", {"command": "x", "yield_ms": 1}, "did you mean yieldMs?"),
            ("read", {"path": "a", "file": 1}, "file is no parameter of this tool"),
            ("read", {"path": ["a"]}, "path: input should be a valid string, found ['a']"),
            ("read", {"path": "a", "offset": "x"}, "offset: input should be a valid integer"),
            (
                "read",
                {"path": "a", "limit": 0},
                "limit: input should be greater than or equal to 1",
            ),
            (
                "write",
                {"path": "a", "content": {"k": 1}},
                "content: input should be a valid string",
            ),
            ("edit", {"path": "a", "edits": []}, "edits: list should have at least 1 item"),
            ("edit", {"path": "a", "edits": [{"old": "x"}]}, "edits[0].oldText is missing"),
            ("edit", {"path": "a", "edits": [{"oldtext": "x"}]}, "did you mean oldText?"),
            ("process", {"action": "stop"}, "'list', 'poll', 'log', 'write' or 'kill'"),
        ],
    )
    def test_what_is_wrong_is_told_in_plain_words(self, name, arguments, message):
        with pytest.raises(ToolMisuse) as caught:
            parse_arguments(name, arguments)
        assert message in str(caught.value)

    def test_all_that_is_wrong_is_told_at_once_with_what_the_tool_takes(self):
        with pytest.raises(ToolMisuse) as caught:
            parse_arguments("read", {"pth": 1, "limit": "x"})
        assert str(caught.value).startswith("read(path, offset?, limit?) cannot be called")
        assert str(caught.value).count("\n- ") == 3

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("read", {"path": "a", "offset": "5", "limit": None}),
            ("exec", {"command": "x", "background": "true", "env": {"A": 1}}),
            ("exec", {"command": "x", "env": '{"A": "1"}'}),
            ("process", {"action": "poll", "sessionId": 1}),
            ("edit", {"path": "a", "edits": '[{"oldText": "a", "newText": "b"}]'}),
        ],
    )
    def test_slips_whose_meaning_is_plain_are_taken(self, name, arguments):
        parse_arguments(name, arguments)

    def test_an_unknown_tool_is_refused_with_those_there_are(self):
        with pytest.raises(ToolMisuse, match="The tools are: read, write"):
            parse_arguments("bash", {})


class Lost:
    """A sandbox that is gone."""

    workspace = "/workspace"

    def __getattr__(self, name):
        async def lose(*args, **kwargs):
            raise SandboxLost("gone")

        return lose


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read", {"path": "a"}),
        ("write", {"path": "a", "content": "x"}),
        ("ls", {}),
        ("exec", {"command": "x"}),
        ("exec", {"command": "x", "background": True}),
        ("memory_search", {"query": "x"}),
    ],
)
async def test_a_lost_sandbox_is_raised_and_not_told_to_the_model(name, arguments):
    with pytest.raises(SandboxLost):
        await call(ClawTools(Lost()), name, arguments)


def test_public_names_are_exactly_those_listed():
    public = {
        name
        for name, value in vars(clawgym_bench.tools).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(clawgym_bench.tools.__all__)
    assert sorted(
        clawgym_bench.tools.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n)
    ) == (clawgym_bench.tools.__all__)
