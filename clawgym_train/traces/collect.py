"""From logs to a folder of traces: two passes, each by sample.

The first reads the logs' summaries and keeps a few numbers per sample; it decides by score, by name
and by rank. The second reads what is left, one sample at a time, filters by what was said, and
writes. So memory grows by some hundred bytes per sample, whatever the size of the logs.

    DIR/traces.jsonl    one conversation a line
    DIR/left_out.jsonl  every sample that was left out, and why
    DIR/card.json, DIR/README.md
"""

import asyncio
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from inspect_ai.log import EvalLog, EvalSample

from clawgym_bench.errors import InputError
from clawgym_train.traces.card import write_card
from clawgym_train.traces.filters import Filters
from clawgym_train.traces.formats import FORMATS
from clawgym_train.traces.logs import Entry, Samples, entries, find_logs, read_header
from clawgym_train.traces.overlap import Overlap
from clawgym_train.traces.sample import conversations_of
from clawgym_train.traces.statistics import PAPER, Statistics
from clawgym_train.traces.tokens import counter, tokens_in
from clawgym_train.traces.trace import Trace

TRACES, LEFT_OUT = "traces.jsonl", "left_out.jsonl"
ENOUGH = "enough of its task"
Progress = Callable[[int, int], None]
"""Is told after every sample: how many are done, of how many."""


@dataclass(frozen=True)
class Outcome:
    """`card` is what card.json holds."""

    folder: Path
    card: dict[str, Any]

    @property
    def kept(self) -> int:
        return int(self.card["counts"]["kept"])


@dataclass(frozen=True)
class Selection:
    """How many traces of one task: the K best by score, or the first N."""

    best_of: int | None = None
    max_per_task: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("best-of", self.best_of), ("max-per-task", self.max_per_task)):
            if value is not None and value < 1:
                raise InputError(f"--{name} {value}: give a number above 0")

    @property
    def most(self) -> int | None:
        given = [number for number in (self.best_of, self.max_per_task) if number is not None]
        return min(given, default=None)

    def order(self, found: list[Entry]) -> list[Entry]:
        """By task, the best first, when the best are wanted; as in the logs otherwise. Of equal
        scores the shorter one comes first."""
        if self.best_of is None:
            return found
        places: dict[tuple[str, str], int] = {}
        for entry in found:
            places.setdefault(_task(entry), len(places))
        return sorted(found, key=lambda e: (places[_task(e)], -(e.score or 0.0), e.messages))


def collect(
    places: Sequence[str],
    out: str | Path,
    *,
    filters: Filters | None = None,
    best_of: int | None = None,
    max_per_task: int | None = None,
    form: str = "trl",
    reasoning: bool = True,
    tokenizer: str | None = None,
    overlap: Overlap | None = None,
    on_progress: Progress | None = None,
) -> Outcome:
    """Writes the traces of `places` (logs, folders of logs, fsspec URLs) to the new folder `out`.

    `tokenizer`: see `tokens.counter`. `overlap`: what to keep apart from; ClawGym-Bench when not
    given. Raises `InputError` for what cannot be read or written, and when nothing is kept.
    """
    if form not in FORMATS:
        raise InputError(f"--format {form}: must be {', '.join(FORMATS)}")
    folder = Path(out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"--out {out}: exists; name a new folder or remove it first")
    run = _Run(
        find_logs(places),
        folder,
        filters or Filters(),
        Selection(best_of, max_per_task),
        form,
        reasoning,
        tokenizer,
        overlap or Overlap(),
    )
    return run.run(on_progress)


