"""JSON Schema on hostile documents: no remote references, patterns with a time limit."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import referencing
import regex
from pydantic import JsonValue

from clawgym_bench.checks.leaves import canonical
from clawgym_bench.checks.limits import PATTERN_SECONDS


def _safe_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, str):
        return
    if regex.search(pattern, instance, timeout=PATTERN_SECONDS) is None:
        shown = instance if len(instance) <= 60 else f"{instance[:59]}…"
        yield jsonschema.ValidationError(f"{shown!r} does not match {pattern!r}")


def _unique_items(validator: Any, wanted: bool, instance: Any, schema: Any) -> Iterator[Any]:
    if wanted and isinstance(instance, list):
        seen = [canonical(item) for item in instance]
        if len(set(seen)) < len(seen):
            yield jsonschema.ValidationError("an item appears twice")


_Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    {"pattern": _safe_pattern, "uniqueItems": _unique_items},
)


def valid_schema(value: Any) -> Any:
    try:
        jsonschema.Draft202012Validator.check_schema(value)
    except jsonschema.SchemaError as error:
        at = "/".join(map(str, error.absolute_path))
        raise ValueError(
            f"not a JSON Schema: {error.message[:200]} at {at or 'its root'}"
        ) from None
    nodes: list[Any] = [value]
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            target = node.get("$ref")
            if isinstance(target, str):
                _resolve(value, target)
            if "patternProperties" in node:
                raise ValueError("patternProperties is not supported here: name the keys")
            try:
                if isinstance(node.get("pattern"), str):
                    regex.compile(node["pattern"])
            except regex.error as error:
                raise ValueError(f"pattern {node['pattern']!r}: {error}") from None
            nodes.extend(node.values())
        elif isinstance(node, list):
            nodes.extend(node)
    return value


def _resolve(schema: Any, target: str) -> None:
    if not target.startswith("#"):
        raise ValueError(f"$ref {target!r} leaves the schema: only #/... is followed")
    node = schema
    for part in target[1:].split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        node = node.get(part) if isinstance(node, dict) else None
    if node is None:
        raise ValueError(f"$ref {target!r} points to nothing")


def schema_errors(schema: JsonValue, document: object) -> list[str]:
    """The first few ways in which a document breaks a schema."""
    validator = _Validator(
        schema,
        registry=referencing.Registry(),
        format_checker=jsonschema.FormatChecker(("date", "email", "ipv4", "ipv6", "uuid", "time")),
    )
    errors = []
    try:
        for error in validator.iter_errors(document):
            at = error.json_path.removeprefix("$").lstrip(".")
            errors.append(f"{at or 'the document'}: {error.message[:120]}")
            if len(errors) == 3:
                break
    except TimeoutError:
        errors.append("it takes too long to check")
    except (RecursionError, ValueError, OverflowError) as error:
        errors.append(f"it cannot be checked ({type(error).__name__})")
    return errors
