"""Reads ClawGym task folders as they are: `data_entry.json`, `input_files/`, `reward/`.

Nothing is changed on disk and nothing of a checker is run here. A task without a checker loads
too and ends as *unscored: no checker*. Its own limits are not part of the format; ours apply.
"""

import json
from pathlib import Path
from typing import Any

from clawgym_bench.checks.reward import CHECKER, SCRIPT
from clawgym_bench.errors import Problem, TaskInvalid
from clawgym_bench.sandbox.protocol import File
from clawgym_bench.task.model import Task
from clawgym_bench.task.paths import slug

ENTRY = "data_entry.json"
WORKSPACE_PATH = "/root/.openclaw/workspace"
PAYLOAD_VARIABLE = "OPENCLAW_REWARD_PAYLOAD"
ENTRY_BYTES = 4 * 2**20
GRADING_SECONDS = 300
"""The format names no limit for its checkers; they get this much wall time."""


def read_clawgym(folder: Path) -> Task:
    """The task in `folder`; raises `TaskInvalid`."""
    from clawgym_bench.task.store import make_task

    found: list[Problem] = []
    entry = _entry(folder)
    for name in ("task_id", "user_query"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            found.append(Problem(f"{ENTRY}: {name}", "is required and not a text", "add it"))
    if found:
        raise TaskInvalid(str(folder), found)
    files = _files(folder / "input_files", "workspace", found)
    reward = _files(folder / "reward", "reward", found)
    metadata = entry.get("metadata") if isinstance(entry.get("metadata"), dict) else {}
    assert isinstance(metadata, dict)
    fields: dict[str, Any] = {
        "id": slug(entry["task_id"]),
        "title": entry["user_query"].strip().splitlines()[0][:100],
        "category": slug(str(metadata.get("category") or "imported")),
        "sessions": [{"instruction": entry["user_query"]}],
        "editable": sorted(path.removeprefix("workspace/") for path in files),
        "provenance": {"kind": "imported", "source": f"clawgym:{entry['task_id']}", "licence": ""},
        "limits": {"grading_seconds": GRADING_SECONDS},
        "workspace_path": str(entry.get("input_mount_dir") or WORKSPACE_PATH),
    }
    if {SCRIPT, CHECKER} & set(reward):
        text = b"".join(file.content for file in reward.values())
        payload = PAYLOAD_VARIABLE.encode() in text
        fields["checks"] = [
            {"id": "reward", "cites": "*", "partial": True, "reward": {"payload": payload}}
        ]
    elif reward:
        problem = Problem("reward", f"holds neither {SCRIPT} nor {CHECKER}", "add one of them")
        found.append(problem)
    return make_task(fields, files | reward, str(folder), found)


def _entry(folder: Path) -> dict[str, Any]:
    path = folder / ENTRY
    try:
        if path.stat().st_size > ENTRY_BYTES:
            raise ValueError(f"larger than {ENTRY_BYTES} bytes")
        entry = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise TaskInvalid(str(folder), [Problem(ENTRY, f"cannot be read: {error}")]) from error
    if not isinstance(entry, dict):
        raise TaskInvalid(str(folder), [Problem(ENTRY, "is not a JSON object")])
    return entry


def _files(root: Path, prefix: str, found: list[Problem]) -> dict[str, File]:
    files: dict[str, File] = {}
    if not root.is_dir():
        return files
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if "__pycache__" in path.parts:
            continue
        if path.is_symlink():
            found.append(Problem("files", f"{relative} is a link", "put the file itself there"))
        elif path.is_file():
            files[f"{prefix}/{relative}"] = File(path.read_bytes(), 0o644)
    return files
