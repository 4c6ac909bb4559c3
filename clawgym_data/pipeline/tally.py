"""Counters over decisions: by stage, reason, kind. All that a manifest says follows from them."""

import hashlib
from collections import Counter
from typing import Any

from clawgym_data.pipeline.decision import Decision
from clawgym_data.pipeline.engine import FREE
from clawgym_data.pipeline.stages import Stage

LATE = (Stage.AUDIT, Stage.EXPORT)
ORDER = (*(stage for stage in Stage if stage not in LATE), *LATE)
"""As the work is done: nobody audits what novelty, balance or split refuse."""


class Tally:
    """Grows by one decision at a time, in order."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.ended: dict[Stage, Counter[str]] = {stage: Counter() for stage in ORDER}
        self.failures: Counter[str] = Counter()
        self.kinds: dict[str, Counter[str]] = {
            name: Counter()
            for name in (
                "splits", "categories", "difficulty", "sessions", "grading", "operations", "tags",
                "operations per task",
            )
        }  # fmt: skip
        self.plans: Counter[str] = Counter()
        self.gates: dict[str, Counter[str]] = {}
        self.contaminated: Counter[str] = Counter()
        self.judged = self.with_shared_grams = 0
        self.most_similar = 0.0
        self.cost = FREE
        self._content = hashlib.sha256()

    @property
    def accepted(self) -> int:
        return self.states["accepted"]

    @property
    def decided(self) -> int:
        return self.states.total()

    def add(self, decision: Decision) -> None:
        self.states[decision.state] += 1
        self.cost += decision.cost
        if decision.ended is not None:
            self.ended[decision.ended.stage][decision.ended.reason] += 1
        if decision.failure:
            self.failures[decision.failure.split(":")[0]] += 1
        if decision.candidate:
            self.judged += 1
            self.with_shared_grams += decision.grams > 0
        for gate, status in decision.gates.items():
            self.gates.setdefault(gate, Counter())[status] += 1
        if decision.state == "accepted" and decision.facts is not None:
            self._take(decision)

    def _take(self, decision: Decision) -> None:
        facts = decision.facts
        assert facts is not None
        self.most_similar = max(self.most_similar, decision.similarity)
        self.plans[facts.plan] += 1
        self._content.update(f"{facts.id}\0{facts.hash}\0{decision.split}\n".encode())
        traits = facts.traits
        for kind, value in (
            ("splits", decision.split),
            ("categories", traits.category),
            ("difficulty", traits.difficulty),
            ("sessions", str(traits.sessions)),
            ("grading", "hybrid" if traits.hybrid else "checks only"),
            ("operations per task", str(len(facts.operations))),
        ):
            self.kinds[kind][value] += 1
        self.kinds["operations"].update(facts.operations)
        self.kinds["tags"].update(facts.tags)

    def figures(self) -> dict[str, Any]:
        """Everything as JSON, in an order that depends on the counts and names alone."""
        most = max(self.plans.values(), default=0)
        return {
            "counts": {
                "accepted": self.states["accepted"],
                "rejected": self.states["rejected"],
                "failed": self.states["failed"],
                "attempts": self.decided,
            },
            "stages": self.stages(),
            "failures": _sorted(self.failures),
            "audit": {gate: _sorted(found) for gate, found in sorted(self.gates.items())},
            "contamination": {
                "compared": self.judged,
                "refused": sum(
                    count
                    for reason, count in self.ended[Stage.NOVELTY].items()
                    if reason.startswith("contaminated")
                ),
                "sharing a 13-gram": self.with_shared_grams,
                "most similar accepted": self.most_similar,
            },
            "plans": {
                "distinct": len(self.plans),
                "largest": most,
                "largest_share": round(most / self.accepted, 6) if self.accepted else 0.0,
            },
            **{name: _sorted(found) for name, found in self.kinds.items()},
            "cost": self.cost.model_dump(),
            "cost_per_accepted": self.cost_per_accepted(),
            "content_hash": self._content.hexdigest(),
        }

    def cost_per_accepted(self) -> dict[str, float]:
        """All that was spent, rejected attempts too, by the tasks that came of it."""
        taken = self.accepted or 1
        return {
            "calls": round(self.cost.calls / taken, 2),
            "tokens": round(self.cost.tokens / taken, 1),
            "dollars": round(self.cost.dollars / taken, 6),
        }

    def stages(self) -> dict[str, dict[str, Any]]:
        """Per stage what went in, what came out, and why the rest did not."""
        going = self.decided - self.states["failed"]
        found: dict[str, dict[str, Any]] = {}
        for stage in ORDER:
            ended = self.ended[stage]
            found[stage.value] = {
                "in": going,
                "out": going - ended.total(),
                "rejected": _sorted(ended),
            }
            going -= ended.total()
        return found


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
