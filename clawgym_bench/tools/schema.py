"""From the parameter classes: JSON schemas for models, and arguments checked with plain words."""

import difflib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from functools import lru_cache
from inspect import cleandoc
from typing import Any

from pydantic import ValidationError

from clawgym_bench.tools.limits import DEFAULT_LIMITS, ToolLimits
from clawgym_bench.tools.misuse import ToolMisuse
from clawgym_bench.tools.parameters import CLAW_TOOLS, PARAMETERS, ToolParameters

KEPT = ("type", "description", "enum", "minimum", "maximum")


def tool_schemas(
    names: Sequence[str] = CLAW_TOOLS, *, limits: ToolLimits = DEFAULT_LIMITS
) -> list[dict[str, Any]]:
    """Function definitions in OpenAI's format, in the order of `names`.

    Raises `KeyError` for a name that is no tool.
    """
    return [{"type": "function", "function": deepcopy(_function(name, limits))} for name in names]


@lru_cache(maxsize=64)
def _function(name: str, limits: ToolLimits) -> dict[str, Any]:
    values = asdict(limits)
    model = PARAMETERS[name]
    schema = model.model_json_schema(by_alias=True)
    description = " ".join(cleandoc(model.__doc__ or "").split()).format(**values)
    parameters = _simplified(schema, schema.get("$defs", {}), values)
    # The description of the arguments object would only repeat the tool's own.
    parameters.pop("description", None)
    return {"name": name, "description": description, "parameters": parameters}


def _simplified(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], values: Mapping[str, int]
) -> dict[str, Any]:
    """The plain JSON Schema that every provider takes: no references, titles, nulls or defaults.

    An optional parameter is one that is not required, as in OpenClaw's own schemas.
    """
    if "$ref" in schema:
        target = definitions[schema["$ref"].removeprefix("#/$defs/")]
        return _simplified(target, definitions, values)
    if "anyOf" in schema:
        (chosen,) = [option for option in schema["anyOf"] if option.get("type") != "null"]
        described = {key: schema[key] for key in ("description",) if key in schema}
        return _simplified({**chosen, **described}, definitions, values)
    plain = {key: schema[key] for key in KEPT if key in schema}
    if "description" in plain:
        plain["description"] = plain["description"].format(**values)
    if "items" in schema:
        plain["items"] = _simplified(schema["items"], definitions, values)
        plain["items"].pop("description", None)
    if "properties" in schema:
        plain["properties"] = {
            name: _simplified(value, definitions, values)
            for name, value in schema["properties"].items()
        }
        plain["required"] = list(schema.get("required", []))
        plain["additionalProperties"] = False
    elif isinstance(schema.get("additionalProperties"), dict):
        plain["additionalProperties"] = _simplified(
            schema["additionalProperties"], definitions, values
        )
    return plain


def parse_arguments(name: str, arguments: Mapping[str, Any]) -> ToolParameters:
    """Checked arguments of one call. Raises `ToolMisuse` that lists everything that is wrong."""
    model = PARAMETERS.get(name)
    if model is None:
        raise ToolMisuse(f"There is no tool {name!r}. The tools are: {', '.join(PARAMETERS)}.")
    try:
        return model.model_validate(dict(arguments), by_alias=True)
    except ValidationError as error:
        known = [field.alias or key for key, field in model.model_fields.items()]
        problems = [_problem(item, known) for item in error.errors(include_url=False)]
        takes = ", ".join(
            (field.alias or key) + ("" if field.is_required() else "?")
            for key, field in model.model_fields.items()
        )
        listed = "\n".join(f"- {problem}" for problem in problems)
        raise ToolMisuse(f"{name}({takes}) cannot be called like this:\n{listed}") from None


def _problem(error: Any, known: Sequence[str]) -> str:
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"])
    where = where.lstrip(".")
    if error["type"] == "missing":
        return f"{where} is missing"
    if error["type"] == "extra_forbidden":
        names = known if len(error["loc"]) == 1 else ["oldText", "newText"]
        spelling = {name.lower().replace("_", ""): name for name in names}
        close = difflib.get_close_matches(
            str(error["loc"][-1]).lower().replace("_", ""), spelling, n=1
        )
        hint = f"; did you mean {spelling[close[0]]}?" if close else ""
        return f"{where} is no parameter of this tool{hint}"
    found = repr(error["input"])
    if len(found) > 80:
        found = f"{found[:80]}…"
    return f"{where}: {error['msg'][0].lower()}{error['msg'][1:]}, found {found}"
