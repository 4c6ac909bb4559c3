"""Grading a folder on this machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clawgym_bench import load_bench
from clawgym_bench.cli import app
from clawgym_bench.errors import InputError
from clawgym_bench.sandbox.snapshot import SnapshotLimits
from clawgym_bench.workspace import grade_workspace, read_workspace

SOUND = Path(__file__).parents[1] / "fixtures" / "audit" / "sound"


class TestReading:
    def test_links_and_pipes_are_recorded_and_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "text.txt").write_text("x")
        (tmp_path / "passwd").symlink_to("/etc/passwd")
        (tmp_path / "up").symlink_to("..", target_is_directory=True)
        os.mkfifo(tmp_path / "pipe")
        found = read_workspace(tmp_path)
        assert dict(found.files) == {"a/text.txt": b"x"}
        assert found.directories == {"a"}
        assert set(found.refused) == {"passwd", "up", "pipe"}

    def test_limits(self, tmp_path: Path) -> None:
        for number in range(5):
            (tmp_path / f"{number}").write_text("0123456789")
        assert read_workspace(tmp_path, SnapshotLimits(files=3)).cut
        assert read_workspace(tmp_path, SnapshotLimits(total_size=25)).cut
        assert len(read_workspace(tmp_path, SnapshotLimits(file_size=5)).refused) == 5

    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such folder"):
            read_workspace(tmp_path / "nowhere")


def test_an_untouched_workspace_earns_nothing(tmp_path: Path) -> None:
    task = next(t for t in load_bench() if t.id == "analysis-heating-report")
    for path, file in task.workspace.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(file.content)
    assert grade_workspace(task, tmp_path).score == 0.0


def test_the_command(tmp_path: Path) -> None:
    task = SOUND / "table-totals"
    shutil.copytree(task / "workspace", tmp_path, dirs_exist_ok=True)
    program = [sys.executable, str(task / "solution" / "run.py")]
    subprocess.run(program, cwd=tmp_path, check=True, timeout=60)
    arguments = ["grade", str(task), str(tmp_path)]
    done = CliRunner().invoke(app, [*arguments, "--number"])
    assert (done.exit_code, done.output) == (0, "1.000000\n")
    assert "score 1.000, success" in CliRunner().invoke(app, arguments).output
