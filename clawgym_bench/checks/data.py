"""JSON, YAML, TOML and JSON Lines: values at a path, whole documents, their schema.

Values are compared leaf by leaf with `compare.equal` (12, "12" and 12.0 are one; a path may be
relative or absolute); keys by their exact spelling. A schema is form, not substance: it never
earns.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

import jmespath
from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, model_validator

from clawgym_bench.checks.base import (
    Evidence,
    Finding,
    file_content,
    hidden_content,
)
from clawgym_bench.checks.documents import Expression, Format, format_of, load, search
from clawgym_bench.checks.globs import FileCheck
from clawgym_bench.checks.leaves import Leaves, shown
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.schema import schema_errors, valid_schema
from clawgym_bench.checks.text import Range
from clawgym_bench.errors import TaskFault


def _json_value(value: Any) -> Any:
    """Dates in a task file are ISO text."""
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _json_value(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_json_value(inner) for inner in value]
    return value


Expected = Annotated[JsonValue, BeforeValidator(_json_value)]
Decimals = Annotated[int, Field(ge=0, le=12)]


class DataCheck(FileCheck):
    """What a JSON, YAML, TOML or JSON Lines document holds (the format by suffix unless given).

    `values` maps a JMESPath expression to what is there, `any_of` to a list of values of which it
    is one; `equals` names a hidden document that it must equal. `exact` minds upper and lower case
    and how a text is written. `unordered` frees the order of all lists or of those at the
    expressions. `decimals` is one number or one per expression or key. `keys` maps an expression
    to the exact keys of the object, or of each object of the list, found there. `lacks` must find
    nothing.
    """

    kind: ClassVar[str] = "data"

    format: Format | None = None
    values: dict[Expression, Expected] = Field(default_factory=dict)
    any_of: dict[Expression, Annotated[list[Expected], Field(min_length=1)]] = Field(
        default_factory=dict
    )
    equals: str | None = None
    unordered: bool | list[Expression] = False
    decimals: Decimals | dict[str, Decimals] | None = None
    exact: bool = False
    lengths: dict[Expression, Annotated[int, Field(ge=0)] | Range] = Field(default_factory=dict)
    keys: dict[Expression, list[str]] = Field(default_factory=dict)
    lacks: list[Expression] = Field(default_factory=list)
    json_schema: Annotated[Expected, AfterValidator(valid_schema)] = Field(
        default=None, alias="schema"
    )

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        compared = bool(self.values or self.any_of) or self.equals is not None
        if not (
            compared or self.lengths or self.keys or self.lacks or self.json_schema is not None
        ):
            raise ValueError(
                "nothing is asserted: give values, any_of, equals, lengths, keys, lacks or schema"
            )
        if self.format is None and format_of(self.path) is None:
            raise ValueError(f"the format of {self.path!r} is not clear: give format")
        if self.equals is not None and format_of(self.equals) is None:
            raise ValueError(f"equals: {self.equals!r} is not json, yaml, toml or jsonl")
        for name in ("unordered", "decimals", "exact"):
            if getattr(self, name) not in (None, False) and not compared:
                raise ValueError(
                    f"{name} says how values are compared: add values, any_of or equals"
                )
        for expression in self.any_of:
            if expression in self.values:
                raise ValueError(f"{expression!r} is both in values and in any_of")
        for expression in self.lacks:
            asked = self.values.get(expression) is not None or expression in self.lengths
            if asked or expression in self.any_of:
                raise ValueError(f"{expression!r} is both asked for and forbidden by `lacks`")
        if self.equals is None and isinstance(self.unordered, list):
            for expression in self.unordered:
                if expression not in self.values and expression not in self.any_of:
                    raise ValueError(
                        f"unordered: {expression!r} is not among `values` and `any_of`"
                    )
        return self

    def affirms(self) -> bool:
        return (
            self.equals is not None
            or any(value is not None for value in self.values.values())
            or any(None not in values for values in self.any_of.values())
            or any(
                length > 0 if isinstance(length, int) else (length.min or 0) > 1
                for length in self.lengths.values()
            )
        )

    def hidden_files(self) -> frozenset[str]:
        return frozenset({self.equals} if self.equals else ())

    def literals(self) -> Sequence[str]:
        expressions = [*self.values, *self.any_of, *self.lengths, *self.keys, *self.lacks]
        names = [name for text in expressions for name in _fields(text)]
        names += [name for keys in self.keys.values() for name in keys]
        for value in [*self.values.values(), *(values[0] for values in self.any_of.values())]:
            names += _object_keys(value)
        return list(dict.fromkeys(names))

    def run_one(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        format = self.format or format_of(self.path)
        assert format is not None
        try:
            document = load(content, format)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        return [
            finding(True, f"{self.path} is valid {format.upper()}", required=True),
            *self._form(document),
            *self._values(document, evidence),
            *self._equals(document, evidence),
            *self._lengths(document),
            *self._lacks(document),
        ]

    def _form(self, document: object) -> list[Finding]:
        findings = []
        if self.json_schema is not None:
            errors = schema_errors(self.json_schema, document) or [""]
            for error in errors:
                reason = f"{self.path}: {error or 'it follows the schema'}"
                findings.append(finding(not error, reason, required=True))
        for expression, names in self.keys.items():
            found = search(expression, document)
            objects = found if isinstance(found, list) else [found]
            wrong = next(
                (one for one in objects if not isinstance(one, dict) or set(one) != set(names)),
                None if objects else found,
            )
            if objects and wrong is None and None not in objects:
                reason = f"{self.path}: {expression} has the keys {', '.join(names)}"
                findings.append(finding(True, reason, required=True))
            else:
                said = ", ".join(wrong) if isinstance(wrong, dict) else shown(wrong)
                reason = f"{self.path}: {expression}: keys {', '.join(names)} wanted, found {said}"
                findings.append(finding(False, reason, required=True))
        return findings

    def _places(self) -> tuple[Mapping[str, int], int | None]:
        if isinstance(self.decimals, dict):
            return self.decimals, None
        return {}, self.decimals

    def _values(self, document: object, evidence: Evidence) -> list[Finding]:
        by_name, default = self._places()
        findings: list[Finding] = []
        for expression in [*self.values, *self.any_of]:
            free: frozenset[int] | None = frozenset()
            if self.unordered is True or (
                isinstance(self.unordered, list) and expression in self.unordered
            ):
                free = None
            leaves = Leaves(self.path, evidence.workspace, by_name, default, free, self.exact)
            found = search(expression, document)
            if expression in self.any_of:
                findings += leaves.any_of(found, self.any_of[expression], expression)
            else:
                findings += leaves.compare(found, self.values[expression], expression)
        return findings

    def _equals(self, document: object, evidence: Evidence) -> list[Finding]:
        if self.equals is None:
            return []
        format = format_of(self.equals)
        assert format is not None
        try:
            expected = load(hidden_content(evidence, self.equals), format)
        except Refused as refused:
            raise TaskFault(f"the hidden file {self.equals} cannot be read: {refused}") from None
        free: set[int] | None = None
        if self.unordered is not True:
            free = set()
            for expression in self.unordered or []:
                found = search(expression, expected)
                lists = [found, *(found if isinstance(found, list) else [])]
                free |= {id(one) for one in lists if isinstance(one, list)}
        by_name, default = self._places()
        leaves = Leaves(
            self.path,
            evidence.workspace,
            by_name,
            default,
            None if free is None else frozenset(free),
            self.exact,
        )
        return leaves.compare(document, expected, "")

    def _lengths(self, document: object) -> list[Finding]:
        """They earn only where no value is compared, or a list of junk would."""
        earns = not (self.values or self.any_of) and self.equals is None
        findings = []
        for expression, wanted in self.lengths.items():
            found = search(expression, document)
            size = len(found) if isinstance(found, dict | list | str) else None
            ok = size is not None and (
                wanted.holds(size) if isinstance(wanted, Range) else size == wanted
            )
            said = f"is {shown(found)}" if size is None else f"has length {size}"
            reason = f"{self.path}: {expression} {said}, length {wanted} wanted"
            findings.append(finding(ok, reason, required=ok and not earns))
        return findings

    def _lacks(self, document: object) -> list[Finding]:
        findings = []
        for expression in self.lacks:
            found = search(expression, document)
            absent = found is None or found == []
            said = "nothing" if absent else shown(found)
            reason = f"{self.path}: {expression} finds {said}, nothing wanted"
            findings.append(finding(absent, reason, required=absent))
        return findings


def _fields(expression: str) -> list[str]:
    names = []
    nodes: list[Any] = [jmespath.compile(expression).parsed]
    while nodes:
        node = nodes.pop()
        if node["type"] == "field":
            names.append(str(node["value"]))
        nodes.extend(child for child in reversed(node["children"]) if isinstance(child, dict))
    return names


def _object_keys(value: object) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for inner in value.values() for name in _object_keys(inner))]
    if isinstance(value, list):
        return [name for inner in value for name in _object_keys(inner)]
    return []
