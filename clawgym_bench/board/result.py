"""One run as the board and the gate see it: `RunResult`, made from an Inspect log.

Only the header and the sample summaries of a log are read, so that a log of a gigabyte costs
seconds. Scores are per task and epoch; what is not a score stays what it is: `unscored` with its
reason, or missing because of an infrastructure failure.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field

from clawgym_bench.checks.base import StrictModel
from clawgym_bench.errors import InputError

SCHEMA = 1
JUNK = ("noop", "empty", "copy", "echo", "echo_inputs", "stub")
"""Agents that do no work (clawgym_bench.agents.reference)."""


class Trial(StrictModel):
    """One epoch of one task. `score`, `checks`, `rubric` in [0, 1]; None where there is none."""

    model_config = ConfigDict(allow_inf_nan=False)

    epoch: int = Field(ge=1)
    score: float | None = None
    checks: float | None = None
    rubric: float | None = None
    success: bool | None = None
    reason: str = ""
    """Why it has no score."""
    seconds: float | None = None
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    cost: float | None = None
    """In USD, as Inspect priced it; None: no price known."""


class TaskResult(StrictModel):
    """All trials of one task. `family` groups tasks that share a plan: the unit of clustering."""

    id: str
    title: str = ""
    hash: str
    family: str
    category: str
    hybrid: bool = False
    sessions: int = 1
    difficulty: str = ""
    operations: list[str] = []
    trials: list[Trial]

    @property
    def scored(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.score is not None]

    @property
    def score(self) -> float | None:
        """The mean over scored epochs: the task is the unit of inference."""
        scores = [trial.score for trial in self.scored if trial.score is not None]
        return sum(scores) / len(scores) if scores else None

    @property
    def success(self) -> float | None:
        found = [trial.success for trial in self.scored if trial.success is not None]
        return sum(found) / len(found) if found else None


class RunResult(StrictModel):
    """`result.json`: everything that a row of the board stands on."""

    model_config = ConfigDict(allow_inf_nan=False)

    schema_version: Literal[1] = 1
    run: str
    created: str
    model: str
    agent: str
    agent_version: str = ""
    task: str
    task_set: str
    task_set_hash: str
    task_set_version: str = ""
    subset: dict[str, Any] = {}
    """Options that selected tasks; empty for the whole set."""
    epochs: int
    sandbox: str
    resources: dict[str, Any] = {}
    judge: str = ""
    judge_calibration: str = ""
    limits: dict[str, Any] = {}
    seed: int | None = None
    generate: dict[str, Any] = {}
    inspect: str = ""
    seconds: float | None = None
    spend: Literal["none", "priced", "unpriced"] = "unpriced"
    """`none`: no tokens were used; `priced`: every trial has a price; `unpriced`: some lack one."""
    by: str = ""
    open_weights: bool | None = None
    recipe: str = ""
    """The command that makes this run again."""
    verified: bool = False
    notes: list[str] = []
    tasks: list[TaskResult] = Field(min_length=1)

    @property
    def kind(self) -> Literal["model", "oracle", "junk"]:
        """Whether a model did the work, the reference solution, or an agent that does none."""
        if self.agent == "oracle":
            return "oracle"
        return "junk" if self.agent in JUNK else "model"

    def scored_tasks(self) -> list[TaskResult]:
        return [task for task in self.tasks if task.score is not None]

    @property
    def unscored(self) -> int:
        """Trials without a score."""
        return sum(trial.score is None for task in self.tasks for trial in task.trials)

    @property
    def trials(self) -> int:
        return sum(len(task.trials) for task in self.tasks)


def read_result(path: str | Path) -> RunResult:
    """A `result.json` (or the folder that holds it), or a log. Raises `InputError`."""
    found = Path(path)
    if found.is_dir() and (found / "result.json").is_file():
        found = found / "result.json"
    if found.suffix == ".json" and found.name == "result.json":
        from pydantic import ValidationError

        try:
            return RunResult.model_validate_json(found.read_text(encoding="utf-8"))
        except (OSError, ValidationError) as error:
            raise InputError(f"{path}: not a result of this version: {error}") from error
    return result_of_log(str(path))


def result_of_log(log: str) -> RunResult:
    """Reads an Inspect log of a ClawGym task. Raises `InputError` when it is not one."""
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    try:
        header = read_eval_log(log, header_only=True)
        summaries = read_eval_log_sample_summaries(log)
    except Exception as error:  # Inspect raises many kinds for what is not a log
        raise InputError(f"{log}: cannot be read as an Inspect log: {error}") from error
    if "task_set_hash" not in (header.eval.metadata or {}):
        raise InputError(f"{log}: not a log of a ClawGym task (it names no task set)")
    if not summaries:
        raise InputError(f"{log}: holds no sample")
    try:
        return _result(header, summaries)
    except (AttributeError, TypeError, ValueError) as error:  # a stranger's log
        raise InputError(f"{log}: not as a ClawGym task writes it: {error}") from error


def _result(header: Any, summaries: Iterable[Any]) -> RunResult:
    meta = header.eval.metadata
    summaries = list(summaries)
    tasks: dict[str, dict[str, Any]] = {}
    for summary in summaries:
        sample = summary.metadata or {}
        entry = tasks.setdefault(
            str(summary.id),
            {
                "id": str(summary.id),
                "title": str(sample.get("title", ""))[:200],
                "hash": str(sample.get("hash", "")),
                "family": str(sample.get("family", summary.id)),
                "category": str(sample.get("category", "")),
                "hybrid": bool(sample.get("hybrid")),
                "sessions": int(sample.get("sessions", 1)),
                "difficulty": str(sample.get("difficulty") or ""),
                "operations": _names(sample.get("operations")),
                "trials": [],
            },
        )
        entry["trials"].append(_trial(summary))
    for entry in tasks.values():
        entry["trials"].sort(key=lambda trial: trial.epoch)
    return RunResult(
        run=header.eval.run_id,
        created=header.eval.created,
        model=header.eval.model,
        agent=str(meta.get("agent", "")),
        agent_version=str(meta.get("agent_version", "")),
        task=header.eval.task,
        task_set=str(meta.get("task_set", "")),
        task_set_hash=str(meta["task_set_hash"]),
        task_set_version=str(header.eval.task_version),
        subset=_selection(header.eval.task_args or {}, header.eval.config.limit),
        epochs=header.eval.config.epochs or 1,
        sandbox=str(meta.get("sandbox", "")),
        resources=_resources(summaries),
        judge=_judge(header),
        limits={
            name: value
            for name in ("message_limit", "token_limit", "time_limit", "working_limit")
            if (value := getattr(header.eval.config, name, None)) is not None
        },
        seed=header.eval.model_generate_config.seed,
        generate=header.eval.model_generate_config.model_dump(exclude_none=True),
        inspect=str(header.eval.packages.get("inspect_ai", "")),
        seconds=_between(header.stats.started_at, header.stats.completed_at),
        spend=_spend(entry["trials"] for entry in tasks.values()),
        tasks=[TaskResult(**entry) for _, entry in sorted(tasks.items())],
    )


def _trial(summary: Any) -> Trial:
    scores = summary.scores or {}
    score = next(iter(scores.values()), None)
    value = score.value if score is not None and isinstance(score.value, dict) else {}
    usage = (summary.model_usage or {}).values()
    costs = [use.total_cost for use in usage]
    priced = [cost for cost in costs if cost is not None]
    headline = _number(value.get("score"))
    success = _number(value.get("success"))
    reason = ""
    if headline is None:
        meta = (score.metadata or {}) if score is not None else {}
        reason = str(meta.get("reason") or summary.error or "no score was recorded")[:500]
    return Trial(
        epoch=summary.epoch,
        score=headline,
        checks=_number(value.get("checks")),
        rubric=_number(value.get("rubric")),
        success=None if success is None else success >= 1,
        reason=reason,
        seconds=summary.total_time,
        input_tokens=sum(use.input_tokens for use in usage),
        output_tokens=sum(use.output_tokens for use in usage),
        cached_tokens=sum(use.input_tokens_cache_read or 0 for use in usage),
        cost=sum(priced) if costs and len(priced) == len(costs) else None,
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return float(value)


def _names(value: Any) -> list[str]:
    """A list of names; Inspect replaces long lists in its summaries by a remark."""
    return [str(name) for name in value] if isinstance(value, list) else []


def _selection(arguments: dict[str, Any], limit: Any) -> dict[str, Any]:
    chosen = {name: arguments.get(name) for name in ("subset", "ids", "category")}
    chosen["limit"] = limit
    return {name: value for name, value in chosen.items() if value}


def _resources(summaries: Iterable[Any]) -> dict[str, Any]:
    names = ("backend", "image", "root", "cgroup", "memory_mb", "cpus", "processes", "disk_mb")
    for summary in summaries:
        facts = (summary.metadata or {}).get("sandbox")
        if isinstance(facts, dict):
            return {name: facts[name] for name in names if name in facts}
    return {}


def _judge(header: Any) -> str:
    roles = header.eval.model_roles or {}
    grader = roles.get("grader")
    return str(getattr(grader, "model", grader) or "")


def _between(start: str, end: str) -> float | None:
    from datetime import datetime

    try:
        return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except ValueError:
        return None


def _spend(tasks: Iterable[list[Trial]]) -> Literal["none", "priced", "unpriced"]:
    trials = [trial for found in tasks for trial in found]
    if not any(trial.input_tokens or trial.output_tokens for trial in trials):
        return "none"
    return "priced" if all(trial.cost is not None for trial in trials) else "unpriced"
