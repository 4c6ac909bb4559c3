"""Stage *export*: shards and the journal, append-only, so that a kill loses nothing.

    DIR/train/train-00000.jsonl.gz   tasks in the order of their attempts; also validation/, test/
    DIR/journal.json.lines           settings, then one line per attempt that was decided
    DIR/manifest.json                the set's figures, written when a run ends

A task's line is appended to its shard first and its decision to the journal then. What stands in a
shard beyond the journal's last word about it, and a line of the journal without its end, are what a
kill has cut short: a resumed run removes both and does that attempt again.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from clawgym_bench.errors import InputError
from clawgym_data.pipeline.decision import Decision

JOURNAL = "journal.json.lines"
MANIFEST = "manifest.json"
SPLITS = ("train", "validation", "test")


class Store:
    """The output folder of one run. Use `begin` or `resume` first, and `close` at the end."""

    def __init__(self, folder: Path, shard_tasks: int) -> None:
        self.folder = folder
        self._shard_tasks = shard_tasks
        self._journal: BinaryIO | None = None
        self._open: dict[str, BinaryIO] = {}
        self._shards: dict[str, list[tuple[int, int]]] = {split: [] for split in SPLITS}
        """Per split and shard: tasks and bytes."""

    def begin(self, head: dict[str, Any]) -> None:
        """A new set; raises `InputError` when something is there already."""
        if self.folder.exists() and any(self.folder.iterdir()):
            raise InputError(
                f"--out {self.folder}: is not empty; choose another folder, "
                "or continue the run there with --resume"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._journal = (self.folder / JOURNAL).open("ab", buffering=0)
        self._journal.write(_json(head))

    def resume(self, head: dict[str, Any]) -> Iterator[Decision]:
        """Everything decided so far, in order; a new set when there is nothing yet.

        Exhaust it before anything is added. Raises `InputError` when the folder holds another run.
        """
        path = self.folder / JOURNAL
        if not _begun(path):
            path.unlink(missing_ok=True)
            self.begin(head)
            return
        with path.open("rb") as lines:
            first = lines.readline()
            self._same(first, head)
            kept = len(first)
            for number, line in enumerate(lines):
                decision = self._sound(line, number)
                if decision is None:
                    break
                kept += len(line)
                if decision.state == "accepted":
                    self._account(decision)
                yield decision
        os.truncate(path, kept)
        self._trim()
        self._journal = path.open("ab", buffering=0)

    def _same(self, line: bytes, head: dict[str, Any]) -> None:
        try:
            there = json.loads(line)
        except ValueError:
            there = {}
        wanted = json.loads(_json(head))
        for part in sorted({*there, *wanted}):
            if there.get(part) != wanted.get(part):
                raise InputError(
                    f"--resume: {self.folder} was begun with other settings: {part} was "
                    f"{_differing(there.get(part), wanted.get(part))}; "
                    "use the same ones, or another --out"
                )

    def _sound(self, line: bytes, number: int) -> Decision | None:
        """The decision of a line, unless it was cut short or its task is not in its shard."""
        if not line.endswith(b"\n"):
            return None
        try:
            decision = Decision.model_validate_json(line)
        except ValidationError:
            return None
        if decision.number != number:
            return None
        if decision.state == "accepted":
            shard = self.folder / decision.shard
            if not shard.exists() or shard.stat().st_size < decision.end:
                return None
        return decision

    def _account(self, decision: Decision) -> None:
        shards = self._shards[decision.split]
        if not shards or decision.shard != self._name(decision.split, len(shards) - 1):
            shards.append((0, 0))
        shards[-1] = (shards[-1][0] + 1, decision.end)

    def _trim(self) -> None:
        for split in SPLITS:
            ends = {
                self.folder / self._name(split, number): end
                for number, (_, end) in enumerate(self._shards[split])
            }
            for path in sorted((self.folder / split).glob("*")):
                if path in ends:
                    os.truncate(path, ends[path])
                else:
                    path.unlink()

    @staticmethod
    def _name(split: str, number: int) -> str:
        return f"{split}/{split}-{number:05}.jsonl.gz"

    def add(self, split: str, blob: bytes) -> tuple[str, int]:
        """Appends a task; gives its shard and where it ends there."""
        shards = self._shards[split]
        if not shards or shards[-1][0] >= self._shard_tasks:
            shards.append((0, 0))
            if split in self._open:
                self._open.pop(split).close()
        name = self._name(split, len(shards) - 1)
        if split not in self._open:
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            self._open[split] = path.open("ab", buffering=0)
        self._open[split].write(blob)
        tasks, end = shards[-1]
        shards[-1] = (tasks + 1, end + len(blob))
        return name, shards[-1][1]

    def note(self, decision: Decision) -> None:
        assert self._journal is not None
        self._journal.write(decision.line().encode() + b"\n")

    def shards(self) -> dict[str, list[dict[str, Any]]]:
        """Files with their tasks and bytes, by split."""
        return {
            split: [
                {"file": self._name(split, number), "tasks": tasks, "bytes": size}
                for number, (tasks, size) in enumerate(found)
            ]
            for split, found in self._shards.items()
        }

    def finish(self, manifest: dict[str, Any]) -> None:
        """Writes the manifest whole or not at all."""
        part = self.folder / f".{MANIFEST}.part"
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(self.folder / MANIFEST)

    def close(self) -> None:
        for file in [*self._open.values(), *([self._journal] if self._journal else [])]:
            os.fsync(file.fileno())
            file.close()
        self._open, self._journal = {}, None


def read_journal(folder: Path) -> Iterator[Decision]:
    """The decisions of a run, also of one that goes on."""
    path = folder / JOURNAL
    if not path.exists():
        raise InputError(f"{folder}: no {JOURNAL} there; give the --out folder of `synth`")
    with path.open("rb") as lines:
        next(lines, b"")
        for line in lines:
            try:
                yield Decision.model_validate_json(line)
            except ValidationError:
                return


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        assert isinstance(found, dict)
        return found
    except (OSError, ValueError, AssertionError) as error:
        raise InputError(f"{path}: cannot be read; run `clawgym-data synth --resume`") from error


def _begun(path: Path) -> bool:
    """Whether the settings stand there in full."""
    if not path.exists():
        return False
    with path.open("rb") as lines:
        return lines.readline().endswith(b"\n")


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _differing(before: Any, now: Any) -> str:
    if isinstance(before, dict) and isinstance(now, dict):
        parts = [
            f"{key} {before.get(key)!r}, now {now.get(key)!r}"
            for key in sorted({*before, *now})
            if before.get(key) != now.get(key)
        ]
        return "; ".join(parts)
    return f"{before!r}, now {now!r}"
