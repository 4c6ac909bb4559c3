"""Which relative paths a task may use: those that stay inside and mean the same everywhere."""

import re
import unicodedata
from collections.abc import Iterable

COMPONENT_BYTES = 200
PATH_BYTES = 800
DEPTH = 32
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10))})


def path_problem(path: str) -> str | None:
    """Why `path` is refused, or None when it may be used."""
    if not path:
        return "is empty"
    if path.startswith("/") or path[1:2] == ":":
        return "is absolute; give it relative to the task's folder"
    if "\\" in path:
        return "holds a backslash; separate folders with /"
    if any(unicodedata.category(char).startswith("C") for char in path):
        return "holds control or unassigned characters"
    if unicodedata.normalize("NFC", path) != path:
        return "is not in Unicode form NFC"
    if len(path.encode()) > PATH_BYTES:
        return f"is longer than {PATH_BYTES} bytes"
    parts = path.split("/")
    if len(parts) > DEPTH:
        return f"is deeper than {DEPTH} folders"
    for part in parts:
        if part == "..":
            return "leads out of its folder (..)"
        if part in {"", "."}:
            return "holds an empty or '.' component"
        if len(part.encode()) > COMPONENT_BYTES:
            return f"has a component longer than {COMPONENT_BYTES} bytes"
        if part[-1] in {" ", "."} or part[0] == " ":
            return "has a component that begins or ends with a space or ends with a dot"
        if part.split(".")[0].lower() in RESERVED:
            return f"uses a name that Windows reserves ({part})"
    return None


def collisions(paths: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs that differ only by case, or where one is both a file and a folder."""
    seen: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    ordered = sorted(paths)
    for path in ordered:
        folded = path.casefold()
        if folded in seen:
            pairs.append((seen[folded], path))
        seen[folded] = path
    for path in ordered:
        parts = path.casefold().split("/")
        for depth in range(1, len(parts)):
            parent = "/".join(parts[:depth])
            if parent in seen:
                pairs.append((seen[parent], path))
    return pairs


def slug(text: str) -> str:
    """`text` as an id of a task or a category."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")[:120] or "task"
