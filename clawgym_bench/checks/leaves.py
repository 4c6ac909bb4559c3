"""Two documents compared leaf by leaf, so that partial credit is by leaf."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clawgym_bench.checks.base import Finding
from clawgym_bench.checks.compare import equal, equal_path
from clawgym_bench.checks.pairing import finding

COMPARISONS = 200_000
LEAVES = 20_000


@dataclass
class Leaves:
    """Compares two documents leaf by leaf; each leaf of the expected one gives a finding."""

    where: str
    workspace: str
    decimals: Mapping[str, int] = field(default_factory=dict)
    default: int | None = None
    free: frozenset[int] | None = frozenset()
    exact: bool = False
    budget: int = COMPARISONS

    def compare(self, found: object, expected: object, path: str) -> list[Finding]:
        findings = list(self._compare(found, expected, path, self.decimals.get(path, self.default)))
        return findings if len(findings) <= LEAVES else self._grouped(findings, path)

    def any_of(self, found: object, expected: Sequence[object], path: str) -> list[Finding]:
        """One finding: whether it is one of the values."""
        places = self.decimals.get(path, self.default)
        ok = any(self.same(found, value, places) for value in expected)
        wanted = " or ".join(map(shown, expected))
        said = f"is {shown(found)}" if ok else f"is {shown(found)}, not {wanted}"
        return [self._finding(ok, f"{path} {said}")]

    def _grouped(self, findings: Sequence[Finding], path: str) -> list[Finding]:
        wrong = [one for one in findings if not one.ok]
        return [wrong[0] if wrong else Finding(True, f"{self.where}: {path or 'all'} is right")]

    def same(self, found: object, expected: object, places: int | None) -> bool:
        self.budget -= 1
        if self.budget < 0:
            return False
        if isinstance(expected, dict):
            return (
                isinstance(found, dict)
                and found.keys() == expected.keys()
                and all(
                    self.same(found[name], value, self.decimals.get(name, places))
                    for name, value in expected.items()
                )
            )
        if isinstance(expected, list):
            if not isinstance(found, list) or len(found) != len(expected):
                return False
            if self._is_free(expected):
                return len(self._pairs(found, expected, places)) == len(expected)
            return all(self.same(f, e, places) for f, e in zip(found, expected, strict=True))
        return self._scalar(found, expected, places)

    def _scalar(self, found: object, expected: object, places: int | None) -> bool:
        if isinstance(found, dict | list):
            return False
        exact = self.exact and (places is None or isinstance(expected, str))
        if equal(found, expected, decimals=places, exact=exact):
            return True
        return (
            not exact
            and isinstance(found, str)
            and isinstance(expected, str)
            and "/" in found
            and equal_path(found, expected, self.workspace)
        )

    def _is_free(self, expected: list[object]) -> bool:
        return self.free is None or id(expected) in self.free

    def _pairs(
        self, found: list[object], expected: list[object], places: int | None
    ) -> dict[int, int]:
        """Expected to found places, equal in pairs, whatever the order."""
        pairs: dict[int, int] = {}
        by_text: dict[str, list[int]] = {}
        for number in reversed(range(len(found))):
            by_text.setdefault(canonical(found[number]), []).append(number)
        for number, value in enumerate(expected):
            if bucket := by_text.get(canonical(value)):
                pairs[number] = bucket.pop()
        left = sorted(set(range(len(found))) - set(pairs.values()))
        for number, value in enumerate(expected):
            if number in pairs:
                continue
            for at, other in enumerate(left):
                if self.same(found[other], value, places):
                    pairs[number] = left.pop(at)
                    break
        return pairs

    def _compare(
        self, found: object, expected: object, path: str, places: int | None
    ) -> Iterator[Finding]:
        if isinstance(expected, dict) and isinstance(found, dict):
            for name, value in expected.items():
                inner = f"{path}.{name}" if path else str(name)
                if name in found:
                    places_here = self.decimals.get(name, places)
                    yield from self._compare(found[name], value, inner, places_here)
                else:
                    yield from self._lost(value, inner, "is not there")
            yield from self._surplus(
                [f"{path}.{name}" if path else name for name in found if name not in expected],
                len(expected),
                path,
            )
        elif isinstance(expected, list) and isinstance(found, list):
            yield from self._lists(found, expected, path, places)
        elif isinstance(expected, dict | list):
            kind = "an object" if isinstance(expected, dict) else "a list"
            yield from self._lost(expected, path, f"is {shown(found)}, not {kind}")
        else:
            ok = self._scalar(found, expected, places)
            said = f"is {shown(expected)}" if ok else f"is {shown(found)}, not {shown(expected)}"
            yield self._finding(ok, f"{path or 'the document'} {said}")

    def _lists(
        self, found: list[object], expected: list[object], path: str, places: int | None
    ) -> Iterator[Finding]:
        pairs = {number: number for number in range(min(len(found), len(expected)))}
        if self._is_free(expected):
            pairs = self._pairs(found, expected, places)
            left_found = [n for n in range(len(found)) if n not in set(pairs.values())]
            left = [n for n in range(len(expected)) if n not in pairs]
            pairs |= dict(self._nearest(found, left_found, expected, left, places))
        for number, value in enumerate(expected):
            inner = f"{path}[{number}]"
            if number in pairs:
                yield from self._compare(found[pairs[number]], value, inner, places)
            else:
                yield from self._lost(value, inner, "is not there")
        used = set(pairs.values())
        others = [f"{path}[{number}]" for number in range(len(found)) if number not in used]
        yield from self._surplus(others, len(expected), path)

    def _nearest(
        self,
        found: list[object],
        left_found: list[int],
        expected: list[object],
        left: list[int],
        places: int | None,
    ) -> Iterator[tuple[int, int]]:
        if len(left) * len(left_found) > 400:
            return
        left_found = list(left_found)
        for number in left:
            if not left_found:
                return

            def alike(other: int, number: int = number) -> int:
                pair = self._compare(found[other], expected[number], "", places)
                return sum(one.ok or -1 for _, one in zip(range(50), pair, strict=False))

            best = max(left_found, key=alike)
            left_found.remove(best)
            yield number, best

    def _lost(self, expected: object, path: str, what: str) -> Iterator[Finding]:
        for inner in _leaf_paths(expected, path):
            yield self._finding(False, f"{inner or 'the document'} {what}")

    def _surplus(self, names: Sequence[str], wanted: int, path: str) -> Iterator[Finding]:
        """More surplus than what was wanted is no answer: then nothing counts."""
        if len(names) > max(wanted, 1):
            where = path or "the document"
            reason = f"{where} has {len(names)} more entries than the {wanted} wanted"
            yield self._finding(False, reason, required=True)
            return
        for name in names:
            yield self._finding(False, f"{name} does not belong there")

    def _finding(self, ok: bool, reason: str, required: bool = False) -> Finding:
        return finding(ok, f"{self.where}: {reason}", required)


def _leaf_paths(value: object, path: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaf_paths(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from _leaf_paths(inner, f"{path}[{number}]")
    else:
        yield path


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def shown(value: object) -> str:
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 256:
        return "a huge number"
    text = json.dumps(value[:100] if isinstance(value, str) else value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
