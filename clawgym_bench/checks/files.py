"""Which files are there: some, none, exactly these, unchanged copies."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import regex
from pydantic import Field, field_validator, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, file_content
from clawgym_bench.checks.globs import SCAFFOLD, glob, is_glob, matches
from clawgym_bench.errors import TaskFault


def _clean(path: str, *, what: str, globs: bool = False) -> str:
    """A relative path in its one form; raises `ValueError`."""
    trimmed = path.strip().removeprefix("./")
    parts = trimmed.removesuffix("/").split("/")
    if not trimmed or trimmed.startswith("/") or ".." in parts or "" in parts or "\\" in trimmed:
        raise ValueError(f"{what}: {path!r} is not a relative path inside the workspace")
    if is_glob(trimmed):
        if not globs:
            raise ValueError(f"{what}: {path!r} is a pattern; name a file here")
        try:
            glob(trimmed)
        except regex.error as error:
            raise ValueError(f"{what}: {path!r} is not a usable pattern ({error})") from None
    return trimmed


class FilesCheck(CheckBody):
    """The set of files in the workspace. Folders exist through their files.

    `exists`, `absent`: paths or patterns (* within a folder, ** across); with a slash at the end,
    folders. `exactly`: for a folder, all files anywhere in it, relative to it; "." is the
    workspace, where the agent's own scaffold (AGENTS.md, memory/, ...) is left out of account
    unless listed. `copies`: a file that has, byte for byte, the content of an input.

    Only `copies` and `exactly` earn; a path that is there or absent as wanted never does.
    """

    kind: ClassVar[str] = "files"

    exists: list[str] = Field(default_factory=list)
    absent: list[str] = Field(default_factory=list)
    exactly: dict[str, list[str]] = Field(default_factory=dict)
    copies: dict[str, str] = Field(default_factory=dict)

    @field_validator("exists", "absent")
    @classmethod
    def _paths(cls, paths: list[str]) -> list[str]:
        return [_clean(path, what="exists/absent", globs=True) for path in paths]

    @field_validator("exactly")
    @classmethod
    def _listings(cls, folders: dict[str, list[str]]) -> dict[str, list[str]]:
        return {
            "." if folder.strip() in (".", "./") else _clean(folder, what="exactly").rstrip("/"): [
                _clean(path, what=f"exactly[{folder}]") for path in paths
            ]
            for folder, paths in folders.items()
        }

    @field_validator("copies")
    @classmethod
    def _pairs(cls, pairs: dict[str, str]) -> dict[str, str]:
        return {
            _clean(path, what="copies"): _clean(source, what="copies")
            for path, source in pairs.items()
        }

    @model_validator(mode="after")
    def _sensible(self) -> "FilesCheck":
        if not (self.exists or self.absent or self.exactly or self.copies):
            raise ValueError("nothing is asserted: give exists, absent, exactly or copies")
        for path in [*self.exists, *self.copies]:
            if not is_glob(path) and any(matches(path, pattern) for pattern in self.absent):
                raise ValueError(f"{path!r} is both wanted and `absent`")
        return self

    def affirms(self) -> bool:
        return bool(self.copies) or any(self.exactly.values())

    def literals(self) -> Sequence[str]:
        listed = [
            path if folder == "." else f"{folder}/{path}"
            for folder, paths in self.exactly.items()
            for path in paths
        ]
        named = [path for path in self.exists if not is_glob(path)]
        return list(dict.fromkeys([*named, *listed, *self.copies]))

    def run(self, evidence: Evidence) -> list[Finding]:
        snapshot = evidence.snapshot
        entries = {*snapshot.files, *snapshot.refused, *_folders(evidence)}
        return [
            *(self._exists(path, evidence) for path in self.exists),
            *(_absent(path, entries, snapshot.cut) for path in self.absent),
            *(_exactly(folder, paths, evidence) for folder, paths in self.exactly.items()),
            *(_copy(path, source, evidence) for path, source in self.copies.items()),
        ]

    @staticmethod
    def _exists(path: str, evidence: Evidence) -> Finding:
        if not is_glob(path) and not path.endswith("/"):
            content = file_content(evidence, path)
            if isinstance(content, Finding):
                return Finding(False, content.reason)
            return Finding(True, f"{path} is there", required=True)
        there = _folders(evidence) if path.endswith("/") else evidence.snapshot.files
        match = next((entry for entry in sorted(there) if matches(entry, path)), None)
        if match is None:
            return Finding(False, f"nothing there is called {path}")
        return Finding(True, f"{match} is there", required=True)


def _folders(evidence: Evidence) -> set[str]:
    """All folders, with a slash at the end."""
    folders = {f"{folder}/" for folder in evidence.snapshot.directories if folder not in ("", ".")}
    for path in evidence.snapshot.files:
        folders.update(path[: at + 1] for at, sign in enumerate(path) if sign == "/")
    return folders


def _absent(path: str, entries: set[str], cut: str) -> Finding:
    there = sorted(entry for entry in entries if matches(entry, path) or entry == f"{path}/")
    if there:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        return Finding(False, f"{there[0]} is there and may not be{more}")
    if cut:
        return Finding(False, f"whether {path} is absent is not known: the export was cut ({cut})")
    return Finding(True, f"{path} is absent", required=True)


def _exactly(folder: str, paths: Sequence[str], evidence: Evidence) -> Finding:
    snapshot = evidence.snapshot
    prefix = "" if folder == "." else f"{folder}/"
    found = {
        path.removeprefix(prefix)
        for path in [*snapshot.files, *snapshot.refused]
        if path.startswith(prefix)
    }
    wanted = set(paths)
    if folder == ".":
        own = {path for path in found if any(matches(path, pattern) for pattern in SCAFFOLD)}
        found -= own - wanted
    missing, more = sorted(wanted - found), sorted(found - wanted)
    problems = []
    if missing:
        problems.append(f"lacks {_few(missing)}")
    if more:
        problems.append(f"also has {_few(more)}")
    refused = [path for path in paths if prefix + path in snapshot.refused]
    if refused:
        problems.append(f"{refused[0]}: {snapshot.refused[prefix + refused[0]]}")
    if snapshot.cut:
        problems.append(f"not all was exported: {snapshot.cut}")
    if problems:
        return Finding(False, f"{folder} {'; '.join(problems)}"[:200])
    return Finding(True, f"{folder} has exactly the {len(wanted)} files wanted", not wanted)


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:2])
    return f"{shown} and {len(names) - 2} more" if len(names) > 2 else shown


def _copy(path: str, source: str, evidence: Evidence) -> Finding:
    inputs: Mapping[str, bytes] = evidence.inputs
    if source not in inputs:
        raise TaskFault(f"copies: the task has no input file {source}")
    content = file_content(evidence, path)
    if isinstance(content, Finding):
        return Finding(False, content.reason)
    if content != inputs[source]:
        sizes = f"{len(content):,} bytes against {len(inputs[source]):,}"
        return Finding(False, f"{path} is not a copy of {source} ({sizes})")
    return Finding(True, f"{path} is a copy of {source}")
