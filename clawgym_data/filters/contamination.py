"""Decontamination: a task must not be one of the benchmark's, nor quote one.

Four signs are looked at for every task, each reported: word 13-grams that its request shares with
a request of the benchmark, the similarity of their words (MinHash, exact when close), the same plan
skeleton, and the same persona.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from datasketch import MinHashLSH

from clawgym_bench import wordings
from clawgym_bench.task import Task
from clawgym_bench.taskset import load_bench
from clawgym_bench.wordings import SHARE, SIMILAR, jaccard
from clawgym_data.filters.fingerprint import (
    PERMUTATIONS,
    Fingerprint,
    fingerprint_of,
)
from clawgym_data.filters.personas import persona_of


@dataclass(frozen=True)
class Contamination:
    """`sign` is empty for a clean task. `grams` of `all_grams` 13-grams stand in the benchmark."""

    sign: str = ""
    other: str = ""
    grams: int = 0
    all_grams: int = 0
    similarity: float = 0.0


class Bench:
    """The tasks to keep away from; those that ship with ClawGym-Bench when none are given."""

    def __init__(self, tasks: Iterable[Task] | None = None) -> None:
        self.tasks = 0
        self._grams: dict[int, str] = {}
        self._skeletons: dict[str, str] = {}
        self._personas: dict[int, str] = {}
        self._prints: dict[str, Fingerprint] = {}
        self._alike = MinHashLSH(num_perm=PERMUTATIONS, params=(32, 4))
        for task in load_bench() if tasks is None else tasks:
            self.tasks += 1
            for gram in grams(task):
                self._grams.setdefault(gram, task.id)
            if task.provenance.skeleton:
                self._skeletons.setdefault(task.provenance.skeleton, task.id)
            if (persona := persona_of(task)) is not None:
                self._personas.setdefault(persona, task.id)
            found = fingerprint_of(task)
            self._prints[task.id] = found
            self._alike.insert(task.id, found.words_minhash, check_duplication=False)

    def check(self, task: Task, fingerprint: Fingerprint | None = None) -> Contamination:
        mine = grams(task)
        shared = [gram for gram in mine if gram in self._grams]
        found = fingerprint or fingerprint_of(task)
        near, most = "", 0.0
        for other in sorted(self._alike.query(found.words_minhash)):
            similarity = jaccard(found.words, self._prints[other].words)
            if similarity > most:
                near, most = other, similarity
        sign = other = ""
        if task.provenance.skeleton in self._skeletons:
            sign, other = "skeleton", self._skeletons[task.provenance.skeleton]
        elif shared and len(shared) >= SHARE * len(mine):
            sign, other = "13-grams", self._grams[shared[0]]
        elif most >= SIMILAR:
            sign, other = "words", near
        elif (persona := persona_of(task)) is not None and persona in self._personas:
            sign, other = "persona", self._personas[persona]
        return Contamination(sign, other, len(shared), len(mine), round(most, 3))


def grams(task: Task) -> list[int]:
    """Hashes of the distinct 13-grams of all that the user says, in order."""
    return wordings.grams(session.instruction for session in task.sessions)
