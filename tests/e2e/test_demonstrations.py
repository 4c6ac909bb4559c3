"""Composed tasks, demonstrated: every point, and traces without a refused call."""

from pathlib import Path

import pytest

from clawgym_bench.evaluation import imported
from clawgym_bench.task.store import write_lines
from clawgym_data.compose import compose
from clawgym_data.compose.plan import NoPlan
from clawgym_train.traces import collect
from tests.e2e.conftest import RunEval


@pytest.mark.slow
@pytest.mark.bwrap
@pytest.mark.parametrize("tier", ["full", "tiny"])
def test_composed_tasks_are_demonstrated(run_eval: RunEval, tmp_path: Path, tier: str) -> None:
    tasks = []
    for index in range(40):
        try:
            tasks.append(compose(11, index, tier))
        except NoPlan:
            continue
    assert len(tasks) >= 15
    path = str(tmp_path / "set.jsonl")
    write_lines(tasks, path)
    log = run_eval(imported(path=path, agent="demonstrate", sandbox="bwrap", judge=False))
    assert log.status == "success"
    outcome = collect([log.location], tmp_path / "out")
    assert outcome.kept == len(tasks), outcome.card["left_out"]
    statistics = outcome.card["statistics"]
    assert statistics["per_trace"]["score"]["mean"] == 1.0
    assert statistics["strict_successes"] == len(tasks)
    assert statistics["tool_error_share"] == 0.0
    assert set(statistics["tools"]) >= {"ls", "read", "exec"}
