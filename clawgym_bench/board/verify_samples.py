"""Verifies the samples of a run: each graded again, its calls played again, its transcript read."""

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log_sample,
    resolve_sample_attachments,
)

from clawgym_bench.board.cheating import traces
from clawgym_bench.board.finding import NOTES, Finding, Kind, named, shown
from clawgym_bench.board.replay import recorded, replay
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import sample_of
from clawgym_bench.evidence import unpacked_files
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.fault import METADATA_KEY
from clawgym_bench.grading import grade
from clawgym_bench.regrade import SCORER, regrade_sample
from clawgym_bench.sandbox import Backend
from clawgym_bench.sandbox.inspect_provider import ClawSandboxConfig
from clawgym_bench.scorer import EVIDENCE_KEY
from clawgym_bench.task import Task
from clawgym_bench.taskset import TaskSet

TOLERANCE = 2e-6
"""Scores are recorded to six places."""


class Samples:
    """Checks the samples of one run, one in memory at a time."""

    def __init__(
        self, log: Path, header: EvalLog, known: TaskSet, backend: Backend, replayed: bool
    ) -> None:
        self.graded = self.replayed = 0
        self._log, self._header, self._known = log, header, known
        self._backend, self._replay = backend, replayed
        self._scores: dict[str, list[float]] = {}
        self._kept_verdicts = self._unscored = 0
        self._other_results: Counter[str] = Counter()
        self._agent = str((header.eval.metadata or {}).get("agent", ""))
        self._judged = bool(header.eval.model_roles and "grader" in header.eval.model_roles)

    async def check(self, summary: EvalSampleSummary) -> list[Finding]:
        name, epoch = str(summary.id), summary.epoch
        task = self._known.get(name)
        if task is None:
            return []
        try:
            sample = resolve_sample_attachments(
                read_eval_log_sample(str(self._log), id=summary.id, epoch=epoch), "full"
            )
        except Exception as error:  # as above
            raise InputError(f"{name}, epoch {epoch}: cannot be read: {error}") from error
        try:
            seen = await self._found(sample, summary, task)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(f"{name}, epoch {epoch}: has another form: {error!r}") from error
        return [
            Finding(kind=kind, task=name, epoch=epoch, detail=detail, note=kind in NOTES)
            for kind, detail in seen
        ]

    async def _found(
        self, sample: EvalSample, summary: EvalSampleSummary, task: Task
    ) -> list[tuple[Kind, str]]:
        found: list[tuple[Kind, str]] = [*_declared(sample, task), *_summary(summary, sample, task)]
        claimed, listed = value_of(sample.scores), value_of(summary.scores)
        if not _same(claimed, listed):
            found.append(("score", f"{_of(listed)} in the summary, {_of(claimed)} in the sample"))
        found += [
            (trace.kind, trace.detail)  # type: ignore[misc]
            for trace in traces(sample, task, self._agent)
        ]
        score = (sample.scores or {}).get(SCORER)
        if "score" not in claimed:
            self._unscored += 1
        if score is None:
            return found
        stored = score.metadata or {}
        if stored.get(METADATA_KEY):
            if claimed.get("score") != 0 or sample.metadata.get(METADATA_KEY) is None:
                found.append(("score", "it says that its sandbox died, and is scored all the same"))
            self._scores.setdefault(task.id, []).append(0.0)
            return found
        found += self._judgement(task, stored)
        found += _transcript(sample, task)
        listed_checks = _outcomes(stored)
        change = await regrade_sample(sample, self._known, self._backend)
        again = value_of(sample.scores)
        if change.note.startswith("not graded again"):
            found.append(("workspace", change.note))
            return found
        self.graded += 1
        if "score" in again:
            self._scores.setdefault(task.id, []).append(again["score"])
        if not _same(claimed, again):
            found.append(("score", f"it claims {_of(claimed)}; grading again gives {_of(again)}"))
        elif listed_checks != _outcomes((sample.scores or {})[SCORER].metadata or {}):
            found.append(("score", "its list of checks says other things than grading again does"))
        elif self._replay and "score" in again:
            found += await self._replayed(sample, task, again)
        return found

    def _judgement(self, task: Task, stored: Mapping[str, Any]) -> Iterator[tuple[Kind, str]]:
        status = stored.get("rubric_status", "none")
        if status == "scored":
            if not task.hybrid or not self._judged:
                yield "score", "it has verdicts although nobody judged"
            levels = {criterion.id: set(criterion.levels) for criterion in task.rubric}
            given = [(str(item["criterion"]), item["level"]) for item in stored["rubric"]]
            # A criterion for which nothing was delivered gets 0, whatever its levels are.
            if any(level not in levels.get(name, set()) | {0.0} for name, level in given):
                yield "score", "it has verdicts that its rubric does not know"
            if len({name for name, _ in given}) != len(given):
                yield "score", "it has two verdicts on one criterion"
            self._kept_verdicts += 1
        elif task.hybrid and self._judged and stored.get("status") == "scored":
            yield "score", "a judge was named, and this hybrid task has no verdicts"

    async def _replayed(
        self, sample: EvalSample, task: Task, again: Mapping[str, float]
    ) -> list[tuple[Kind, str]]:
        found: list[tuple[Kind, str]] = []
        done = await replay(sample, task, self._backend)
        self.replayed += 1
        if self._agent == "claw" and done.other_prompts:
            sessions = ", ".join(map(str, done.other_prompts))
            found.append(("harness", f"session {sessions}: not this agent's system prompt"))
        if done.other_results:
            self._other_results[task.id] += done.other_results
        stored = _evidence(sample)
        if done.evidence is None:
            found.append(("workspace", f"its calls cannot be played to the end: {done.fault}"))
            return found
        files = {**task.inputs, **_unpacked(task, stored)}
        for path in stored.get("removed") or ():
            files.pop(path, None)
        if dict(done.evidence.snapshot.files) == files:
            return found
        commands = None
        if runs_something(task):
            commands = await run_commands(
                task, done.evidence.snapshot, self._backend, done.evidence.messages
            )
        graded = await asyncio.to_thread(grade, task, done.evidence, commands)
        if graded.checks is None or graded.checks < again.get("checks", 0.0) - TOLERANCE:
            paths = sorted(
                path
                for path in files.keys() | done.evidence.snapshot.files.keys()
                if files.get(path) != done.evidence.snapshot.files.get(path)
            )
            found.append((
                "workspace",
                "the stored files do not follow from the recorded calls: "
                f"checks {shown(graded.checks)} when they are played again, "
                f"{again['checks']:.3f} as stored ({named(paths)})",
            ))  # fmt: skip
        else:
            found.append(("replay", "other bytes when its calls are played again, same points"))
        return found

    def overall(self) -> Iterator[Finding]:
        if self._kept_verdicts:
            yield Finding(
                kind="rubric",
                detail=f"the verdicts of {self._kept_verdicts} samples are kept as recorded",
                note=True,
            )
        if self._other_results:
            yield Finding(
                kind="replay",
                detail=f"{sum(self._other_results.values())} tool results read otherwise when "
                f"played again, in {named(sorted(self._other_results))}",
                note=True,
            )
        said, mean = _headline(self._header), self.mean()
        # With trials that have no score the two are not the same kind of mean.
        comparable = said is not None and mean is not None and not self._unscored
        if comparable and abs(mean - said) > 1e-4:  # type: ignore[operator]
            yield Finding(
                kind="score",
                detail=f"the log's mean score is {said:.4f}; its samples, graded again, "
                f"have {mean:.4f}",
            )

    def mean(self) -> float | None:
        means = [sum(found) / len(found) for found in self._scores.values()]
        return sum(means) / len(means) if means else None


