"""Keyword ranking (BM25; Robertson & Zaragoza 2009) for notes and recorded pages."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
# A word, or one character of a script that is written without spaces.
TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)


def tokens(text: str) -> list[str]:
    """Words without case, accents and the plural s."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(item for item in plain if not unicodedata.combining(item))
    plain = unicodedata.normalize("NFC", plain)
    return [_stem(word) for word in TOKEN.findall(plain)]


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


STOPWORDS = frozenset(map(_stem,
    ["a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "for", "from", "had",
     "has", "have", "how", "i", "in", "is", "it", "me", "my", "of", "on", "or", "our", "that",
     "the", "their", "there", "this", "to", "was", "we", "were", "what", "when", "where",
     "which", "who", "why", "will", "with", "you", "s"]
))  # fmt: skip


def rank(query: str, documents: Sequence[str]) -> list[tuple[int, float]]:
    """Indices of the documents that hold a word of the query, best first.

    The score lies in (0, 1]; 1 has a document of average length with every word, and better ones.
    """
    words = dict.fromkeys(tokens(query))
    wanted = [word for word in words if word not in STOPWORDS] or list(words)
    bags = [Counter(tokens(document)) for document in documents]
    average = sum(bag.total() for bag in bags) / len(bags) if bags else 0
    weights = {}
    for word in wanted:
        holders = sum(word in bag for bag in bags)
        weights[word] = math.log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
    whole = sum(weights.values())
    scored = []
    for index, bag in enumerate(bags):
        length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * bag.total() / (average or 1)
        score = sum(
            weight * bag[word] * (SATURATION + 1) / (bag[word] + SATURATION * length)
            for word, weight in weights.items()
            if word in bag
        )
        if score > 0:
            scored.append((index, score / whole))
    scored.sort(key=lambda item: (-item[1], item[0]))
    return [(index, min(score, 1.0)) for index, score in scored]
