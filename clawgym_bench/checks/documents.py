"""JSON, YAML, TOML and JSON Lines as plain values, bounded, and JMESPath expressions on them."""

import datetime as dt
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NoReturn

import jmespath
import regex
import yaml
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from pydantic import AfterValidator

from clawgym_bench.checks.limits import NESTING, STRUCTURED_BYTES, TABLE_ROWS, Refused

Format = Literal["json", "yaml", "toml", "jsonl"]
FORMATS: Mapping[str, Format] = {
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
JSON_CONTAINERS = 500_000
JSON_ITEMS = 2_000_000
YAML_BYTES = 2 * 2**20
YAML_EVENTS = 200_000
TOML_BYTES = 2**20


def load_json(content: bytes) -> object:
    """The value of a JSON document. Raises `Refused` (also for NaN and for a key given twice)."""
    return _json(_text(content, STRUCTURED_BYTES))


def load_json_lines(content: bytes) -> list[object]:
    """The values of the lines that are not blank. Raises `Refused`."""
    text = _text(content, STRUCTURED_BYTES)
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > TABLE_ROWS:
        raise Refused(f"it has more than {TABLE_ROWS} lines")
    _bound_json(text)
    values = []
    for number, line in enumerate(lines, start=1):
        try:
            values.append(_json(line))
        except Refused as refused:
            raise Refused(f"line {number}: {refused}") from None
    return values


def load_yaml(content: bytes) -> object:
    """The value of a YAML document, as JSON values; raises `Refused`.

    Dates, clock times (12:30) and numbers with leading zeros stay text. Custom tags, keys given
    twice and aliases that multiply are refused.
    """
    text = _text(content, YAML_BYTES)
    _bound_yaml(text)
    loader = _YamlLoader(text)
    try:
        node = loader.get_single_node()
        _check_nodes(node)
        value = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        raise Refused(f"it is not valid YAML ({_line(error)})") from None
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Refused(f"it is not valid YAML ({error})") from None
    finally:
        loader.dispose()
    return _plain(value)


def load_toml(content: bytes) -> object:
    """The value of a TOML document, dates as ISO text. Raises `Refused`."""
    text = _text(content, TOML_BYTES)
    if _DOTTED.search(text):
        raise Refused(f"it nests more than {NESTING} deep")
    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise Refused(f"it nests more than {NESTING} deep") from None
    except (ValueError, OverflowError) as error:
        raise Refused(f"it is not valid TOML ({str(error)[:100]})") from None
    _bound_depth(value)
    return _plain(value)


def load(content: bytes, format: Format) -> object:
    """The value of a document in one of the formats; JSON Lines give a list."""
    loaders = {"json": load_json, "yaml": load_yaml, "toml": load_toml, "jsonl": load_json_lines}
    return loaders[format](content)


def format_of(path: str) -> Format | None:
    """The format that the suffix of a path tells."""
    lower = path.lower()
    return next((kind for suffix, kind in FORMATS.items() if lower.endswith(suffix)), None)


def _text(content: bytes, bound: int) -> str:
    if len(content) > bound:
        raise Refused(f"it has more than {bound:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8 text") from None
    if not text.strip():
        raise Refused("it is empty")
    return text


def _bound_json(text: str) -> None:
    if text.count("[") + text.count("{") > JSON_CONTAINERS or text.count(",") > JSON_ITEMS:
        raise Refused("it has too many values")


def _json(text: str) -> object:
    _bound_json(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except RecursionError:
        raise Refused(f"it nests more than {NESTING} deep") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise Refused(f"it is not valid JSON ({error.msg}: {at})") from None
    except ValueError:
        raise Refused("it holds a number of thousands of digits") from None
    _bound_depth(value)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Refused(f"the key {twice[:60]!r} is given twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Refused(f"{name} is not JSON: use null")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Refused(f"the number {digits[:20]} is too large")
    return number


def _bound_depth(value: object) -> None:
    level = [value]
    for _ in range(NESTING + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise Refused(f"it nests more than {NESTING} deep")


def _plain(value: object) -> object:
    """With JSON's own types only."""
    if isinstance(value, dict):
        return {_key(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(inner) for inner in value]
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _key(name: object) -> str:
    if isinstance(name, bool) or name is None:
        return json.dumps(name)
    return name if isinstance(name, str) else str(name)


# A TOML key of more parts than any document nests (its parsing takes quadratic time).
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DOTTED = regex.compile(rf"(?<![\w.-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{NESTING}}}")


class _YamlLoader(yaml.CSafeLoader):
    """YAML's safe loader without the surprises of version 1.1, and with unique keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        seen = set()
        for key in own:
            name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
            if name in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {str(key.value)[:60]!r} is given twice", key.start_mark
                )
            seen.add(name)
        return super().construct_mapping(node, deep=deep)


_YAML_TYPES: Sequence[tuple[str, str, str]] = (
    ("null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$",
     "tTfFyYnNoO"),
    ("int", r"^(?:[-+]?(?:0|[1-9][0-9_]{0,999})|0x[0-9a-fA-F_]{1,400})$", "-+0123456789"),
    ("float", r"^(?:[-+]?(?:[0-9][0-9_]*)?\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*\.?"
     r"(?:[eE][-+]?[0-9]+)|[-+]?[0-9][0-9_]*\.|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
     "-+.0123456789"),
    ("merge", r"^<<$", "<"),
)  # fmt: skip
_YamlLoader.yaml_implicit_resolvers = {}
for _name, _pattern, _first in _YAML_TYPES:
    _YamlLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}",
        regex.compile(_pattern),
        ["" if letter == "\0" else letter for letter in _first],
    )


def _bound_yaml(text: str) -> None:
    depth = events = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            events += 1
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > NESTING:
                raise Refused(f"it nests more than {NESTING} deep")
            if events > YAML_EVENTS:
                raise Refused("it has too many values")
    except yaml.YAMLError as error:
        raise Refused(f"it is not valid YAML ({_line(error)})") from None


def _check_nodes(root: yaml.Node | None) -> None:
    """Refuses a graph that is circular or that its aliases make large or deep."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node, depth: int) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1 + len(node.value) // 64
        if id(node) in open_nodes:
            raise Refused("an alias refers to what it is in")
        if depth > NESTING:
            raise Refused(f"it nests more than {NESTING} deep")
        if id(node) not in sizes:
            open_nodes.add(id(node))
            inner = (
                [part for pair in node.value for part in pair]
                if isinstance(node, yaml.MappingNode)
                else node.value
            )
            sizes[id(node)] = 1 + sum(size(part, depth + 1) for part in inner)
            open_nodes.discard(id(node))
        if sizes[id(node)] > 2 * YAML_EVENTS:
            raise Refused("its aliases expand too far")
        return sizes[id(node)]

    if root is not None:
        size(root, 0)


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    at = f", line {mark.line + 1}" if mark is not None else ""
    return f"{str(getattr(error, 'problem', '') or 'unreadable')[:100]}{at}"


def _expression(text: str) -> str:
    try:
        parsed = jmespath.compile(text).parsed
    except JMESPathError as error:
        first = str(error).splitlines()[0]
        raise ValueError(
            f"{text!r} is not a JMESPath expression ({first}); "
            'a key with spaces or signs is quoted: "Total (USD)"'
        ) from None
    nodes = [parsed]
    while nodes:
        node = nodes.pop()
        if node["type"] == "function_expression" and node["value"] not in Functions.FUNCTION_TABLE:
            raise ValueError(
                f"{text!r} calls {node['value']}, which JMESPath does not have; "
                'a key with spaces or signs is quoted: "Total (USD)"'
            )
        nodes.extend(child for child in node["children"] if isinstance(child, dict))
    return text


Expression = Annotated[str, AfterValidator(_expression)]


def search(expression: str, document: object) -> object:
    """What a JMESPath expression finds; None when it finds nothing or does not fit the types."""
    try:
        return jmespath.search(expression, document)
    except (JMESPathError, ValueError, TypeError, OverflowError, RecursionError):
        return None
