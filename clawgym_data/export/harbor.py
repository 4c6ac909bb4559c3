"""Harbor task folders: `task.toml`, `instruction.md`, `environment/`, `solution/`, `tests/`.

The container's `/app` is the workspace. `tests/test.sh` grades it with this package, which the
Dockerfile installs, and writes the score to `/logs/verifier/reward.txt`. What the format cannot
carry is left out as in `clawgym_data.export.clawgym`; a task whose checks read the final message
is left out too, since Harbor's verifier does not see it.
"""

import json
import os
from pathlib import Path

from clawgym_bench.task import Task, line_of, reference_steps
from clawgym_data.export import clawgym

DOCKERFILE = """FROM python:3.11-slim
RUN pip install --no-cache-dir clawgym && mkdir -p /logs/verifier
WORKDIR /app
COPY workspace/ /app/
"""
TEST = """#!/bin/bash
mkdir -p /logs/verifier
clawgym-bench grade /tests/task.jsonl /app --number > /logs/verifier/reward.txt
"""


def unsuited(task: Task) -> str:
    """Why this format cannot carry the task; empty when it can."""
    if reason := clawgym.unsuited(task):
        return reason
    if any(check.kind in ("message", "tool_use") for check in task.checks):
        return "a check reads the conversation"
    return ""


def write_harbor(task: Task, folder: Path) -> Path:
    """Writes one task folder below `folder`; raises `ValueError` for a task that is `unsuited`."""
    if reason := unsuited(task):
        raise ValueError(f"{task.id}: {reason}")
    home = folder / task.id
    for name in ("environment/workspace", "solution", "tests"):
        (home / name).mkdir(parents=True)
    (home / "task.toml").write_text(_settings(task), encoding="utf-8")
    (home / "instruction.md").write_text(task.request(1) + "\n", encoding="utf-8")
    (home / "environment" / "Dockerfile").write_text(DOCKERFILE)
    _lay({path: f.content for path, f in task.workspace.items()}, home / "environment/workspace")
    lines = ["#!/bin/bash", "set -euo pipefail", "cd /app"]
    for number, step in enumerate(reference_steps(task)[0]):
        if step.files:
            _lay({path: f.content for path, f in step.files.items()}, home / f"solution/{number}")
            lines.append(f'cp -R "$(dirname "$0")/{number}/." /app/')
        if step.script:
            (home / "solution" / f"step-{number}").write_text(step.script, encoding="utf-8")
            lines.append(f'{step.interpreter} "$(dirname "$0")/step-{number}"')
    (home / "solution" / "solve.sh").write_text("\n".join(lines) + "\n")
    (home / "tests" / "test.sh").write_text(TEST)
    (home / "tests" / "task.jsonl").write_text(line_of(task) + "\n", encoding="utf-8")
    for script in ("solution/solve.sh", "tests/test.sh"):
        os.chmod(home / script, 0o755)
    return home


def _settings(task: Task) -> str:
    """JSON's strings, numbers and lists are TOML too."""
    limits = task.limits
    return "\n".join(
        (
            'version = "1.0"',
            "",
            "[metadata]",
            f"author_name = {json.dumps('ClawGym')}",
            f"difficulty = {json.dumps(task.difficulty or 'medium')}",
            f"category = {json.dumps(task.category)}",
            f"tags = {json.dumps(list(task.tags))}",
            "",
            "[verifier]",
            f"timeout_sec = {limits.grading_seconds}.0",
            "",
            "[agent]",
            f"timeout_sec = {limits.seconds}.0",
            "",
            "[environment]",
            f"memory_mb = {limits.memory_mb}",
            f"storage_mb = {max(1024, limits.disk_mb)}",
            "",
        )
    )


def _lay(files: dict[str, bytes], folder: Path) -> None:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
