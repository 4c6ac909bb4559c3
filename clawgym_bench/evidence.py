"""Keeps with the log what a sample can be graded from again: the changed files, messages, calls.

The record holds the difference between the workspace as given and as left, compressed. What is
over the limit is left out, largest first, and named: such a sample cannot be graded again.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from clawgym_bench.checks import Evidence, ToolCall
from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.task import Task

STORED_BYTES = 8 * 2**20
"""Of the compressed record. A log of 200 samples stays well below two gigabytes at the worst."""
UNPACKED_BYTES = 512 * 2**20


@dataclass(frozen=True)
class Record:
    """`files` is the packed difference; the rest is plain JSON."""

    files: str
    removed: Sequence[str]
    refused: Mapping[str, str]
    cut: str
    left_out: Sequence[str]
    messages: Sequence[str]
    calls: Sequence[Mapping[str, Any]] = field(default_factory=list)


def pack(task: Task, evidence: Evidence) -> dict[str, Any]:
    """The record of a sample as JSON-ready data; `unpack` gives back equal evidence."""
    given = task.inputs
    now = evidence.snapshot.files
    changed = {path: body for path, body in now.items() if given.get(path) != body}
    left_out: list[str] = []
    packed = _pack_files(changed)
    while len(packed) > STORED_BYTES and changed:
        largest = max(changed, key=lambda path: len(changed[path]))
        left_out.append(largest)
        del changed[largest]
        packed = _pack_files(changed)
    record = Record(
        files=packed,
        removed=sorted(set(given) - set(now)),
        refused=dict(evidence.snapshot.refused),
        cut=evidence.snapshot.cut,
        left_out=left_out,
        messages=list(evidence.messages),
        calls=[_plain(call) for call in evidence.calls],
    )
    return asdict(record)


def unpack(task: Task, data: Mapping[str, Any]) -> Evidence:
    """Evidence from a record; raises `InputError` when it is cut, damaged or not ours."""
    try:
        record = Record(**data)
        changed = unpacked_files(record.files)
    except (TypeError, ValueError, zlib.error) as error:
        raise InputError(f"{task.id}: the stored files cannot be read: {error}") from error
    if record.left_out:
        raise InputError(
            f"{task.id}: cannot be graded again, these files were too large to be stored: "
            + ", ".join(record.left_out)
        )
    removed = set(record.removed)
    files = {path: body for path, body in task.inputs.items() if path not in removed}
    files |= changed
    folders = {"/".join(p.split("/")[:n]) for p in files for n in range(1, p.count("/") + 1)}
    snapshot = Snapshot(files, frozenset(folders), record.refused, record.cut)
    calls = [ToolCall(**call) for call in record.calls]
    return evidence_of(task, snapshot, record.messages, calls)


def evidence_of(
    task: Task, snapshot: Snapshot, messages: Sequence[str], calls: Sequence[ToolCall]
) -> Evidence:
    """What the checks of `task` look at."""
    return Evidence(
        snapshot=snapshot,
        inputs=task.inputs,
        hidden=task.hidden,
        messages=tuple(messages),
        calls=tuple(calls),
        workspace=task.workspace_path,
    )


def _plain(call: ToolCall) -> dict[str, Any]:
    return {
        "session": call.session,
        "tool": call.tool,
        "arguments": dict(call.arguments),
        "error": call.error,
    }


def _pack_files(files: Mapping[str, bytes]) -> str:
    plain = {path: base64.b64encode(body).decode() for path, body in files.items()}
    return base64.b64encode(zlib.compress(json.dumps(plain).encode(), 6)).decode()


def unpacked_files(packed: str) -> dict[str, bytes]:
    """The changed files of a record; raises `ValueError` or `zlib.error`."""
    inflate = zlib.decompressobj()
    raw = inflate.decompress(base64.b64decode(packed), UNPACKED_BYTES)
    if inflate.unconsumed_tail:
        raise ValueError(f"they unpack to more than {UNPACKED_BYTES} bytes")
    plain = json.loads(raw)
    return {str(path): base64.b64decode(body) for path, body in plain.items()}
