"""Keeps traces apart from ClawGym-Bench. It is always on.

A sample is left out when its task is one of the benchmark's (by content hash, id or plan
skeleton), when anything in it holds a canary of the benchmark, or when what the user says quotes a
request of the benchmark or is one in other words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from clawgym_bench.task import Task
from clawgym_bench.taskset import load_bench
from clawgym_bench.wordings import GRAM, SHARE, SIMILAR, grams, hashes, normal_words, shingles
from clawgym_train.traces.logs import Entry
from clawgym_train.traces.trace import Trace

LEAST_GRAMS = 5
"""Shared runs of 13 words below which nothing is quoted: a stock phrase may recur."""
CONTRACT = "Files to deliver (paths relative to the workspace):"
"""What follows is the output contract, which composed tasks word alike."""


class Overlap:
    """The benchmark to keep away from; those of the shipped set when no tasks are given."""

    def __init__(self, tasks: Iterable[Task] | None = None) -> None:
        self.tasks = 0
        self._ids: set[str] = set()
        self._hashes: set[str] = set()
        self._skeletons: set[str] = set()
        self._canaries: list[str] = []
        self._grams: dict[int, str] = {}
        self._gram_counts: dict[str, int] = {}
        self._shingles: defaultdict[int, list[str]] = defaultdict(list)
        self._sizes: dict[str, int] = {}
        for task in load_bench() if tasks is None else tasks:
            self._add(task)

    def _add(self, task: Task) -> None:
        self.tasks += 1
        self._ids.add(task.id)
        self._hashes.add(task.content_hash)
        if task.provenance.skeleton:
            self._skeletons.add(task.provenance.skeleton)
        if task.canary:
            self._canaries.append(task.canary)
        said = [session.instruction for session in task.sessions]
        found = grams(said)
        self._gram_counts[task.id] = len(found)
        for gram in found:
            self._grams.setdefault(gram, task.id)
        words = hashes(shingles(normal_words("\n".join(said)))).tolist()
        self._sizes[task.id] = len(words)
        for word in words:
            self._shingles[word].append(task.id)

    def by_name(self, entry: Entry) -> str:
        """Why the sample is the benchmark's own, by its summary alone; "" when it is not."""
        if entry.task_hash in self._hashes:
            return "task of the benchmark"
        if str(entry.id) in self._ids:
            return "id of the benchmark"
        return "skeleton of the benchmark" if entry.family in self._skeletons else ""

    def by_text(self, trace: Trace) -> str:
        """Why what was said is too close to the benchmark; "" when it is not."""
        if any(
            canary in text
            for conversation in trace.conversations
            for text in conversation.texts()
            for canary in self._canaries
        ):
            return "canary of the benchmark"
        requests = [
            str(message["content"]).partition(CONTRACT)[0]
            for conversation in trace.conversations
            for message in conversation.messages
            if message["role"] == "user"
        ]
        if self._quotes(requests):
            return f"{GRAM}-grams of the benchmark"
        return "words of the benchmark" if self.similarity(requests) >= SIMILAR else ""

    def _quotes(self, requests: list[str]) -> bool:
        mine = grams(requests)
        shared = [self._grams[gram] for gram in mine if gram in self._grams]
        if shared and len(shared) >= SHARE * len(mine):
            return True
        # Agents wrap requests in words of their own, which must not hide a quotation.
        return any(
            count >= max(LEAST_GRAMS, SHARE * self._gram_counts[name])
            for name, count in Counter(shared).items()
        )

    def similarity(self, requests: list[str]) -> float:
        """Of the requests' words to the most similar request of the benchmark, in [0, 1]."""
        words = hashes(shingles(normal_words("\n".join(requests)))).tolist()
        shared = Counter(name for word in words for name in self._shingles.get(word, ()))
        return max(
            (count / (len(words) + self._sizes[name] - count) for name, count in shared.items()),
            default=0.0,
        )