class _Run:
    def __init__(
        self,
        logs: Sequence[str],
        folder: Path,
        filters: Filters,
        selection: Selection,
        form: str,
        reasoning: bool,
        tokenizer: str | None,
        overlap: Overlap,
    ) -> None:
        self._logs, self._folder = logs, folder
        self._filters, self._selection, self._overlap = filters, selection, overlap
        self._form, self._reasoning = form, reasoning
        self._count, self._counted = counter(tokenizer)
        self._headers = [_Source.of(name, read_header(name)) for name in logs]
        self._statistics = Statistics()
        self._left_out: Counter[str] = Counter()
        self._samples = 0
        self._digest = hashlib.sha256()
        self._said: set[bytes] = set()

    def run(self, on_progress: Progress | None) -> Outcome:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f"{TRACES}.part"
        try:
            with (
                part.open("w", encoding="utf-8", newline="\n") as traces,
                (self._folder / LEFT_OUT).open("w", encoding="utf-8", newline="\n") as left_out,
            ):
                chosen = self._selection.order(list(self._first_pass(left_out)))
                asyncio.run(self._second_pass(chosen, traces, left_out, on_progress))
            if not self._statistics.traces:
                told = "; ".join(f"{n} {why}" for why, n in self._left_out.most_common())
                raise InputError(
                    f"nothing is kept of {self._samples} samples ({told or 'the logs are empty'}); "
                    f"{self._folder / LEFT_OUT} names each"
                )
            os.replace(part, self._folder / TRACES)
        finally:
            part.unlink(missing_ok=True)
        card = self._card()
        write_card(card, self._folder)
        return Outcome(self._folder, card)

    def _first_pass(self, left_out: TextIO) -> Iterator[Entry]:
        """What may be kept, by summaries alone. A sample that several logs hold counts once."""
        seen: set[str] = set()
        for number, log in enumerate(self._logs):
            for entry in entries(log, number):
                self._samples += 1
                self._headers[number].samples += 1
                if entry.sample in seen:
                    why = "in an earlier log"
                else:
                    why = self._filters.by_summary(entry) or self._overlap.by_name(entry)
                if not entry.error:
                    seen.add(entry.sample)
                if why:
                    self._leave_out(entry, why, left_out)
                else:
                    yield entry

    async def _second_pass(
        self,
        chosen: Sequence[Entry],
        traces: TextIO,
        left_out: TextIO,
        on_progress: Progress | None,
    ) -> None:
        taken: Counter[tuple[str, str]] = Counter()
        most = self._selection.most
        async with Samples(self._logs) as samples:
            for done, entry in enumerate(chosen, 1):
                if most is not None and taken[_task(entry)] >= most:
                    why = ENOUGH
                else:
                    try:
                        sample = await samples.read(entry)
                    except InputError:
                        why = "cannot be read"
                    else:
                        why = self._take(self._trace(entry, sample), traces)
                if why:
                    self._leave_out(entry, why, left_out)
                else:
                    taken[_task(entry)] += 1
                    self._headers[entry.log].kept += 1
                if on_progress is not None:
                    on_progress(done, len(chosen))

    def _trace(self, entry: Entry, sample: EvalSample) -> Trace:
        source = self._headers[entry.log]
        return Trace(
            task=str(entry.id),
            family=entry.family,
            category=str((sample.metadata or {}).get("category") or ""),
            sample=entry.sample,
            epoch=entry.epoch,
            log=source.log,
            model=source.model,
            agent=source.agent,
            agent_version=source.agent_version,
            score=entry.score or 0.0,
            success=entry.success,
            conversations=conversations_of(sample, self._reasoning),
        )

    def _take(self, trace: Trace, traces: TextIO) -> str:
        """Writes a trace, or says why not."""
        tokens = tokens_in(trace, self._count)
        why = self._filters.by_content(trace, tokens) or self._overlap.by_text(trace)
        if why:
            return why
        said = [[talk.messages, talk.tools] for talk in trace.conversations]
        digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()[:16]
        if digest in self._said:
            return "the same as another"
        self._said.add(digest)
        for index in range(len(trace.conversations)):
            row = FORMATS[self._form](trace, index)
            line = _line(row)
            traces.write(line)
            self._digest.update(line.encode())
        self._statistics.add(trace, tokens)
        return ""

    def _leave_out(self, entry: Entry, why: str, left_out: TextIO) -> None:
        self._left_out[why] += 1
        log = self._headers[entry.log].log
        row = {"log": log, "id": entry.id, "epoch": entry.epoch, "why": why, "score": entry.score}
        left_out.write(json.dumps(row) + "\n")

    def _card(self) -> dict[str, Any]:
        return {
            "options": {
                **asdict(self._filters),
                **asdict(self._selection),
                "format": self._form,
                "reasoning": "kept" if self._reasoning else "dropped",
            },
            "file": {
                "name": TRACES,
                "bytes": (self._folder / TRACES).stat().st_size,
                "sha256": self._digest.hexdigest(),
            },
            "counts": {"samples": self._samples, "kept": self._statistics.traces},
            "left_out": dict(self._left_out.most_common()),
            "decontamination": {"tasks": self._overlap.tasks},
            "tokens": self._counted,
            "statistics": self._statistics.summary(),
            "paper": PAPER,
            "sources": [asdict(source) for source in self._headers],
        }


@dataclass
class _Source:
    """A log, by its name without folders: they tell about the machine, not about the data."""

    log: str
    task: str
    task_set: str
    model: str
    agent: str
    agent_version: str
    samples: int = 0
    kept: int = 0

    @classmethod
    def of(cls, name: str, log: EvalLog) -> "_Source":
        metadata = log.eval.metadata or {}
        agent = str(metadata.get("agent") or log.eval.solver or "unknown")
        told = log.eval.model
        return cls(
            log=name.rstrip("/").rsplit("/", 1)[-1],
            task=log.eval.task,
            task_set=str(metadata.get("task_set_hash") or ""),
            model=agent if told in ("none", "none/none") else told,
            agent=agent,
            agent_version=str(metadata.get("agent_version") or "unknown"),
        )


def _task(entry: Entry) -> tuple[str, str]:
    return str(entry.id), entry.task_hash


def _line(row: Any) -> str:
    """JSON on one line, also for readers that end lines where Unicode does."""
    text = json.dumps(row, ensure_ascii=False).translate(_LINE_ENDS)
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates, which JSON may hold and UTF-8 may not
        text = json.dumps(row)
    return text + "\n"


_LINE_ENDS = {number: f"\\u{number:04x}" for number in (0x85, 0x2028, 0x2029)}
