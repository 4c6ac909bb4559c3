"""The ClawGym directory layout and its hub records.

The checker that such a folder carries is a few lines that call this package on the task's own line
(`reward/task.jsonl`): the same grading as everywhere. Whoever runs it needs `pip install clawgym`
beside the agent's workspace. The format has no place for several sessions, for rubrics, or for
checks that need a sandbox of their own: such tasks are left out, with the reason.
"""

import base64
import json
from pathlib import Path
from typing import Any

from clawgym_bench.execution import runs_something
from clawgym_bench.task import Task, line_of

MOUNT = "/root/.openclaw/workspace"
SCRIPT = """#!/bin/bash
# Prints the score of the workspace, one number in [0, 1]. Needs: pip install clawgym
exec python3 "$(dirname "$0")/check.py" "${1:-/root/.openclaw/workspace}"
"""
CHECK = '''"""Grades a workspace by the task beside this file; prints {"reward": score}."""

import json
import os
import sys
from pathlib import Path

from clawgym_bench.task import read_tasks
from clawgym_bench.workspace import grade_workspace

(task,) = read_tasks(Path(__file__).with_name("task.jsonl"))
payload = os.environ.get("OPENCLAW_REWARD_PAYLOAD")
message = json.loads(Path(payload).read_text()).get("final_message", "") if payload else ""
grade = grade_workspace(task, sys.argv[1], [message])
if grade.score is None:
    sys.exit(f"unscored: {grade.reason}")
print(json.dumps({"reward": grade.score}))
'''


def unsuited(task: Task) -> str:
    """Why this format cannot carry the task; empty when it can."""
    if len(task.sessions) > 1:
        return "it has several sessions"
    if runs_something(task):
        return "a check has to run something in a sandbox of its own"
    if task.tree("web"):
        return "it has recorded web pages"
    return ""


def entry(task: Task) -> dict[str, Any]:
    """`data_entry.json`."""
    found: dict[str, Any] = {
        "task_id": task.id,
        "user_query": task.request(1),
        "metadata": {"category": task.category, "grading_type": "code"},
    }
    return found | ({"input_mount_dir": MOUNT} if task.workspace else {})


def write_clawgym(task: Task, folder: Path) -> Path:
    """Writes one task folder below `folder`; raises `ValueError` for a task that is `unsuited`."""
    if reason := unsuited(task):
        raise ValueError(f"{task.id}: {reason}")
    home = folder / task.id
    (home / "reward").mkdir(parents=True)
    text = json.dumps(entry(task), ensure_ascii=False, indent=2)
    (home / "data_entry.json").write_text(text + "\n", encoding="utf-8")
    for path, file in task.workspace.items():
        target = home / "input_files" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    (home / "reward" / "reward.sh").write_text(SCRIPT)
    (home / "reward" / "check.py").write_text(CHECK)
    (home / "reward" / "task.jsonl").write_text(line_of(task) + "\n", encoding="utf-8")
    return home


def hub_record(task: Task) -> dict[str, Any]:
    """One line of a hub file; the checker lies among the input files, as the format has it."""
    if reason := unsuited(task):
        raise ValueError(f"{task.id}: {reason}")
    reward = {
        "reward/test.py": CHECK.encode(),
        "reward/task.jsonl": (line_of(task) + "\n").encode(),
    }
    given = {path: file.content for path, file in task.workspace.items()}
    return {
        "prompt": task.request(1),
        "hook_code": f"python3 reward/test.py {MOUNT}",
        "hook_lang": "bash",
        "rubric": None,
        "category": task.category,
        "macro_category": task.tags[0] if task.tags else task.category,
        "action": list(task.operations),
        "input_files": [_input(path, body) for path, body in sorted((given | reward).items())],
    }


def _input(path: str, body: bytes) -> dict[str, str]:
    """Text as it is, anything else in base64 (said in `file_format`)."""
    suffix = Path(path).suffix.lstrip(".") or "txt"
    try:
        return {"file_path": path, "file_format": suffix, "content": body.decode()}
    except UnicodeDecodeError:
        text = base64.b64encode(body).decode()
        return {"file_path": path, "file_format": f"{suffix};base64", "content": text}
