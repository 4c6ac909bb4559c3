"""What the page of a trial shows, taken from a log once, when the run is added: `trials.zip`.

One member per task, JSON: the request, and per epoch every check with its findings, the rubric
verdicts with quotes, the difference of the workspace, and the transcript. Everything is bounded,
so that a page opens at once and the board's build never reads transcripts.
"""

import hashlib
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clawgym_bench.board.workspace_diff import workspace_diff
from clawgym_bench.errors import InputError
from clawgym_bench.evidence import unpacked_files
from clawgym_bench.scorer import EVIDENCE_KEY
from clawgym_bench.task import Task
from clawgym_bench.taskset import TaskSet

TRIALS = "trials.zip"
STAMP = (1980, 1, 1, 0, 0, 0)
MESSAGES = 120
TEXT = 4_000
ARGUMENT = 2_000
REQUEST = 20_000
FINDINGS = 20
QUOTES = 8
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


def file_name(name: str) -> str:
    """`name` where it can be a file's name, else a digest: run and task ids are strangers' data."""
    if SAFE_NAME.fullmatch(name):
        return name
    return hashlib.sha256(name.encode()).hexdigest()[:24]


def write_trials(log: Path, target: Path, known: TaskSet | None) -> None:
    """Writes `trials.zip` of a log: equal bytes for an equal log. Its comment names the log.

    `known`: the tasks, for requests, criteria and the inputs that files are compared with; a task
    of another content is not used.
    """
    tasks: dict[str, list[dict[str, Any]]] = defaultdict(list)
    heads: dict[str, dict[str, Any]] = {}
    for sample in _samples(log):
        task = _task_of(sample, known)
        heads.setdefault(str(sample.id), _head(sample, task))
        tasks[str(sample.id)].append(_trial(sample, task))
    with zipfile.ZipFile(target, "w") as out:
        out.comment = log_digest(log).encode()
        for name, trials in sorted(tasks.items()):
            trials.sort(key=lambda trial: trial["epoch"])
            info = zipfile.ZipInfo(f"{file_name(name)}.json", STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            body = json.dumps(heads[name] | {"trials": trials}, ensure_ascii=False)
            out.writestr(info, body.encode("utf-8", errors="replace"), compresslevel=9)


def log_digest(log: Path) -> str:
    """SHA-256 of a log."""
    with log.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def belongs(trials: Path, log: Path) -> bool:
    """Whether `trials` says that it was made from this very log."""
    try:
        with zipfile.ZipFile(trials) as archive:
            return archive.comment.decode() == log_digest(log)
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def _samples(log: Path) -> Iterator[Any]:
    from inspect_ai.log import read_eval_log_sample, read_eval_log_sample_summaries
    from inspect_ai.log import resolve_sample_attachments as resolved

    try:
        for summary in read_eval_log_sample_summaries(str(log)):
            sample = read_eval_log_sample(
                str(log), summary.id, summary.epoch, exclude_fields={"events", "events_data"}
            )
            yield resolved(sample, "full")
    except Exception as error:
        raise InputError(f"{log}: its samples cannot be read: {error}") from error


def _task_of(sample: Any, known: TaskSet | None) -> Task | None:
    task = known.get(str(sample.id)) if known is not None else None
    if task is None or sample.metadata.get("hash") != task.content_hash:
        return None
    return task


def _head(sample: Any, task: Task | None) -> dict[str, Any]:
    if task is None:
        requests = [sample.input if isinstance(sample.input, str) else ""]
        return {"task": str(sample.id), "requests": [requests[0][:REQUEST]], "criteria": {}}
    return {
        "task": task.id,
        "requests": [task.request(number)[:REQUEST] for number in range(1, len(task.sessions) + 1)],
        "criteria": {
            item.id: {"text": item.criterion, "levels": {str(k): v for k, v in item.levels.items()}}
            for item in task.rubric
        },
    }


def _trial(sample: Any, task: Task | None) -> dict[str, Any]:
    score = next(iter((sample.scores or {}).values()), None)
    meta = (score.metadata or {}) if score is not None else {}
    record = (sample.store or {}).get(EVIDENCE_KEY)
    starts = (sample.store or {}).get("Conversations:starts") or []
    return {
        "epoch": sample.epoch,
        "explanation": _cut(getattr(score, "explanation", "") or "", TEXT) if score else "",
        "error": _cut(sample.error.message, 500) if sample.error else "",
        "limit": sample.limit.type if sample.limit else "",
        "checks": [_check(item) for item in _list(meta.get("checks"))],
        "rubric": [_verdict(item) for item in _list(meta.get("rubric"))],
        "rubric_status": str(meta.get("rubric_status", ""))[:40],
        "files": _files(record if isinstance(record, dict) else {}, task),
        "transcript": _transcript(sample.messages, starts),
        "messages": len(sample.messages),
    }


def _list(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _check(item: Mapping[str, Any]) -> dict[str, Any]:
    findings = _list(item.get("findings"))
    # What went wrong comes first: it is what somebody looks for.
    ordered = sorted(findings, key=lambda finding: bool(finding.get("ok")))
    return {
        "id": str(item.get("id", ""))[:100],
        "kind": str(item.get("kind", ""))[:40],
        "passed": bool(item.get("passed")),
        "score": item.get("score"),
        "weight": item.get("weight"),
        "gate": bool(item.get("gate")),
        "findings": [
            [bool(finding.get("ok")), str(finding.get("reason", ""))[:500]]
            for finding in ordered[:FINDINGS]
        ],
        "more": max(0, len(findings) - FINDINGS),
    }


def _verdict(item: Mapping[str, Any]) -> dict[str, Any]:
    quotes = item.get("quotes")
    return {
        "criterion": str(item.get("criterion", ""))[:100],
        "level": item.get("level"),
        "reason": _cut(str(item.get("reason", "")), 1_000),
        "quotes": [
            _cut(str(quote), 500) for quote in (quotes if isinstance(quotes, list) else [])[:QUOTES]
        ],
    }


def _files(record: Mapping[str, Any], task: Task | None) -> dict[str, Any]:
    try:
        now = unpacked_files(str(record["files"])) if record.get("files") else {}
    except Exception:  # damaged: a stranger's data
        return {"changes": [], "note": "the stored files cannot be read"}
    removed = [str(path) for path in record.get("removed") or []]
    diff = workspace_diff(task.inputs if task else None, now, removed)
    notes = [f"{diff.left_out} more files changed"] if diff.left_out else []
    if record.get("left_out"):
        notes.append("too large to be stored: " + ", ".join(map(str, record["left_out"][:5])))
    refused = record.get("refused")
    return {
        "changes": [change.plain() for change in diff.changes],
        "refused": {
            str(path)[:300]: str(why)[:200]
            for path, why in list((refused if isinstance(refused, dict) else {}).items())[:20]
        },
        "note": "; ".join(notes),
    }


def _transcript(messages: list[Any], starts: list[int]) -> list[dict[str, Any]]:
    shown = []
    numbered = list(enumerate(messages))
    if len(numbered) > MESSAGES:
        half = MESSAGES // 2
        numbered = numbered[:half] + numbered[-half:]
    before = -1
    for number, message in numbered:
        entry: dict[str, Any] = {"role": message.role, "text": _cut(message.text, TEXT)}
        if number > before + 1:
            entry["skipped"] = number - before - 1
        if number in starts and len(starts) > 1:
            entry["session"] = starts.index(number) + 1
        calls = getattr(message, "tool_calls", None)
        if calls:
            entry["calls"] = [
                {
                    "tool": call.function[:100],
                    "arguments": {
                        str(key)[:60]: _cut(_plain(value), ARGUMENT)
                        for key, value in list(call.arguments.items())[:20]
                    },
                }
                for call in calls[:20]
            ]
        if message.role == "tool":
            entry["tool"] = str(message.function or "")[:100]
            if message.error is not None:
                entry["error"] = _cut(message.error.message, 500)
        shown.append(entry)
        before = number
    return shown


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … [{len(text) - most:,} more characters]"
