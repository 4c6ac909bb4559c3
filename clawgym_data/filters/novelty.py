"""Novelty: whether a task is another one in other words. Near-linear, whatever the set's size.

MinHash-LSH proposes earlier tasks that may be alike, and their exact Jaccard similarity decides.
A task is a near-duplicate of an earlier one when

- the words of their requests overlap by `words` or more (names, numbers and paths left out), or
- their plan and contract overlap by `plan` or more and their words by `words_same_plan` or more:
  the same work, said in similar words.

No composition (plan skeleton) may hold more than `most_per_plan` tasks.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from datasketch import MinHashLSH
from numpy.typing import NDArray

from clawgym_data.filters.fingerprint import PERMUTATIONS, Fingerprint, Hashes, jaccard

SLACK = 0.17
"""How far an estimate by MinHash may lie below the truth (four deviations at 0.5)."""
WORDS_BANDS = (42, 3)
"""Of requests that are half alike 99.6 % are proposed."""
PLAN_BANDS = (12, 10)
GROWTH = 4_096


@dataclass(frozen=True)
class Similar:
    """What speaks against a task: by which rule, the earlier task, and how alike they are."""

    rule: str
    other: str = ""
    similarity: float = 0.0


@dataclass
class Novelty:
    """The tasks taken so far, in their order."""

    words: float = 0.5
    plan: float = 0.8
    words_same_plan: float = 0.35
    most_per_plan: int | None = None
    per_plan: Counter[str] = field(default_factory=Counter)
    _ids: list[str] = field(default_factory=list)
    _prints: list[Fingerprint] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._by_words = MinHashLSH(num_perm=PERMUTATIONS, params=WORDS_BANDS)
        self._by_plan = MinHashLSH(num_perm=PERMUTATIONS, params=PLAN_BANDS)
        self._signatures = np.zeros((0, PERMUTATIONS), dtype=np.uint32)

    def __len__(self) -> int:
        return len(self._ids)

    def refuses(self, plan_key: str, fingerprint: Fingerprint) -> Similar | None:
        """Why the task is not new, or None. What is refused once is refused ever after."""
        most = self.most_per_plan
        if most is not None and self.per_plan[plan_key] >= most:
            return Similar("plan full", plan_key)
        signature = _signature(fingerprint)
        alike = self._by_words.query(fingerprint.words_minhash)
        for at in self._likely(alike, signature, self.words):
            found = jaccard(fingerprint.words, self._prints[at].words)
            if found >= self.words:
                return Similar("words", self._ids[at], round(found, 3))
        alike = self._by_plan.query(fingerprint.plan_minhash)
        for at in self._likely(alike, signature, self.words_same_plan):
            other = self._prints[at]
            found = jaccard(fingerprint.words, other.words)
            if found >= self.words_same_plan and (
                jaccard(fingerprint.plan, other.plan) >= self.plan
            ):
                return Similar("plan and words", self._ids[at], round(found, 3))
        return None

    def take(self, name: str, plan_key: str, fingerprint: Fingerprint) -> None:
        number = len(self._ids)
        if number == len(self._signatures):
            more = np.zeros((GROWTH + number // 2, PERMUTATIONS), dtype=np.uint32)
            self._signatures = np.concatenate([self._signatures, more])
        self._signatures[number] = _signature(fingerprint)
        self._ids.append(name)
        self._prints.append(Fingerprint(fingerprint.words, fingerprint.plan))
        self.per_plan[plan_key] += 1
        self._by_words.insert(number, fingerprint.words_minhash)
        self._by_plan.insert(number, fingerprint.plan_minhash)

    def _likely(
        self, candidates: Sequence[int], signature: Hashes, threshold: float
    ) -> NDArray[np.intp]:
        """Those of the candidates that may reach the threshold, the oldest first."""
        if not candidates:
            return np.zeros(0, dtype=np.intp)
        numbers = np.array(sorted(candidates), dtype=np.intp)
        estimates = (self._signatures[numbers] == signature).mean(axis=1)
        likely: NDArray[np.intp] = numbers[estimates >= threshold - SLACK]
        return likely


def _signature(fingerprint: Fingerprint) -> Hashes:
    values: Hashes = fingerprint.words_minhash.hashvalues.astype(np.uint32)
    return values
