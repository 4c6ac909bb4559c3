"""The Claw tools as training data names them: the very schemas that the benchmark's agent sees."""

from typing import Any

from clawgym_bench import tools
from clawgym_bench.errors import InputError
from clawgym_bench.tools.parameters import CLAW_TOOLS, WEB_TOOLS


def tool_schemas(names: list[str] | None = None) -> list[dict[str, Any]]:
    """OpenAI function definitions of the tools called `names`, or of all.

    Raises `InputError` for a name that is no tool.
    """
    known = [*CLAW_TOOLS, *WEB_TOOLS]
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        raise InputError(f"no tool {', '.join(unknown)}; there are {', '.join(known)}")
    return tools.tool_schemas(names or known)
