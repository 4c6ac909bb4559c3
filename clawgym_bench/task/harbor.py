"""Reads Harbor task folders: `task.toml`, `instruction.md`, `environment/`, `tests/test.sh`.

Of the environment only what a task of ours can have is taken over: the files that the Dockerfile
copies below its working directory become the workspace. What it installs is not built; a task that
relies on it shows so when its checker fails, and is then unscored. The verifier runs as an
imported checker in a grading sandbox, with its folders `/tests` and `/logs/verifier` moved to where
that sandbox lets it write. Nothing of it is run here.
"""

import fnmatch
import re
import shlex
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

from clawgym_bench.errors import Problem, TaskInvalid
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task.model import Task
from clawgym_bench.task.paths import slug

SETTINGS, INSTRUCTION, VERIFIER = "task.toml", "instruction.md", "tests/test.sh"
TEXT_BYTES = 2 * 2**20
WRAPPER = """#!/bin/bash
# Runs the task's own verifier with its folders where this sandbox lets it write.
here=$(cd "$(dirname "$0")" && pwd)
logs=$(mktemp -d)
tests=$(mktemp -d)
cp -R "$here/tests/." "$tests/"
find "$tests" -type f -exec sed -i "s#/logs/verifier#$logs#g; s#\\([^A-Za-z0-9_.]\\)/tests/#\\1$tests/#g" {} +
cd "$1" && bash "$tests/test.sh" >&2
if [ -s "$logs/reward.json" ]; then cat "$logs/reward.json"; else cat "$logs/reward.txt"; fi
"""  # noqa: E501


def is_harbor(folder: Path) -> bool:
    return (folder / SETTINGS).is_file() and (folder / INSTRUCTION).is_file()


def read_harbor(folder: Path) -> Task:
    """The task in `folder`; raises `TaskInvalid`."""
    from clawgym_bench.task.store import make_task

    found: list[Problem] = []
    settings = _settings(folder)
    instruction = _text(folder / INSTRUCTION)
    if not instruction.strip():
        raise TaskInvalid(str(folder), [Problem(INSTRUCTION, "is empty", "write the request")])
    home, files = _environment(folder / "environment", found)
    reward: dict[str, File] = {}
    if (folder / VERIFIER).is_file():
        reward = _tree(folder / "tests", "reward/tests", found)
        reward["reward/reward.sh"] = File(WRAPPER.encode(), 0o644)
    metadata = settings.get("metadata") or {}
    fields: dict[str, Any] = {
        "id": slug(folder.resolve().name),
        "title": instruction.strip().splitlines()[0].lstrip("# ")[:100] or folder.name,
        "category": slug(str(metadata.get("category") or "imported")),
        "sessions": [{"instruction": instruction}],
        "editable": sorted(path.removeprefix("workspace/") for path in files),
        "provenance": {"kind": "imported", "source": f"harbor:{folder.name}", "licence": ""},
        "limits": {
            "seconds": _seconds(settings, "agent", 900),
            "grading_seconds": _seconds(settings, "verifier", 300),
        },
        "workspace_path": home,
    }
    if reward:
        fields["checks"] = [{"id": "reward", "cites": "*", "partial": True, "reward": {}}]
    return make_task(fields, files | reward, str(folder), found)


def _settings(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(folder / SETTINGS))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = Problem(SETTINGS, f"cannot be read: {error}", "mend the TOML")
        raise TaskInvalid(str(folder), [problem]) from error


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > TEXT_BYTES:
            raise ValueError(f"larger than {TEXT_BYTES} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        problem = Problem(path.name, f"cannot be read: {error}")
        raise TaskInvalid(str(path.parent), [problem]) from error


def _seconds(settings: dict[str, Any], section: str, default: int) -> int:
    part = settings.get(section)
    value = part.get("timeout_sec") if isinstance(part, dict) else None
    return max(10, int(value)) if isinstance(value, int | float) else default


def _environment(folder: Path, found: list[Problem]) -> tuple[str, dict[str, File]]:
    """The working directory, and the files copied below it."""
    home = PurePosixPath("/app")
    files: dict[str, File] = {}
    recipe = folder / "Dockerfile"
    lines = re.sub(r"\\\n", " ", _text(recipe)).splitlines() if recipe.is_file() else []
    everything = _tree(folder, "", found) if lines else {}
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "WORKDIR":
            home = home / rest.strip()
        elif word.upper() in ("COPY", "ADD") and "--from" not in rest:
            *sources, target = [part for part in _words(rest) if not part.startswith("--")] or [""]
            where = home / target
            if where != home and home not in where.parents:
                continue
            prefix = where.relative_to(home).as_posix() if where != home else ""
            for source in sources:
                for path, file in _copied(everything, source, target, prefix).items():
                    files[f"workspace/{path}"] = file
    return str(home), files


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _copied(everything: dict[str, File], source: str, target: str, prefix: str) -> dict[str, File]:
    """What one COPY brings, by path below the working directory."""
    source = source.removeprefix("./").rstrip("/")
    copied: dict[str, File] = {}
    for path, file in everything.items():
        if path == "Dockerfile":
            continue
        if source in ("", ".") or path.startswith(f"{source}/"):
            name = path.removeprefix(f"{source}/") if source not in ("", ".") else path
            copied["/".join(filter(None, (prefix, name)))] = file
        elif fnmatch.fnmatchcase(path, source):
            name = path.rsplit("/", 1)[-1]
            into = target.endswith("/") or target in (".", "./", "")
            copied["/".join(filter(None, (prefix, name if into else "")))] = file
    return copied


def _tree(root: Path, prefix: str, found: list[Problem]) -> dict[str, File]:
    files: dict[str, File] = {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_symlink():
            found.append(Problem("files", f"{relative} is a link", "put the file itself there"))
        elif path.is_file():
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            files[f"{prefix}/{relative}".lstrip("/")] = File(path.read_bytes(), mode)
    return files
