"""From a draft to a candidate: validated, rated, fingerprinted, compared with the benchmark.

Pure; done in a worker. The task itself travels on as its compressed JSON line, which is what ends
up in a shard.
"""

import gzip

import numpy as np

from clawgym_bench.task import Task, line_of, read_line
from clawgym_bench.task.rules import problems
from clawgym_data.filters.contamination import Bench, Contamination
from clawgym_data.filters.difficulty import by_structure
from clawgym_data.filters.fingerprint import Fingerprint, fingerprint_of, plan_key
from clawgym_data.filters.personas import persona_of
from clawgym_data.pipeline.balance import Traits
from clawgym_data.pipeline.engine import FREE, Cost, Draft
from clawgym_data.pipeline.stages import Ended, Record, Stage

LEVEL = 6


class Facts(Record):
    """What the decisions about a task need, and the set's figures."""

    id: str
    hash: str
    plan: str
    persona: int | None
    traits: Traits
    operations: tuple[str, ...]
    tags: tuple[str, ...]
    words_hashes: bytes
    plan_hashes: bytes

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(
            np.frombuffer(self.words_hashes, dtype="<u4"),
            np.frombuffer(self.plan_hashes, dtype="<u4"),
        )


class Candidate(Record):
    """A draft that may become a task of the set. `blob` is its line, compressed."""

    facts: Facts
    blob: bytes
    sign: str = ""
    """Of contamination; empty for a clean task."""
    near: str = ""
    grams: int = 0
    similarity: float = 0.0


class Produced(Record):
    """What an attempt came to: a candidate, an end, or (through nobody's fault) a failure."""

    candidate: Candidate | None = None
    ended: Ended | None = None
    failure: str = ""
    cost: Cost = FREE
    answer: str = ""
    findings: tuple[str, ...] = ()
    """Of a draft that was given up and may be revised; see `Draft`."""


def produced(draft: Draft, bench: Bench) -> Produced:
    """The stages *verification* and everything that only looks at the task."""
    if draft.task is None:
        ended = draft.ended or Ended(stage=Stage.INTENT, reason="no draft")
        return Produced(ended=ended, cost=draft.cost, answer=draft.answer, findings=draft.findings)
    task = draft.task
    if found := problems(task):
        kind = found[0].where.split("[")[0]
        ended = Ended(
            stage=Stage.VERIFICATION, reason=f"invalid: {kind}", detail="; ".join(map(str, found))
        )
        return Produced(
            ended=ended,
            cost=draft.cost,
            answer=draft.answer or line_of(task),
            findings=tuple(map(str, found)),
        )
    return Produced(candidate=candidate_of(task, bench), cost=draft.cost, answer=draft.answer)


def candidate_of(task: Task, bench: Bench) -> Candidate:
    if task.difficulty is None:
        task = task.model_copy(update={"difficulty": by_structure(task)})
    prints = fingerprint_of(task)
    found: Contamination = bench.check(task, prints)
    return Candidate(
        facts=facts_of(task, prints),
        blob=packed(line_of(task)),
        sign=found.sign,
        near=found.other,
        grams=found.grams,
        similarity=found.similarity,
    )


def facts_of(task: Task, prints: Fingerprint) -> Facts:
    return Facts(
        id=task.id,
        hash=task.content_hash,
        plan=plan_key(task),
        persona=persona_of(task),
        traits=Traits(
            category=task.category,
            sessions=len(task.sessions),
            hybrid=task.hybrid,
            difficulty=task.difficulty or "",
        ),
        operations=tuple(task.operations),
        tags=tuple(task.tags),
        words_hashes=prints.words.astype("<u4").tobytes(),
        plan_hashes=prints.plan.astype("<u4").tobytes(),
    )


def packed(line: str) -> bytes:
    """A gzip member of its own: members one after the other are a gzip file."""
    return gzip.compress(line.encode() + b"\n", LEVEL, mtime=0)


def unpacked(blob: bytes) -> str:
    return gzip.decompress(blob).decode()


def task_of(blob: bytes) -> Task:
    return read_line(unpacked(blob), "draft")
