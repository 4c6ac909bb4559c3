"""Reads a log that a stranger made: every number bounded, nothing taken at its word.

An `.eval` log is a zip archive of JSON. Its members are read here one by one, within limits, and
written anew, so that what Inspect reads later has the names and sizes that were checked.
"""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from clawgym_bench.errors import InputError

MEMBER = re.compile(
    r"header\.json|summaries\.json|reductions\.json|_journal/start\.json"
    r"|_journal/summaries/\d{1,9}\.json|samples/[A-Za-z0-9][A-Za-z0-9._-]{0,119}_epoch_\d{1,6}\.json"
)
NEEDED = ("header.json", "summaries.json")
STEP = 4096
"""Bytes asked for at a time: what they were packed into may unpack to many more."""
STAMP = (1980, 1, 1, 0, 0, 0)

Change = Callable[[str, Any], Any]
"""From a member's name and data to the data to keep; None drops it."""


@dataclass(frozen=True)
class LogLimits:
    """What is read at most. Bytes, unless it says otherwise."""

    archive: int = 256 * 2**20
    members: int = 20_000
    member: int = 64 * 2**20
    total: int = 2 * 2**30
    attachments: int = 256 * 2**20
    """Of one sample, each counted as often as it is referred to."""


LIMITS = LogLimits()


def read_members(log: Path, limits: LogLimits = LIMITS) -> Iterator[tuple[str, Any]]:
    """Name and JSON data of every member. Raises `InputError` for whatever is not an `.eval` log
    within the limits."""
    import inspect_ai._util.zipfile  # noqa: F401  (teaches zipfile zstandard)

    if not log.is_file() or log.is_symlink():
        raise InputError(f"{log}: is not a file")
    if log.stat().st_size > limits.archive:
        raise InputError(f"{log}: is larger than {limits.archive:,} bytes")
    left = limits.total
    try:
        with zipfile.ZipFile(log) as archive:
            for info in checked_members(archive, log, limits):
                raw = read_bounded(archive.open(info), min(limits.member, left), log, info.filename)
                left -= len(raw)
                yield info.filename, parsed(raw, log, info.filename, limits)
    except InputError:
        raise
    except Exception as error:  # zipfile and zstandard raise many kinds for damaged archives
        raise InputError(f"{log}: is not an Inspect log (.eval): {error}") from error


def checked_members(
    archive: zipfile.ZipFile, log: Path, limits: LogLimits
) -> list[zipfile.ZipInfo]:
    found = archive.infolist()
    if len(found) > limits.members:
        raise InputError(f"{log}: holds more than {limits.members:,} members")
    names = [info.filename for info in found]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{log}: holds {twice} twice")
    for info in found:
        if not MEMBER.fullmatch(info.filename):
            raise InputError(f"{log}: {info.filename!r} does not belong into a log")
        if info.flag_bits & 1:
            raise InputError(f"{log}: {info.filename} is encrypted")
        if info.file_size > limits.member:
            raise too_large(log, info.filename, limits.member)
    if sum(info.file_size for info in found) > limits.total:
        raise InputError(f"{log}: unpacks to more than {limits.total:,} bytes")
    for name in NEEDED:
        if name not in names:
            raise InputError(f"{log}: has no {name}; a run that did not end cannot be submitted")
    return found


def read_bounded(stream: IO[bytes], most: int, log: Path, name: str) -> bytes:
    parts, size = [], 0
    with stream:
        while part := stream.read(STEP):
            size += len(part)
            if size > most:
                raise too_large(log, name, most)
            parts.append(part)
    return b"".join(parts)


def too_large(log: Path, name: str, most: int) -> InputError:
    return InputError(f"{log}: {name} unpacks to more than {most:,} bytes")


def parsed(raw: bytes, log: Path, name: str, limits: LogLimits) -> Any:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{log}: {name} is not JSON: {error}") from error
    if name.startswith("samples/"):
        if not isinstance(data, dict):
            raise InputError(f"{log}: {name} is not a sample")
        attachments = data.get("attachments") or {}
        sizes = [len(str(body)) for body in attachments.values()] or [0]
        if raw.count(b"attachment://") * max(sizes) > limits.attachments:
            raise InputError(f"{log}: {name} refers to its attachments too often")
    return data


def write_anew(log: Path, target: Path, change: Change, limits: LogLimits = LIMITS) -> None:
    """Writes the log again with what `change` makes of every member; raises `InputError`."""
    import inspect_ai._util.zipfile  # noqa: F401

    packed = getattr(zipfile, "ZIP_ZSTANDARD", zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(target, "w") as out:
        for name, data in read_members(log, limits):
            kept = change(name, data)
            if kept is not None:
                text = json.dumps(kept, ensure_ascii=True)
                info = zipfile.ZipInfo(name, STAMP)
                info.compress_type = packed
                out.writestr(info, text)


def trimmed(name: str, data: Any) -> Any:
    """A member without what nobody needs to see or to verify: tracebacks with paths of a machine,
    raw requests to a provider, where the code was cloned from."""
    if name.startswith("_journal/"):
        return None
    if name == "header.json":
        data.get("eval", {}).update(revision=None)
        without_tracebacks(data.get("error"))
    elif name.startswith("samples/"):
        for error in [data.get("error"), *(data.get("error_retries") or [])]:
            without_tracebacks(error)
        for event in data.get("events") or []:
            if isinstance(event, dict):
                if event.get("event") == "model":
                    event["call"] = None
                if event.get("event") == "error":
                    without_tracebacks(event.get("error"))
    return data


def without_tracebacks(error: Any) -> None:
    if isinstance(error, dict):
        error.update(traceback="", traceback_ansi="")


def lean(name: str, data: Any) -> Any:
    """A member with what verification looks at; the events of samples are not."""
    if name.startswith("_journal/"):
        return None
    if name.startswith("samples/"):
        data.update(events=[], events_data=None, timelines=None)
    return data
