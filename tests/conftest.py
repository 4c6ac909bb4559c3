"""Shared by all tests: a small task that can be bent in many ways."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from clawgym_bench.sandbox import File, Probe, probe_bwrap, probe_docker
from clawgym_bench.task import Task
from clawgym_bench.task.store import make_task

FIELDS: dict[str, Any] = {
    "id": "demo-totals",
    "title": "Totals per vendor",
    "category": "analysis-reasoning",
    "sessions": [{"instruction": "Add up the amounts per vendor in sales.csv."}],
    "outputs": [{"path": "out/totals.csv", "format": "csv", "columns": ["vendor", "total"]}],
    "checks": [
        {
            "id": "totals",
            "cites": "amounts per vendor",
            "table": {"path": "out/totals.csv", "equals": "expected/totals.csv", "key": "vendor"},
        }
    ],
}
FILES = {
    "workspace/sales.csv": "vendor,amount\nAster,2\nBirch,3\nAster,5\n",
    "expected/totals.csv": "vendor,total\nAster,7\nBirch,3\n",
    "solution/files/out/totals.csv": "vendor,total\nAster,7\nBirch,3\n",
}

MakeTask = Callable[..., Task]


@cache
def found(sandbox: str) -> Probe:
    """What this machine says about a sandbox; asked in a thread, for a loop may be running."""
    ask = {"bwrap": probe_bwrap, "docker": probe_docker}[sandbox]
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, ask()).result()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests marked `docker` or `bwrap` are skipped with the reason where there is none, and fail
    where CLAWGYM_REQUIRE_DOCKER=1 (CLAWGYM_REQUIRE_BWRAP=1) says that there must be one."""
    for sandbox in ("docker", "bwrap"):
        if item.get_closest_marker(sandbox) is None or found(sandbox).available:
            continue
        reason = f"no {sandbox} sandbox: {found(sandbox).detail} {found(sandbox).remedy}"
        if os.environ.get(f"CLAWGYM_REQUIRE_{sandbox.upper()}") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def new_task() -> MakeTask:
    """Builds the small task; keyword arguments replace fields, `files` adds or (None) removes."""

    def build(files: dict[str, str | bytes | None] | None = None, **fields: Any) -> Task:
        merged: dict[str, str | bytes | None] = {**FILES, **(files or {})}
        bundle = {
            path: File(body.encode() if isinstance(body, str) else body, 0o644)
            for path, body in merged.items()
            if body is not None
        }
        return make_task({**FIELDS, **fields}, bundle, "test")

    return build


@pytest.fixture
def samples() -> Path:
    """Real ClawGym requests, where they are laid beside the checkout."""
    folder = Path(__file__).parents[2] / "shared" / "samples" / "clawgym"
    if not folder.is_dir():
        pytest.skip(f"no samples of real requests at {folder}")
    return folder
