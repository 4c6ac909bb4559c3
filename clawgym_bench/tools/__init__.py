"""The tools of a Claw agent, over any sandbox. See docs/tools.md.

Inspect's form of them is `clawgym_bench.tools.inspect_tools`, which is not imported from here.
"""

from clawgym_bench.tools.claw import ClawTools, ToolOutcome, call, invoke
from clawgym_bench.tools.limits import DEFAULT_LIMITS, ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.parameters import CLAW_TOOLS, WEB_TOOLS
from clawgym_bench.tools.schema import tool_schemas
from clawgym_bench.tools.web import WebPage, WebPages

__all__ = [
    "CLAW_TOOLS",
    "DEFAULT_LIMITS",
    "WEB_TOOLS",
    "ClawTools",
    "ToolLimits",
    "ToolMisuse",
    "ToolOutcome",
    "WebPage",
    "WebPages",
    "call",
    "invoke",
    "tool_schemas",
]