def _declared(sample: EvalSample, task: Task) -> Iterator[tuple[Kind, str]]:
    """What the sample says about its task."""
    said = sample.metadata
    if said.get("hash") != task.content_hash:
        yield "task", f"another content of the task ({str(said.get('hash'))[:12]})"
        return
    if said.get("limits") != task.limits.model_dump():
        yield "limits", "other limits than the task's"
    for name, value in (sample_of(task, "bwrap").metadata or {}).items():
        if name != "limits" and said.get(name) != value:
            yield "task", f"it says {name} {said.get(name)!r}; the task's is {value!r}"
    config = sample.sandbox.config if sample.sandbox else None
    if isinstance(config, ClawSandboxConfig) and config.resources != task.resources:
        yield "limits", "another sandbox than the task's limits give"
    if sample.working_time and sample.working_time > task.limits.seconds * 1.5 + 60:
        yield "limits", f"{sample.working_time:.0f} s of work; the task has {task.limits.seconds}"


def _summary(
    summary: EvalSampleSummary, sample: EvalSample, task: Task
) -> Iterator[tuple[Kind, str]]:
    """The row of the board is made from summaries: they must say what the sample says."""
    for name, value in (sample_of(task, "bwrap").metadata or {}).items():
        if name != "title" and sample.metadata.get(name) == value != summary.metadata.get(name):
            yield "result", f"its summary has another {name} than the task"
    if summary.model_usage != sample.model_usage or summary.total_time != sample.total_time:
        yield "result", "its summary has other tokens or seconds than the sample"


def _outcomes(stored: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What a score says of every check."""
    names = ("id", "kind", "passed", "score", "weight", "gate")
    return [tuple(check.get(name) for name in names) for check in stored.get("checks") or ()]


def _transcript(sample: EvalSample, task: Task) -> Iterator[tuple[Kind, str]]:
    """The record that is graded must be of this conversation."""
    messages, calls = recorded(sample, task)
    record = _evidence(sample)
    if list(record.get("messages") or []) != messages:
        yield "workspace", "the stored final messages are not those of the transcript"
    plain = [
        {"session": c.session, "tool": c.tool, "arguments": dict(c.arguments), "error": c.error}
        for c in calls
    ]
    if list(record.get("calls") or []) != plain:
        yield "workspace", "the stored tool calls are not those of the transcript"


def _evidence(sample: EvalSample) -> Mapping[str, Any]:
    record = sample.store.get(EVIDENCE_KEY)
    return record if isinstance(record, dict) else {}


def _unpacked(task: Task, record: Mapping[str, Any]) -> dict[str, bytes]:
    return unpacked_files(str(record["files"]))


def value_of(scores: Mapping[str, Any] | None) -> dict[str, float]:
    """The parts of the score that are numbers; empty when there is none."""
    score = (scores or {}).get(SCORER)
    value = score.value if score is not None else None
    if not isinstance(value, dict):
        return {}
    return {
        name: float(part)
        for name, part in value.items()
        if isinstance(part, int | float) and not math.isnan(part)
    }


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        abs(one[name] - other[name]) <= TOLERANCE for name in one
    )


def _of(value: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {part:.3f}" for name, part in value.items()) or "no score"


def _headline(header: EvalLog) -> float | None:
    for score in header.results.scores if header.results else []:
        plain = score.reducer in (None, "mean")
        if score.name == "score" and plain and "mean" in score.metrics:
            value = score.metrics["mean"].value
            return float(value) if not math.isnan(value) else None
    return None
