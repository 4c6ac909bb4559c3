"""What two tasks are compared by: the words of the request, and the shape of the work.

How words are compared is told in `clawgym_bench.wordings`. The shape is the plan's skeleton,
the operations, the output contract and the checks, without their values.
"""

import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from datasketch import MinHash

from clawgym_bench.task import Task
from clawgym_bench.wordings import SHINGLE, Hashes, hashes, jaccard, normal_words, shingles

PERMUTATIONS = 128
MINHASH_SEED = 1
__all__ = [
    "PERMUTATIONS",
    "SHINGLE",
    "Fingerprint",
    "Hashes",
    "fingerprint_of",
    "hashes",
    "jaccard",
    "minhash",
    "normal_words",
    "plan_features",
    "plan_key",
    "shingles",
]


@dataclass(frozen=True)
class Fingerprint:
    """Sorted distinct 32-bit hashes of the request's shingles and of the plan's features."""

    words: Hashes
    plan: Hashes

    @cached_property
    def words_minhash(self) -> MinHash:
        return minhash(self.words)

    @cached_property
    def plan_minhash(self) -> MinHash:
        return minhash(self.plan)


def fingerprint_of(task: Task) -> Fingerprint:
    text = "\n".join(session.instruction for session in task.sessions)
    return Fingerprint(hashes(shingles(normal_words(text))), hashes(plan_features(task)))


def plan_features(task: Task) -> list[str]:
    """The skeleton and its operations, the contract and the checks, without values."""
    found = [f"skeleton {task.provenance.skeleton}"] if task.provenance.skeleton else []
    found += [f"operation {name}" for name in task.operations]
    found.append(f"sessions {len(task.sessions)}")
    for output in task.outputs:
        columns, keys = len(output.columns or ()), len(output.keys or ())
        shape = f"{output.format} {columns} {keys} {bool(output.order)} {output.decimals}"
        found.append(f"output {shape}")
        found += [f"column {name.lower()}" for name in output.columns or ()]
        found += [f"key {name.lower()}" for name in output.keys or ()]
        found += [f"heading {name.lower()}" for name in output.headings or ()]
    for check in task.checks:
        fields = check.body.model_dump(exclude_defaults=True, exclude_unset=True)
        found.append(f"check {check.kind} {_shape(fields)}")
    suffixes = sorted({path.rsplit(".", 1)[-1] for path in task.inputs if "." in path})
    return found + [f"input {suffix}" for suffix in suffixes]


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(sorted(str(key) for key in value)) + "}"
    return type(value).__name__


def plan_key(task: Task) -> str:
    """Names the composition that tasks share: the skeleton, else what stands for it."""
    if task.provenance.skeleton:
        return task.provenance.skeleton
    return f"{zlib.crc32(' '.join(sorted(set(plan_features(task)))).encode()):08x}"


def minhash(values: Hashes) -> MinHash:
    found = _empty().copy()
    if len(values):
        found.update_batch(values.tolist())
    return found


@cache
def _empty() -> MinHash:
    return MinHash(PERMUTATIONS, seed=MINHASH_SEED, hashfunc=_itself)


def _itself(value: int) -> int:
    """The parts are hashed already."""
    return value
