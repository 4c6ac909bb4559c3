"""Stage *balance*: no kind of task takes more than its share of the set.

Categories have the shares of the benchmark (44, 42, 35, 28, 26 and 25 of 200) and fill up exactly.
The other bounds are upper ones with room to spare, so that no kind which an engine cannot make may
hold up a run.
"""

from collections import Counter
from collections.abc import Mapping

from clawgym_data.pipeline.stages import Record

CATEGORIES: Mapping[str, int] = {
    "productivity-collaboration": 44,
    "systems-automation": 42,
    "analysis-reasoning": 35,
    "content-domain": 28,
    "planning-knowledge": 26,
    "software-development": 25,
}


class Traits(Record):
    """What a task is counted by."""

    category: str
    sessions: int
    hybrid: bool
    difficulty: str


class Targets(Record):
    """Shares of the set. Empty `categories` means that categories are not balanced."""

    categories: dict[str, float] = {
        name: round(share / sum(CATEGORIES.values()), 6) for name, share in CATEGORIES.items()
    }
    hybrid: float = 0.25
    checks_only: float = 1.0
    several_sessions: float = 0.25
    difficulty: dict[str, float] = {"easy": 0.45, "medium": 0.55, "hard": 0.45}


class Balance:
    """Counts what was taken. What is refused once is refused ever after."""

    def __init__(self, targets: Targets, n: int) -> None:
        self._most: dict[str, int] = {
            **{
                f"category {name}": most
                for name, most in apportioned(targets.categories, n).items()
            },
            **{f"difficulty {name}": _part(s, n) for name, s in targets.difficulty.items()},
            "hybrid": _part(targets.hybrid, n),
            "checks only": _part(targets.checks_only, n),
            "several sessions": _part(targets.several_sessions, n),
        }
        self._closed = bool(targets.categories)
        self.taken: Counter[str] = Counter()

    def refuses(self, traits: Traits) -> str | None:
        """The kind that is full, or None."""
        for kind in _kinds(traits):
            unknown = 0 if kind.startswith("category ") and self._closed else None
            most = self._most.get(kind, unknown)
            if most is not None and self.taken[kind] >= most:
                return f"{kind} is full" if most else f"{kind} has no share"
        return None

    def take(self, traits: Traits) -> None:
        self.taken.update(_kinds(traits))

    def left(self) -> dict[str, int]:
        """What is missing, by category."""
        return {
            kind.removeprefix("category "): most - self.taken[kind]
            for kind, most in self._most.items()
            if kind.startswith("category ") and most > self.taken[kind]
        }


def _kinds(traits: Traits) -> list[str]:
    found = [f"category {traits.category}", f"difficulty {traits.difficulty}"]
    found.append("hybrid" if traits.hybrid else "checks only")
    return [*found, "several sessions"] if traits.sessions > 1 else found


def _part(share: float, n: int) -> int:
    return max(1, round(share * n))


def apportioned(shares: Mapping[str, float], n: int) -> dict[str, int]:
    """Whole numbers that add up to `n`, by largest remainders (earlier names first)."""
    whole = sum(shares.values())
    exact = {name: n * share / whole for name, share in shares.items()}
    found = {name: int(value) for name, value in exact.items()}
    rest = n - sum(found.values())
    for name in sorted(exact, key=lambda name: found[name] - exact[name])[:rest]:
        found[name] += 1
    return found
