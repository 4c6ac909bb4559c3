"""Logs read by sample: a summary at a time first, then single samples by name.

A log is never in memory as a whole, so its size does not matter. Logs in the old `.json` form can
only be read whole; `inspect log convert` makes `.eval` logs of them.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import fsspec
import inspect_ai._util.zipfile  # noqa: F401  (teaches zipfile zstandard)
from inspect_ai._util.async_zip import AsyncZipReader
from inspect_ai._util.asyncfiles import AsyncFilesystem
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_async,
    read_eval_log_sample_summaries,
)

from clawgym_bench.errors import InputError

SUMMARIES = "summaries.json"
JOURNAL = "_journal/summaries/"
OPEN_AT_MOST = 8
CHUNK = 1 << 18
"""Characters."""


@dataclass(frozen=True)
class Entry:
    """One sample of a log as its summary tells. `log` is an index into the logs' names."""

    log: int
    id: str | int
    epoch: int
    sample: str
    task_hash: str
    family: str
    error: bool
    score: float | None
    success: bool | None
    messages: int


def find_logs(places: Sequence[str]) -> list[str]:
    """Log files, and those of folders, in the order of their names. Raises `InputError`."""
    found: list[str] = []
    for place in places:
        if place.endswith((".eval", ".json")):
            found.append(place)
            continue
        try:
            logs = list_eval_logs(place, descending=False)
        except (OSError, ValueError) as error:
            raise InputError(f"{place}: cannot be listed: {error}") from error
        if not logs:
            raise InputError(f"{place}: holds no log; name .eval files or folders of them")
        found += sorted(_local(log.name) for log in logs)
    return list(dict.fromkeys(found))


def _local(name: str) -> str:
    return name.removeprefix("file://")


def read_header(log: str) -> EvalLog:
    try:
        return read_eval_log(log, header_only=True)
    except Exception as error:
        raise InputError(f"{log}: is no log that Inspect can read: {_said(error)}") from error


def entries(log: str, number: int) -> Iterator[Entry]:
    """The samples of a log, one after the other."""
    try:
        for summary in _summaries(log):
            yield _entry(summary, number)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{log}: its summaries cannot be read: {_said(error)}") from error


def _summaries(log: str) -> Iterator[Mapping[str, Any]]:
    if not log.endswith(".eval"):
        for summary in read_eval_log_sample_summaries(log):
            yield summary.model_dump()
        return
    with fsspec.open(log, "rb") as file, zipfile.ZipFile(file) as archive:
        names = set(archive.namelist())
        if SUMMARIES in names:
            with archive.open(SUMMARIES) as member:
                yield from array_items(member)
            return
        for name in sorted(names):
            if name.startswith(JOURNAL):
                with archive.open(name) as member:
                    yield from array_items(member)


def array_items(file: IO[bytes]) -> Iterator[Any]:
    """The items of one JSON array, each decoded when it is asked for.

    Python's own decoder: logs hold NaN, which streaming parsers refuse. Raises `ValueError`.
    """
    decoder = json.JSONDecoder()
    text = io.TextIOWrapper(file, encoding="utf-8")
    buffer = text.read(CHUNK).lstrip()
    if not buffer.startswith("["):
        raise ValueError("is no JSON array")
    place = 1
    while True:
        while place < len(buffer) and buffer[place] in " \t\r\n,":
            place += 1
        if buffer[place : place + 1] == "]":
            return
        try:
            item, end = decoder.raw_decode(buffer, place)
        except ValueError:
            end = len(buffer)
        if end == len(buffer):
            left = buffer[place:]
            more = text.read(max(CHUNK, len(left)))
            if not more:
                raise ValueError("ends within a JSON array")
            buffer, place = left + more, 0
            continue
        yield item
        place = end


def _entry(summary: Mapping[str, Any], log: int) -> Entry:
    metadata = summary.get("metadata") or {}
    score, success = score_in(summary.get("scores") or {})
    return Entry(
        log=log,
        id=summary["id"],
        epoch=int(summary.get("epoch") or 1),
        sample=str(summary.get("uuid") or f"{summary['id']}_{summary.get('epoch')}"),
        task_hash=str(metadata.get("hash") or ""),
        family=str(metadata.get("family") or summary["id"]),
        error=bool(summary.get("error")),
        score=score,
        success=success,
        messages=int(summary.get("message_count") or 0),
    )


def score_in(scores: Mapping[str, Any]) -> tuple[float | None, bool | None]:
    """Score and strict success by ClawGym's scorer; by the first one of another benchmark."""
    found = scores.get("hybrid") or next(iter(scores.values()), None)
    if not isinstance(found, Mapping):
        return None, None
    value = found.get("value")
    if isinstance(value, Mapping):
        success = _number(value.get("success"))
        return _number(value.get("score")), None if success is None else success == 1
    number = {"C": 1.0, "P": 0.5, "I": 0.0}.get(value) if isinstance(value, str) else _number(value)
    return number, None if number is None else number == 1


def _number(value: Any) -> float | None:
    """None for whatever is no number, NaN included: unscored."""
    if isinstance(value, bool | int | float) and value == value:
        return float(value)
    return None


class Samples:
    """Reads samples by name; keeps the tables of contents of the last few logs."""

    def __init__(self, logs: Sequence[str]) -> None:
        self._logs = logs
        self._filesystem = AsyncFilesystem()
        self._readers: dict[int, AsyncZipReader] = {}

    async def __aenter__(self) -> "Samples":
        await self._filesystem.__aenter__()
        return self

    async def __aexit__(self, *why: Any) -> None:
        await self._filesystem.__aexit__(*why)

    async def read(self, entry: Entry) -> EvalSample:
        """The sample with everything in it. Raises `InputError`."""
        log = self._logs[entry.log]
        reader = None
        if log.endswith(".eval"):
            reader = self._readers.pop(entry.log, None) or AsyncZipReader(self._filesystem, log)
            self._readers[entry.log] = reader
            while len(self._readers) > OPEN_AT_MOST:
                del self._readers[next(iter(self._readers))]
        try:
            return await read_eval_log_sample_async(
                log, entry.id, entry.epoch, resolve_attachments="full", reader=reader
            )
        except Exception as error:
            where = f"{log}: sample {entry.id}, epoch {entry.epoch}"
            raise InputError(f"{where}: cannot be read: {_said(error)}") from error


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
