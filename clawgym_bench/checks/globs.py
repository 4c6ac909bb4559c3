"""Patterns of paths, and checks that look at every file that one fits."""

from functools import lru_cache

import regex
from pydantic import Field

from clawgym_bench.checks.base import CheckBody, Evidence, Finding
from clawgym_bench.checks.limits import STRUCTURED_BYTES

# What agents keep in the top folder for themselves; nobody's task output.
SCAFFOLD = (
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "TOOLS.md",
    "MEMORY.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "memory/**",
    ".openclaw/**",
)
FILES = 200
_GLOB = regex.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|.", regex.DOTALL)


@lru_cache(maxsize=512)
def glob(pattern: str) -> "regex.Pattern[str]":
    """`*` and `?` stay within a folder, `**` crosses folders, [abc] and [!abc] are sets."""
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = []
    for match in _GLOB.finditer(pattern):
        part = match.group()
        if part.startswith("[") and len(part) > 2:
            inner = part[1:-1].removeprefix("!")
            safe = "".join(c if c == "-" else regex.escape(c) for c in inner)
            parts.append(f"[{'^/' if part[1] == '!' else ''}{safe}]")
        else:
            parts.append(special.get(part) or regex.escape(part))
    return regex.compile("".join(parts), regex.DOTALL)


def is_glob(path: str) -> bool:
    return any(sign in path for sign in "*?[")


def matches(entry: str, pattern: str) -> bool:
    if is_glob(pattern):
        return glob(pattern).fullmatch(entry) is not None
    return entry == pattern


class FileCheck(CheckBody):
    """A check of one file, or of each file that a pattern in `path` fits (`*` and `?` within a
    folder, `**` across), the agent's scaffold aside. At least one must be there; how many, and
    which, is for a `files` check to say."""

    path: str = Field(min_length=1)

    @property
    def is_pattern(self) -> bool:
        return "*" in self.path or "?" in self.path

    def run(self, evidence: Evidence) -> list[Finding]:
        if not self.is_pattern:
            return self.run_one(evidence)
        snapshot = evidence.snapshot
        paths = sorted(
            path
            for path in {*snapshot.files, *snapshot.refused}
            if matches(path, self.path) and not any(matches(path, own) for own in SCAFFOLD)
        )
        if not paths:
            return [Finding(False, f"no file is called {self.path}"[:200], required=True)]
        size = sum(len(snapshot.files.get(path, b"")) for path in paths)
        if len(paths) > FILES or size > STRUCTURED_BYTES:
            reason = f"{self.path} fits {len(paths)} files with {size:,} bytes: too many"
            return [Finding(False, reason[:200], required=True)]
        return [
            finding
            for path in paths
            for finding in self.model_copy(update={"path": path}).run_one(evidence)
        ]

    def run_one(self, evidence: Evidence) -> list[Finding]:
        """The findings on the file at `path`, which is no pattern here."""
        raise NotImplementedError
