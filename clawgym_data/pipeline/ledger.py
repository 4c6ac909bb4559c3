"""The decisions that depend on order: novelty, balance, split. Taken one attempt after the other.

Workers finish in any order; `settle` is called in the order of the attempts' numbers, so that the
set does not depend on who was faster. Whatever refuses a draft here only ever refuses more, so
`refuses` may be asked early: a draft that is refused now would be refused in its turn too, and
need not be audited.
"""

from collections.abc import Iterable

from clawgym_data.filters.novelty import Novelty
from clawgym_data.pipeline.balance import Balance
from clawgym_data.pipeline.decision import Decision
from clawgym_data.pipeline.generate import Candidate, Facts
from clawgym_data.pipeline.result import Result
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.split import Personas, split_of
from clawgym_data.pipeline.stages import Ended, Stage
from clawgym_data.pipeline.store import Store
from clawgym_data.pipeline.tally import Tally


class Ledger:
    """What has been decided. `next` is the number of the attempt that is decided next."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.tally = Tally()
        self.next = 0
        self._novelty = Novelty(
            settings.words, settings.plan, settings.words_same_plan, settings.most_per_plan
        )
        self.balance = Balance(settings.targets, settings.n)
        self._personas = Personas()
        self._ids: set[str] = set()

    @property
    def complete(self) -> bool:
        return self.tally.accepted >= self.settings.n

    def replay(self, decisions: Iterable[Decision]) -> None:
        """Everything that a run before this one has decided."""
        for decision in decisions:
            if decision.state == "accepted" and decision.facts is not None:
                self._take(decision.facts, decision.split)
            self._count(decision)

    def refuses(self, candidate: Candidate) -> Ended | None:
        """Why a draft cannot enter the set, whatever its audit says."""
        facts = candidate.facts
        if candidate.sign:
            return Ended(
                stage=Stage.NOVELTY,
                reason=f"contaminated: {candidate.sign}",
                detail=f"like {candidate.near} of the benchmark",
            )
        if facts.id in self._ids:
            return Ended(stage=Stage.NOVELTY, reason="id used", detail=facts.id)
        # Cheapest first: what is full is not compared.
        if full := self.balance.refuses(facts.traits):
            return Ended(stage=Stage.BALANCE, reason=full)
        split = self._split(facts)
        if other := self._personas.elsewhere(facts.persona, split):
            reason = f"persona is in {other}"
            return Ended(stage=Stage.SPLIT, reason=reason, detail=f"its plan is in {split}")
        if similar := self._novelty.refuses(facts.plan, facts.fingerprint):
            return Ended(
                stage=Stage.NOVELTY,
                reason=similar.rule,
                detail=f"like {similar.other} ({similar.similarity})",
            )
        return None

    def settle(self, result: Result) -> Decision:
        """Decides attempt `next`; writes the task if it is accepted, and the decision."""
        decision = self._decide(result)
        if decision.state == "accepted":
            assert result.produced.candidate is not None
            facts = result.produced.candidate.facts
            shard, end = self.store.add(decision.split, result.produced.candidate.blob)
            decision = decision.model_copy(update={"shard": shard, "end": end})
            self._take(facts, decision.split)
        self.store.note(decision)
        self._count(decision)
        return decision

    def _decide(self, result: Result) -> Decision:
        produced, audited = result.produced, result.audited
        base = Decision(number=self.next, state="rejected", rounds=result.rounds, cost=result.cost)
        if produced.failure:
            return base.model_copy(update={"state": "failed", "failure": produced.failure})
        candidate = produced.candidate
        if candidate is None:
            return base.model_copy(update={"ended": produced.ended})
        base = base.model_copy(
            update={
                "candidate": True,
                "grams": candidate.grams,
                "similarity": candidate.similarity,
            }
        )
        if ended := self.refuses(candidate):
            return base.model_copy(update={"ended": ended})
        assert audited is not None, "an attempt that was not refused needs its audit"
        if audited.failure:
            return base.model_copy(update={"state": "failed", "failure": audited.failure})
        base = base.model_copy(update={"gates": audited.gates})
        if audited.ended:
            return base.model_copy(update={"ended": audited.ended})
        split = self._split(candidate.facts)
        return base.model_copy(
            update={"state": "accepted", "facts": candidate.facts, "split": split}
        )

    def _split(self, facts: Facts) -> str:
        return split_of(facts.plan, self.settings.validation_share, self.settings.test_share)

    def _take(self, facts: Facts, split: str) -> None:
        self._ids.add(facts.id)
        self.balance.take(facts.traits)
        self._personas.take(facts.persona, split)
        self._novelty.take(facts.id, facts.plan, facts.fingerprint)

    def _count(self, decision: Decision) -> None:
        self.tally.add(decision)
        self.next = decision.number + 1
