"""Errors in JSON, YAML, TOML and JSON Lines: leaves, elements of lists, keys."""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import tomli_w
import yaml

from clawgym_bench.audit.mutations import (
    DROPPED,
    DUPLICATED,
    FIELD,
    LABELS,
    NAME,
    ORDER,
    RENAMED,
    SWAPPED,
    Mutant,
    Mutations,
    Rules,
    shown,
)
from clawgym_bench.audit.mutations_values import (
    foreign_value,
    is_name,
    is_number,
    other_name,
    wrong_values,
)
from clawgym_bench.checks.compare import equal
from clawgym_bench.checks.documents import load_json, load_json_lines, load_toml, load_yaml
from clawgym_bench.checks.table_files import heading

LEAVES = 400
Path = tuple[str | int, ...]
Write = Callable[[Any], bytes]


def json_mutations(content: bytes, rules: Rules, random: Random) -> Mutations:
    def write(value: Any) -> bytes:
        return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"

    return _mutations(load_json(content), write, rules, random)


def lines_mutations(content: bytes, rules: Rules, random: Random) -> Mutations:
    def write(values: Any) -> bytes:
        return b"".join(json.dumps(v, ensure_ascii=False).encode() + b"\n" for v in values)

    return _mutations(load_json_lines(content), write, rules, random)


def yaml_mutations(content: bytes, rules: Rules, random: Random) -> Mutations:
    def write(value: Any) -> bytes:
        return yaml.safe_dump(value, sort_keys=False, allow_unicode=True).encode()

    return _mutations(load_yaml(content), write, rules, random)


def toml_mutations(content: bytes, rules: Rules, random: Random) -> Mutations:
    """Dates are written anew as text, as checks read them."""

    def write(value: Any) -> bytes:
        return tomli_w.dumps(value).encode()

    return _mutations(load_toml(content), write, rules, random)


def _mutations(document: Any, write: Write, rules: Rules, random: Random) -> Mutations:
    tree = _Tree(document, write, rules, random)
    return Mutations(list(tree.mutants()), lambda: write(document))


@dataclass(frozen=True)
class _Leaf:
    path: Path
    value: object

    @property
    def name(self) -> str:
        """The nearest key above it."""
        return next((part for part in reversed(self.path) if isinstance(part, str)), "")


