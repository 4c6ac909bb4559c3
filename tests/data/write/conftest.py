import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.data.write.server import Server

BIN = Path(sys.executable).parent
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def answers_of_this_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect's cache begins empty and goes with the test."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("LOCAL_BASE_URL", "LOCAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def command(*arguments: str) -> list[str]:
    return [str(BIN / "clawgym-data"), *arguments]


@pytest.fixture
def run() -> Command:
    """`clawgym-data` as a user calls it, with a server to ask."""

    def call(server: Server | None, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "COLUMNS": "300", **(server.env if server else {})}
        done = subprocess.run(
            command(*arguments), env=env, capture_output=True, text=True, timeout=500, check=False
        )
        assert "Traceback" not in done.stdout + done.stderr
        assert "secret-of-the-test" not in done.stdout + done.stderr
        return done

    return call
