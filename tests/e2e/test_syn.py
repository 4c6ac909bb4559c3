"""A synthesized set, run as an Inspect task with the reference agent."""

import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai._util.error import PrerequisiteError

from clawgym_data.pipeline import ComposerEngine, Settings, synthesize
from clawgym_data.sets import split_folders
from clawgym_data.syn import syn
from tests.e2e.conftest import RunEval


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("syn") / "set"
    settings = Settings(n=12, gates=("lint", "oracle"), mutant_share=0.0, test_share=0.3)
    assert synthesize(ComposerEngine(7), settings, folder, workers=2).complete
    assert {path.name for path in split_folders(folder)} >= {"train", "test"}
    return folder


@pytest.mark.bwrap
@pytest.mark.slow
def test_the_oracle_gets_every_point_of_a_synthesized_set(made: Path, run_eval: RunEval) -> None:
    log = run_eval(syn(path=str(made), agent="oracle", sandbox="bwrap"), limit=3)
    assert log.status == "success"
    assert log.eval.task.split("/")[-1] == "syn"
    assert log.results is not None
    assert 1 <= log.results.completed_samples <= 3
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert means["score"] == 1.0
    assert (log.eval.metadata or {})["task_set"] == str(made / "test")


@pytest.mark.bwrap
@pytest.mark.slow
def test_inspect_finds_it_by_name_and_takes_a_split(made: Path, tmp_path: Path) -> None:
    inspect = Path(sys.executable).with_name("inspect")
    command = [
        str(inspect), "eval", "clawgym_data/syn", "-T", f"path={made}", "-T", "split=train",
        "-T", "agent=noop", "-T", "sandbox=bwrap", "--limit", "1", "--model", "none",
        "--display", "plain", "--log-dir", str(tmp_path),
    ]  # fmt: skip
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr + ended.stdout
    assert list(tmp_path.glob("*syn*.eval"))


def test_a_split_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="no split 'test'; there are none"):
        syn(path=str(tmp_path), split="test")
