"""Task sets in other projects' forms; each is read back or run the way its users would."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from clawgym_bench.task import Task, read_line, read_tasks
from clawgym_data.export import hub_record, write_clawgym, write_harbor, write_parquet
from clawgym_data.export.clawgym import unsuited
from tests.data.plays import lay, tasks_with

SOUND = Path(__file__).parents[1] / "fixtures" / "audit" / "sound"


@pytest.fixture(scope="module")
def task() -> Task:
    return next(tasks_with("compare-folders", 1))


def played(task: Task, folder: Path) -> Path:
    """A workspace in which the reference has worked."""
    lay({path: file.content for path, file in task.workspace.items()}, folder)
    program = task.files["solution/run.py"].content.decode()
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, timeout=60)
    return folder


def test_parquet_holds_the_whole_task(task: Task, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "set.parquet"
    assert write_parquet([task, *tasks_with("apply-policy", 2)], path) == 3
    rows = pq.read_table(path).to_pylist()
    assert (
        read_line(rows[0]["task"], "row").content_hash
        == rows[0]["content_hash"]
        == task.content_hash
    )
    assert rows[0]["sessions"] == [task.request(1)]
    assert rows[0]["operations"] == list(task.operations)


class TestClawGym:
    def test_the_checker_grades_as_we_do(self, task: Task, tmp_path: Path) -> None:
        home = write_clawgym(task, tmp_path / "out")
        lay({path: file.content for path, file in task.workspace.items()}, tmp_path / "idle")
        environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        for folder, wanted in ((played(task, tmp_path / "work"), 1.0), (tmp_path / "idle", 0.0)):
            done = subprocess.run(
                ["bash", str(home / "reward" / "reward.sh"), str(folder)],
                capture_output=True,
                env=environment,
                timeout=120,
                check=True,
            )
            assert json.loads(done.stdout) == {"reward": wanted}

    def test_it_reads_back_as_an_imported_task(self, task: Task, tmp_path: Path) -> None:
        write_clawgym(task, tmp_path)
        (found,) = read_tasks(str(tmp_path))
        assert found.inputs == task.inputs
        assert found.sessions[0].instruction == task.request(1)
        assert [check.kind for check in found.checks] == ["reward"]

    def test_hub_record(self, task: Task) -> None:
        record = json.loads(json.dumps(hub_record(task)))
        paths = {entry["file_path"] for entry in record["input_files"]}
        assert set(task.inputs) < paths
        assert "reward/test.py" in paths

    def test_what_the_format_cannot_carry_is_refused(self, tmp_path: Path) -> None:
        (two,) = read_tasks(str(SOUND / "two-sessions"))
        assert "sessions" in unsuited(two)
        with pytest.raises(ValueError, match="several sessions"):
            write_clawgym(two, tmp_path)


class TestHarbor:
    def test_files_and_settings(self, task: Task, tmp_path: Path) -> None:
        home = write_harbor(task, tmp_path)
        settings = tomllib.loads((home / "task.toml").read_text())
        assert settings["verifier"]["timeout_sec"] == task.limits.grading_seconds
        assert (home / "instruction.md").read_text().strip() == task.request(1).strip()
        found = {
            path.relative_to(home / "environment" / "workspace").as_posix(): path.read_bytes()
            for path in (home / "environment" / "workspace").rglob("*")
            if path.is_file()
        }
        assert found == task.inputs

    def test_it_reads_back_as_an_imported_task(self, task: Task, tmp_path: Path) -> None:
        write_harbor(task, tmp_path)
        (found,) = read_tasks(str(tmp_path))
        assert found.inputs == task.inputs
        assert found.workspace_path == "/app"
        assert found.limits.seconds == task.limits.seconds

    def test_the_solution_solves(self, task: Task, tmp_path: Path) -> None:
        """With /app replaced by a folder, since these machines have no Harbor."""
        home = write_harbor(task, tmp_path / "out")
        work = tmp_path / "app"
        lay({path: file.content for path, file in task.workspace.items()}, work)
        script = home / "solution" / "solve.sh"
        script.write_text(script.read_text().replace("/app", str(work)))
        subprocess.run(["bash", str(script)], check=True, timeout=60, cwd=tmp_path)
        test = (home / "tests" / "test.sh").read_text()
        test = test.replace("/logs/verifier", str(tmp_path / "logs")).replace("/app", str(work))
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(
            ["bash", "-c", test.replace("/tests/", f"{home}/tests/")],
            check=True,
            timeout=60,
            env={"PATH": path},
        )
        assert float((tmp_path / "logs" / "reward.txt").read_text()) == 1.0
