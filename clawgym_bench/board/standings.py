"""What the pages of the board show, as plain data: `standings(runs)`.

Rows are ranked within one task set. The current set is the shipped one where there are runs of
it, else the one with the newest run; rows of other sets are legacy: kept, and not ranked. Oracle
and agents that do no work are reference lines and have no rank either.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clawgym_bench.board.intervals import (
    Floats,
    Interval,
    intervals,
    pairwise,
    pass_hat_k,
    ranks,
    rounded,
)
from clawgym_bench.board.result import RunResult, TaskResult
from clawgym_bench.board.trials import file_name

MODEL_NAME = 120
PAIRED_RUNS = 400
"""Newest runs of a set that are compared with each other: the matrix grows with the square."""


@dataclass(frozen=True)
class Entry:
    """A run of the board: its folder's name and its result."""

    folder: str
    result: RunResult


def standings(entries: Sequence[Entry], shipped_hash: str = "") -> dict[str, Any]:
    """The data behind `data/board.js`: task sets with their tasks and pairs, and runs.

    Scores per task are whole thousandths, -1 where there is none, to keep the page small.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.result.created, entry.folder)):
        groups.setdefault(entry.result.task_set_hash, []).append(entry)
    newest = {key: max(entry.result.created for entry in found) for key, found in groups.items()}
    whole = [
        key for key, found in groups.items() if any(not entry.result.subset for entry in found)
    ]
    order = sorted(groups, key=lambda key: (key == shipped_hash, key in whole, newest[key]))
    sets, runs = [], []
    for number, key in enumerate(reversed(order)):
        shown, rows = _set(groups[key], number)
        sets.append(shown)
        runs += rows
    return {
        "schema": 1,
        "updated": max(newest.values(), default=""),
        "sets": sets,
        "runs": sorted(runs, key=lambda run: (run["set"], -(run["score"] or [-1])[0], run["id"])),
    }


def _set(entries: Sequence[Entry], number: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    tasks = _tasks(entries)
    families = [task.family for task in tasks.values()]
    place = {name: index for index, name in enumerate(tasks)}
    scores, successes = _matrix(entries, place, "score"), _matrix(entries, place, "success")
    found, strict = intervals(scores, families), intervals(successes, families)
    models = [n for n, entry in enumerate(entries) if entry.result.kind == "model"]
    whole = [n for n in models if not entries[n].result.subset]
    placed = dict(zip(whole, ranks([found[n] for n in whole]), strict=True))
    rows = [
        _row(entry, number, scores[:, n], found[n], strict[n], placed.get(n), place)
        for n, entry in enumerate(entries)
    ]
    compared = list(range(len(entries)))[-PAIRED_RUNS:]
    pairs = pairwise(scores[:, compared], families)
    first = entries[-1].result
    return {
        "hash": first.task_set_hash,
        "version": first.task_set_version,
        "name": first.task_set,
        "part": all(entry.result.subset for entry in entries),
        "tasks": [_task(task) for task in tasks.values()],
        "pairs": {
            "runs": [rows[n]["id"] for n in compared],
            # The lower triangle, row by row; differences in thousandths.
            "difference": [
                round(pairs.difference[row, column] * 1000)
                for row in range(len(compared))
                for column in range(row)
            ],
            "marks": [
                int(pairs.marks[row, column])
                for row in range(len(compared))
                for column in range(row)
            ],
        },
    }, rows


def _tasks(entries: Sequence[Entry]) -> dict[str, TaskResult]:
    found: dict[str, TaskResult] = {}
    for entry in entries:
        for task in entry.result.tasks:
            found.setdefault(task.id, task)
    return dict(sorted(found.items(), key=lambda item: (item[1].category, item[0])))


def _task(task: TaskResult) -> dict[str, Any]:
    return {
        "id": task.id,
        "file": file_name(task.id),
        "title": task.title or task.id,
        "hash": task.hash,
        "category": task.category,
        "family": task.family,
        "difficulty": task.difficulty,
        "operations": task.operations,
        "sessions": task.sessions,
        "hybrid": task.hybrid,
    }


def _matrix(entries: Sequence[Entry], place: Mapping[str, int], field: str) -> Floats:
    values = np.full((len(place), len(entries)), np.nan)
    for column, entry in enumerate(entries):
        for task in entry.result.tasks:
            value = getattr(task, field)
            if value is not None:
                values[place[task.id], column] = value
    return values


def _row(
    entry: Entry,
    number: int,
    scores: Floats,
    score: Interval | None,
    strict: Interval | None,
    rank: int | None,
    place: Mapping[str, int],
) -> dict[str, Any]:
    run = entry.result
    trials = [trial for task in run.tasks for trial in task.trials]
    noise, success = [-1] * len(place), [-1] * len(place)
    for task in run.tasks:
        noise[place[task.id]] = _noise(task)
        if task.success is not None:
            success[place[task.id]] = round(task.success * 1000)
    return {
        "id": entry.folder,
        "set": number,
        "kind": run.kind,
        "rank": rank,
        "model": (run.agent if run.kind != "model" else run.model)[:MODEL_NAME],
        "agent": run.agent[:MODEL_NAME],
        "agentVersion": run.agent_version[:40],
        "date": run.created[:10],
        "verified": run.verified,
        "open": run.open_weights,
        "part": bool(run.subset),
        "epochs": run.epochs,
        "unscored": run.unscored,
        "trials": run.trials,
        "score": _bounds(score),
        "success": _bounds(strict),
        "passes": [rounded(pass_hat_k(run.tasks, k)) for k in range(1, min(run.epochs, 16) + 1)],
        "tokensIn": sum(trial.input_tokens for trial in trials),
        "tokensOut": sum(trial.output_tokens for trial in trials),
        "tokensCached": sum(trial.cached_tokens for trial in trials),
        "spend": run.spend,
        "cost": cost_of(run),
        "minutes": None if run.seconds is None else round(run.seconds / 60, 2),
        "scores": [-1 if math.isnan(value) else round(float(value) * 1000) for value in scores],
        "noise": noise,
        "successes": success,
    }


def cost_of(run: RunResult) -> float | None:
    """In USD; None where a price is missing or nothing was spent."""
    if run.spend != "priced":
        return None
    return round(sum(trial.cost or 0.0 for task in run.tasks for trial in task.trials), 4)


def _noise(task: TaskResult) -> int:
    """Standard deviation between the epochs of a task, in thousandths; -1: fewer than two."""
    scores = [trial.score for trial in task.scored if trial.score is not None]
    if len(scores) < 2:
        return -1
    middle = sum(scores) / len(scores)
    return round(math.sqrt(sum((s - middle) ** 2 for s in scores) / (len(scores) - 1)) * 1000)


def _bounds(interval: Interval | None) -> list[float | None] | None:
    if interval is None:
        return None
    return [rounded(interval.mean), rounded(interval.lower), rounded(interval.upper)]


def run_page(entry: Entry) -> dict[str, Any]:
    """What the page of a run shows beyond its row: how it was made, and every trial.

    A trial is [epoch, score, checks, rubric, success, seconds, tokens in, out, cached, cost,
    reason].
    """
    run = entry.result
    facts = run.model_dump(mode="json", exclude={"tasks", "schema_version"})
    facts["cost"] = cost_of(run)
    return {
        "id": entry.folder,
        "facts": facts,
        "tasks": {
            task.id: [
                [
                    trial.epoch,
                    rounded(trial.score),
                    rounded(trial.checks),
                    rounded(trial.rubric),
                    trial.success,
                    rounded(trial.seconds, 1),
                    trial.input_tokens,
                    trial.output_tokens,
                    trial.cached_tokens,
                    rounded(trial.cost, 6),
                    trial.reason,
                ]
                for trial in task.trials
            ]
            for task in run.tasks
        },
    }
