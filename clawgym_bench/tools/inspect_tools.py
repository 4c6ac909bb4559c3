"""The Claw tools as Inspect tools. The only module of this package that knows Inspect."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams

from clawgym_bench.tools.claw import ClawTools, invoke
from clawgym_bench.tools.limits import DEFAULT_LIMITS, ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.parameters import CLAW_TOOLS
from clawgym_bench.tools.schema import parse_arguments, tool_schemas


def claw_tools(
    tools: Callable[[], ClawTools],
    names: Sequence[str] = CLAW_TOOLS,
    *,
    limits: ToolLimits = DEFAULT_LIMITS,
) -> list[Tool]:
    """Inspect tools with the very schemas of `tool_schemas`.

    `tools` is asked at every call for the tools of the running sample, so that the list can be
    made before there is a sandbox. A model's mistake becomes a `ToolError`, which it sees; errors
    of the sandbox pass and fail the sample. Output limits are our own: Inspect's are off.
    """
    return [_inspect_tool(tools, name, limits) for name in names]


@lru_cache(maxsize=64)
def _described(name: str, limits: ToolLimits) -> tuple[str, ToolParams]:
    """Made once: reading a schema takes a millisecond, and every sample has every tool."""
    (schema,) = tool_schemas([name], limits=limits)
    function = schema["function"]
    return function["description"], ToolParams.model_validate(function["parameters"])


def _inspect_tool(tools: Callable[[], ClawTools], name: str, limits: ToolLimits) -> Tool:
    description, parameters = _described(name, limits)

    async def execute(**kwargs: Any) -> str:
        try:
            return await invoke(tools(), name, kwargs)
        except ToolMisuse as misuse:
            raise ToolError(str(misuse)) from None

    _convert_before_validation(execute, name)
    return ToolDef(
        execute,
        name=name,
        description=description,
        parameters=parameters,
        max_output=0,
    ).as_tool()


def _convert_before_validation(execute: Callable[..., Any], name: str) -> None:
    """Lets "5" pass for 5, and null for "left out", as `call` does.

    Inspect checks arguments against the JSON schema before a tool sees them. Its hook for
    canonical arguments is not public: where it is missing, such calls are refused by Inspect's
    own message and everything else works the same.
    """
    try:
        from inspect_ai.tool._tool_canonical import set_tool_canonical_arguments
    except ImportError:
        return

    def canonical(arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            parameters = parse_arguments(name, arguments)
        except ToolMisuse:
            return arguments
        return parameters.model_dump(by_alias=True, exclude_none=True)

    set_tool_canonical_arguments(execute, canonical)
