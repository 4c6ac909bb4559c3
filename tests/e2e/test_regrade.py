from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from clawgym_bench import load_bench
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import clawgym_bench, imported
from clawgym_bench.regrade import regrade
from tests.e2e.conftest import RunEval
from tests.e2e.test_imported import FIXTURES, HONEST
from tests.scripted_model import follow, scripted_model

pytestmark = pytest.mark.bwrap


@pytest.mark.parametrize("agent", ["oracle", "stub"])
def test_nothing_changes_when_nothing_changed(
    run_eval: RunEval, tmp_path: Path, agent: str
) -> None:
    log = run_eval(clawgym_bench(agent=agent, sandbox="bwrap"))
    changes = regrade(log.location, out=tmp_path / "again.eval", sandbox="bwrap")
    assert len(changes) == len(list(load_bench()))
    assert [change for change in changes if change.differs or change.note] == []
    again = read_eval_log(str(tmp_path / "again.eval"))
    assert again.results == log.results or again.results is not None
    for old, new in zip(log.samples or [], again.samples or [], strict=True):
        assert (old.scores or {})["hybrid"].value == (new.scores or {})["hybrid"].value or (
            str((old.scores or {})["hybrid"].value) == str((new.scores or {})["hybrid"].value)
        )


def test_checkers_are_run_again(run_eval: RunEval) -> None:
    task = imported(path=str(FIXTURES), sandbox="bwrap", ids="task_0001,task_0004,task_0005")
    log = run_eval(task, scripted_model(follow(HONEST)))
    changes = {change.task: change for change in regrade(log.location)}
    assert [(c.before, c.after) for c in changes.values()] == [(1.0, 1.0), (1.0, 1.0), (None, None)]


def test_a_forged_score_is_found(run_eval: RunEval, tmp_path: Path) -> None:
    log = run_eval(clawgym_bench(agent="noop", sandbox="bwrap", subset="smoke"))
    forged = read_eval_log(log.location)
    assert forged.samples
    assert forged.samples[0].scores
    forged.samples[0].scores["hybrid"].value = {
        "score": 1.0, "checks": 1.0, "rubric": 0.0, "success": 1.0,
    }  # fmt: skip
    write_eval_log(forged, str(tmp_path / "forged.eval"))
    changes = regrade(tmp_path / "forged.eval")
    assert [(c.before, c.after) for c in changes if c.differs] == [(1.0, 0.0)]


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_text("no")
    with pytest.raises(InputError, match="cannot be read"):
        regrade(tmp_path / "x.eval")
