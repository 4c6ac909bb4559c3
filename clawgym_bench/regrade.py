"""Grades a log again from its stored files: `regrade(log)`.

Nothing of the agent is run again. Checks that run something do so anew in grading sandboxes; the
rubric keeps the verdicts that the log holds. With unchanged tasks the grades are identical.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    recompute_metrics,
    resolve_sample_attachments,
    write_eval_log,
)
from inspect_ai.scorer import Score

from clawgym_bench.errors import ClawGymError, InputError
from clawgym_bench.evidence import unpack
from clawgym_bench.execution import run_commands, runs_something
from clawgym_bench.fault import METADATA_KEY
from clawgym_bench.grading import Verdict, grade, unscored
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.sandbox.choices import OWN as SANDBOXES
from clawgym_bench.sandbox.choices import SANDBOXES as EVERY_SANDBOX
from clawgym_bench.sandbox.choices import grading_backend
from clawgym_bench.scorer import EVIDENCE_KEY, score_of
from clawgym_bench.taskset import TaskSet, task_set

SCORER = "hybrid"


@dataclass(frozen=True)
class Change:
    """One sample's grade before and after; None: unscored. `note` says why when it cannot be."""

    task: str
    epoch: int
    before: float | None
    after: float | None
    note: str = ""

    @property
    def differs(self) -> bool:
        return self.before != self.after


def regrade(
    log_file: str | Path,
    *,
    out: str | Path | None = None,
    tasks: str | None = None,
    sandbox: str | None = None,
) -> list[Change]:
    """Grades every sample of a log again and, with `out`, writes the log with the new scores.

    `tasks`: the task set, when it is no longer where the log says. `sandbox`: where checks that
    run something do so; the log's own kind when not given. Raises `InputError` when the log
    cannot be read or is not of a ClawGym task.
    """
    log = _read(log_file)
    source = tasks or log.eval.task_args.get("path")
    known = task_set(source)
    kind = sandbox or str((log.eval.metadata or {}).get("sandbox", "docker"))
    if kind not in (SANDBOXES if sandbox else EVERY_SANDBOX):
        raise InputError(f"no sandbox {kind!r}; there are {', '.join(SANDBOXES)}")
    changes = asyncio.run(_regrade_all(log, known, kind))
    if out is not None:
        recompute_metrics(log)
        write_eval_log(log, str(out))
    return changes


def _read(log_file: str | Path) -> EvalLog:
    try:
        log = read_eval_log(str(log_file))
    except Exception as error:
        raise InputError(f"{log_file}: cannot be read as an Inspect log: {error}") from error
    if not log.samples:
        raise InputError(f"{log_file}: holds no samples")
    if not any(EVIDENCE_KEY in sample.store for sample in log.samples):
        raise InputError(f"{log_file}: no sample keeps its files; is it a log of a ClawGym task?")
    return log


async def _regrade_all(log: EvalLog, known: TaskSet, kind: str) -> list[Change]:
    backend: Backend | None = None
    changes = []
    try:
        for sample in log.samples or []:
            task = known.get(str(sample.id))
            if backend is None and task is not None and runs_something(task):
                own = kind in SANDBOXES
                backend = open_backend(kind) if own else grading_backend()  # type: ignore[arg-type]
            changes.append(await regrade_sample(sample, known, backend))
    finally:
        if backend is not None:
            await backend.close()
    return changes


async def regrade_sample(sample: EvalSample, known: TaskSet, backend: Backend | None) -> Change:
    """Grades one sample again and puts the new score into it. `backend` is needed only where a
    check of its task runs something."""
    task_id = str(sample.id)
    old = (sample.scores or {}).get(SCORER)
    before = _headline(old)

    def kept(note: str) -> Change:
        return Change(task_id, sample.epoch, before, before, note)

    task = known.get(task_id)
    if task is None:
        return kept("the task is not in the set; its score was left as it was")
    if old is None:
        return kept("it ended in an error and has no score")
    if (old.metadata or {}).get(METADATA_KEY):
        return kept("the agent ended its sandbox; no files are left to grade again")
    note = ""
    if sample.metadata.get("hash") != task.content_hash:
        note = "the task has changed since"
    try:
        record = resolve_sample_attachments(sample, "full").store[EVIDENCE_KEY]
        evidence = unpack(task, record)
        commands = None
        if runs_something(task):
            assert backend is not None
            commands = await run_commands(task, evidence.snapshot, backend, evidence.messages)
    except (ClawGymError, KeyError) as error:
        return kept(f"not graded again: {error}")
    stored = old.metadata or {}
    if stored.get("status") == "unscored" and str(stored.get("reason", "")).startswith("the judge"):
        result = unscored(str(stored["reason"]))
    else:
        result = grade(task, evidence, commands, _verdicts(stored))
    new = score_of(result, evidence)
    assert sample.scores is not None
    sample.scores[SCORER] = new
    return Change(task_id, sample.epoch, before, _headline(new), note)


def _verdicts(stored: dict[str, Any]) -> Sequence[Verdict] | None:
    if stored.get("rubric_status") != "scored":
        return None
    return [
        Verdict(
            str(item["criterion"]), float(item["level"]), str(item["reason"]), tuple(item["quotes"])
        )
        for item in stored.get("rubric", [])
    ]


def _headline(score: Score | None) -> float | None:
    if score is None or not isinstance(score.value, dict):
        return None
    value = score.value.get("score")
    return None if not isinstance(value, int | float) or math.isnan(value) else float(value)
