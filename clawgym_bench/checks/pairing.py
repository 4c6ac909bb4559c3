"""Pairs expected items (events, contacts, messages) with found ones and says what differs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from clawgym_bench.checks.base import Finding

PAIRS = 200_000

E = TypeVar("E")
F = TypeVar("F")


@dataclass(frozen=True)
class Pairing(Generic[E, F]):
    """How items are compared. `differences` is None for two items that are not meant as one."""

    noun: str
    differences: Callable[[E, F], list[str] | None]
    name_expected: Callable[[E], str]
    name_found: Callable[[F], str]


def pair_items(
    pairing: Pairing[E, F], expected: Sequence[E], found: Sequence[F]
) -> dict[int, tuple[int, list[str]]]:
    """Expected to found items with their differences: the fewest differences first."""
    candidates = []
    for number, item in enumerate(expected):
        for other, candidate in enumerate(found):
            differences = pairing.differences(item, candidate)
            if differences is not None:
                candidates.append((len(differences), number, other, differences))
    pairs: dict[int, tuple[int, list[str]]] = {}
    used: set[int] = set()
    for _, number, other, differences in sorted(candidates):
        if number not in pairs and other not in used:
            pairs[number] = (other, differences)
            used.add(other)
    return pairs


def item_findings(
    pairing: Pairing[E, F],
    expected: Sequence[E],
    found: Sequence[F],
    *,
    where: str,
    exactly: bool,
) -> tuple[list[Finding], dict[int, int]]:
    """One finding per expected item and, with `exactly`, one per item that does not belong.

    More surplus than what was wanted is no answer: then nothing counts. Also gives the pairs.
    """
    noun, surplus = pairing.noun, len(found) - len(expected)
    if exactly and expected and surplus > len(expected):
        plural = "s" if len(expected) > 1 else ""
        reason = f"{where}: {len(expected)} {noun}{plural} wanted, found {len(found)}"
        return [finding(False, reason, required=True)], {}
    if len(expected) * len(found) > PAIRS:
        return [finding(False, f"{where}: too many {noun}s to compare", required=True)], {}
    pairs = pair_items(pairing, expected, found)
    findings = []
    for number, item in enumerate(expected):
        name = pairing.name_expected(item)
        if number not in pairs:
            findings.append(finding(False, f"{where}: no {noun} {name}"))
            continue
        differences = pairs[number][1]
        said = "; ".join(differences) if differences else "as wanted"
        findings.append(finding(not differences, f"{where}: {noun} {name}: {said}"))
    if exactly:
        used = {other for other, _ in pairs.values()}
        for other, candidate in enumerate(found[: PAIRS // 10]):
            if other not in used:
                name = pairing.name_found(candidate)[:80]
                findings.append(finding(False, f"{where}: {noun} {name} does not belong there"))
    return findings, {number: other for number, (other, _) in pairs.items()}


def finding(ok: bool, reason: str, required: bool = False) -> Finding:
    """A finding whose reason is one printable line of at most 200 characters."""
    reason = reason[:201]
    if not reason.isprintable():
        reason = "".join(sign if sign.isprintable() else " " for sign in reason)
    return Finding(ok, reason if len(reason) <= 200 else f"{reason[:199]}…", required)