class _Tree:
    def __init__(self, document: Any, write: Write, rules: Rules, random: Random) -> None:
        self.document, self.write, self.rules, self.random = document, write, rules, random
        self.leaves: list[_Leaf] = []
        self.lists: list[Path] = []
        self.objects: list[Path] = []
        self._walk(document, ())
        chosen = sorted(random.sample(range(len(self.leaves)), min(LEAVES, len(self.leaves))))
        self.some = [self.leaves[at] for at in chosen]

    def _walk(self, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            self.objects.append(path)
            for key, inner in value.items():
                self._walk(inner, (*path, key))
        elif isinstance(value, list):
            self.lists.append(path)
            for at, inner in enumerate(value):
                self._walk(inner, (*path, at))
        elif self._asked(path):
            self.leaves.append(_Leaf(path, value))

    def _asked(self, path: Path) -> bool:
        names = [heading(part) for part in path if isinstance(part, str)]
        return not self.rules.fields or not names or any(n in self.rules.fields for n in names)

    def mutants(self) -> Iterator[Mutant]:
        yield from self._values()
        yield from self._fields()
        yield from self._elements()
        yield from self._swapped()
        yield from self._labels()
        yield from self._renamed()

    def _mutant(self, kind: str, path: Path, before: str, after: str, change: Any) -> Mutant:
        """`change(copy)` makes the error in a copy of the document."""

        def make() -> bytes:
            copy = deepcopy(self.document)
            change(copy)
            return self.write(copy)

        where = f"{dotted(path)}: " if path else ""
        return Mutant(kind, "data", where + shown(before), shown(after), make)

    def _values(self) -> Iterator[Mutant]:
        pools: dict[str, list[object]] = {}
        for leaf in self.leaves:
            pools.setdefault(leaf.name, []).append(leaf.value)
        anything = [leaf.value for leaf in self.leaves]
        for leaf in self.some:
            wrong = wrong_values(leaf.value, self.rules, heading(leaf.name))
            if is_name(leaf.value):
                pick = self.random.randrange(1 << 16)
                other = other_name(leaf.value, pools[leaf.name], pick)
                other = other_name(leaf.value, anything, pick) if other is None else other
                wrong = [(NAME, other)] if other is not None else []
            for kind, new in wrong:
                yield self._mutant(
                    kind, leaf.path, str(leaf.value), str(new), _setter(leaf.path, new)
                )

    def _fields(self) -> Iterator[Mutant]:
        """All values of a key wrong: in a large document one that nothing reads would not show."""
        by_name: dict[str, list[_Leaf]] = {}
        for leaf in self.leaves[:LEAVES]:
            if leaf.name and leaf.value not in (None, ""):
                by_name.setdefault(leaf.name, []).append(leaf)
        for name, leaves in by_name.items():
            wrong = [foreign_value(leaf.value, self.rules, heading(name)) for leaf in leaves]
            if None in wrong:
                continue
            pairs = zip(leaves, wrong, strict=True)
            setters = [_setter(leaf.path, new) for leaf, new in pairs]

            def change(copy: Any, setters: Sequence[Callable[[Any], None]] = setters) -> None:
                for setter in setters:
                    setter(copy)

            yield self._mutant(FIELD, (), name, "wrong everywhere", change)

    def _elements(self) -> Iterator[Mutant]:
        for path in self.lists:
            values = at(self.document, path)
            if not values or not self._asked(path):
                continue
            number = self.random.randrange(len(values))
            before = shown(json.dumps(values[number], ensure_ascii=False, default=str))
            place = (*path, number)
            yield self._mutant(DROPPED, place, before, "(left out)", _dropper(place))
            yield self._mutant(DUPLICATED, place, before, "(twice)", _doubler(place))
            if self.rules.order and number and values[number] != values[number - 1]:
                before = f"element {number} before {number + 1}"
                yield self._mutant(ORDER, path, before, "exchanged", _turner(path, number))
        for path in self.objects:
            value = at(self.document, path)
            entries = [key for key, inner in value.items() if isinstance(inner, dict | list)]
            if len(entries) > 1 and len(entries) == len(value):
                place = (*path, self.random.choice(entries))
                yield self._mutant(DROPPED, place, "an entry", "(left out)", _dropper(place))

    def _swapped(self) -> Iterator[Mutant]:
        """The values of one key exchanged between two objects."""
        by_name: dict[tuple[str, int], list[_Leaf]] = {}
        for leaf in self.some:
            if isinstance(leaf.path[-1] if leaf.path else 0, str):
                by_name.setdefault((leaf.name, len(leaf.path)), []).append(leaf)
        for leaves in by_name.values():
            self.random.shuffle(leaves)
            for one, two in zip(leaves[::2], leaves[1::2], strict=False):
                if equal(one.value, two.value) or self._alike(one, two):
                    continue
                before = f"{one.value}; {dotted(two.path)}: {two.value}"
                change = _swapper(one, two)
                yield self._mutant(SWAPPED, one.path, before, "exchanged", change)

    def _alike(self, one: _Leaf, two: _Leaf) -> bool:
        """Whether the objects around two leaves, elements of a list, differ in nothing else."""
        if len(one.path) < 2 or not isinstance(one.path[-2], int):
            return False
        a, b = at(self.document, one.path[:-1]), at(self.document, two.path[:-1])
        if not (isinstance(a, dict) and isinstance(b, dict)) or one.path[:-2] != two.path[:-2]:
            return False
        return {**a, one.path[-1]: 0} == {**b, two.path[-1]: 0}

    def _labels(self) -> Iterator[Mutant]:
        """Two numbers of one object exchanged between their keys."""
        by_object: dict[Path, list[_Leaf]] = {}
        for leaf in self.some:
            if is_number(leaf.value) and leaf.path and isinstance(leaf.path[-1], str):
                by_object.setdefault(leaf.path[:-1], []).append(leaf)
        for leaves in by_object.values():
            self.random.shuffle(leaves)
            for one, two in zip(leaves[::2], leaves[1::2], strict=False):
                if not equal(one.value, two.value):
                    before = f"{one.value}, {two.path[-1]}: {two.value}"
                    yield self._mutant(LABELS, one.path, before, "exchanged", _swapper(one, two))

    def _renamed(self) -> Iterator[Mutant]:
        seen: set[str] = set()
        for path in self.objects:
            for key in at(self.document, path):
                if key in seen or not self._asked((*path, key)):
                    continue
                seen.add(key)
                change = _renamer(path, key)
                yield self._mutant(RENAMED, path, key, f"{key}_x", change)


def at(document: Any, path: Path) -> Any:
    for part in path:
        document = document[part]
    return document


def dotted(path: Path) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).lstrip(".")


def _setter(path: Path, value: object) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        at(document, path[:-1])[path[-1]] = value

    return change


def _dropper(path: Path) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        del at(document, path[:-1])[path[-1]]

    return change


def _doubler(path: Path) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        at(document, path[:-1]).insert(path[-1], deepcopy(at(document, path)))

    return change


def _turner(path: Path, number: int) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        values = at(document, path)
        values[number - 1], values[number] = values[number], values[number - 1]

    return change


def _swapper(one: _Leaf, two: _Leaf) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        at(document, one.path[:-1])[one.path[-1]] = two.value
        at(document, two.path[:-1])[two.path[-1]] = one.value

    return change


def _renamer(path: Path, key: str) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        target = at(document, path)
        renamed = {f"{key}_x" if name == key else name: value for name, value in target.items()}
        target.clear()
        target.update(renamed)

    return change
