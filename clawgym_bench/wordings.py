"""How alike two requests are, by their words: what keeps training data apart from the benchmark.

Words are compared without what a template would fill in (names, numbers, paths, quoted strings),
so that the same request about other people counts as the same. Runs of 13 plain words that two
texts share mean that one quotes the other.
"""

import re
import zlib
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

GRAM = 13
SHARE = 0.1
"""Of a request's 13-grams: from here on it quotes the benchmark. A stock phrase may recur."""
SIMILAR = 0.5
"""Requests whose words are this much alike are the same."""
SHINGLE = 3

Hashes = NDArray[np.uint32]

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(
    r"(?P<code>`[^`\n]*`)|(?P<quote>“[^”\n]*”|\"[^\"\n]*\")|(?P<mail>[\w.+-]+@[\w.-]+\w)"
    r"|(?P<path>\b[\w-]+(?:/[\w.-]+)+|\b[\w-]+\.[a-z]{2,5}\b)|(?P<number>\d[\d.,:]*)"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)|(?P<stop>[.!?:;\n])"
)


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


def hashes(parts: Iterable[str]) -> Hashes:
    """Sorted distinct 32-bit hashes."""
    return np.unique(np.array([zlib.crc32(part.encode()) for part in parts], dtype=np.uint32))


def jaccard(first: Hashes, second: Hashes) -> float:
    """Exact similarity of two sets of hashes."""
    if not len(first) or not len(second):
        return 0.0
    shared = len(np.intersect1d(first, second, assume_unique=True))
    return shared / (len(first) + len(second) - shared)


def grams(texts: Iterable[str]) -> list[int]:
    """Hashes of the distinct 13-grams of the texts, in order; none goes over a text's end."""
    found: dict[int, None] = {}
    for text in texts:
        words = _WORD.findall(text.lower())
        for at in range(len(words) - GRAM + 1):
            gram = " ".join(words[at : at + GRAM]).encode()
            found[zlib.crc32(gram) << 32 | zlib.adler32(gram)] = None
    return list(found)
