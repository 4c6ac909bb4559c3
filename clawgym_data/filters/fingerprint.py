"""What two tasks are compared by: the words of the request, and the shape of the work.

Words are compared without what a template would fill in (names, numbers, paths, quoted strings),
so that the same request about other people counts as the same. The shape is the plan's skeleton,
the operations, the output contract and the checks, without their values.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from datasketch import MinHash
from numpy.typing import NDArray

from clawgym_bench.task import Task

SHINGLE = 3
PERMUTATIONS = 128
MINHASH_SEED = 1

Hashes = NDArray[np.uint32]

_TOKEN = re.compile(
    r"(?P<code>`[^`\n]*`)|(?P<quote>“[^”\n]*”|\"[^\"\n]*\")|(?P<mail>[\w.+-]+@[\w.-]+\w)"
    r"|(?P<path>\b[\w-]+(?:/[\w.-]+)+|\b[\w-]+\.[a-z]{2,5}\b)|(?P<number>\d[\d.,:]*)"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)|(?P<stop>[.!?:;\n])"
)


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


def normal_words(text: str) -> list[str]:
    """The words in small letters; what is particular to one task becomes its kind.

    A capital letter inside a sentence marks a name; names that stand together are one.
    """
    words: list[str] = []
    begins = True
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup or "", match.group()
        if kind == "stop":
            begins = True
            continue
        if kind == "word":
            name = token[0].isupper() and not begins and token != "I"
            word = "‹name›" if name else token.lower()
        else:
            word = f"‹{kind}›"
        if not (word == "‹name›" and words and words[-1] == word):
            words.append(word)
        begins = False
    return words


def shingles(words: list[str], size: int = SHINGLE) -> Iterator[str]:
    for at in range(max(1, len(words) - size + 1)):
        yield " ".join(words[at : at + size])


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


def hashes(parts: Iterable[str]) -> Hashes:
    return np.unique(np.array([zlib.crc32(part.encode()) for part in parts], dtype=np.uint32))


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


def jaccard(first: Hashes, second: Hashes) -> float:
    """Exact similarity of two sets of hashes."""
    if not len(first) or not len(second):
        return 0.0
    shared = len(np.intersect1d(first, second, assume_unique=True))
    return shared / (len(first) + len(second) - shared)
