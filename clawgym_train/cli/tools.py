"""`clawgym-train tools`."""

import json
from typing import Annotated

import typer

from clawgym_train.schemas import tool_schemas


def tools(
    names: Annotated[list[str] | None, typer.Argument(help="Tools; all when none.")] = None,
) -> None:
    """Print the schemas of the Claw tools as a chat template takes them."""
    print(json.dumps(tool_schemas(names), indent=2, ensure_ascii=False))
