"""The shipped tasks with the reference agents, through Inspect, on both sandboxes."""

from collections import Counter

import pytest

from clawgym_bench import load_bench
from clawgym_bench.agents import CONTENT_FREE
from clawgym_bench.evaluation import clawgym_bench
from clawgym_bench.task import variant_names
from clawgym_bench.taskset import BENCH_CATEGORIES
from tests.e2e.conftest import RunEval
from tests.sandbox_params import SANDBOXES
from tests.scripted_model import follow, scripted_model


def values(log, key: str = "score") -> dict[str, float]:  # type: ignore[no-untyped-def]
    found = {}
    for sample in log.samples:
        assert sample.error is None, f"{sample.id}: {sample.error.message}"
        score = sample.scores["hybrid"]
        assert isinstance(score.value, dict), f"{sample.id}: {score.explanation}"
        found[sample.id] = score.value[key]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_the_oracle_gets_every_point(run_eval: RunEval, sandbox: str) -> None:
    log = run_eval(clawgym_bench(agent="oracle", sandbox=sandbox))
    assert log.status == "success"
    lost = {
        str(sample.id): (sample.scores or {})["hybrid"].explanation
        for sample in log.samples or []
        if values(log)[sample.id] != 1.0 or values(log, "success")[sample.id] != 1.0
    }
    assert lost == {}


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("agent", ["noop", *CONTENT_FREE])
def test_content_free_agents_get_nothing(run_eval: RunEval, agent: str, sandbox: str) -> None:
    log = run_eval(clawgym_bench(agent=agent, sandbox=sandbox))
    paid = {name: score for name, score in values(log).items() if score > 0.05}
    assert paid == {}


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_other_right_answers_are_accepted(run_eval: RunEval, sandbox: str) -> None:
    tasks = list(load_bench())
    assert all(variant_names(task) for task in tasks)
    low = {}
    for name in sorted({name for task in tasks for name in variant_names(task)}):
        ids = [task.id for task in tasks if name in variant_names(task)]
        log = run_eval(clawgym_bench(agent="oracle", variant=name, ids=ids, sandbox=sandbox))
        for task_id, score in values(log).items():
            if score < 0.95:
                low[f"{task_id}/{name}"] = score
    assert low == {}


def test_the_first_tasks_cover_what_examples_must_cover() -> None:
    tasks = list(load_bench())
    per_category = Counter(task.category for task in tasks)
    assert set(per_category) == set(BENCH_CATEGORIES)
    assert all(count >= 2 for count in per_category.values())
    assert sum(len(task.sessions) > 1 for task in tasks) >= 3
    assert sum(task.hybrid for task in tasks) >= 3
    assert any(task.tree("web") for task in tasks)
    assert sum(any(o.format in {"docx", "xlsx"} for o in task.outputs) for task in tasks) >= 2
    assert any(task.missing for task in tasks)
    assert all("canary" in task.canary for task in tasks)


@pytest.mark.bwrap
def test_a_model_plays_all_sessions_on_one_workspace(run_eval: RunEval) -> None:
    task = next(task for task in load_bench() if len(task.sessions) >= 3)
    acts = [("exec", {"command": "date >> kept.txt; wc -l < kept.txt"}), "Done."]
    log = run_eval(clawgym_bench(ids=[task.id], sandbox="bwrap"), scripted_model(follow(acts)))
    (sample,) = log.samples or []
    counts = [m.text.strip() for m in sample.messages if m.role == "tool"]
    assert counts == [str(number + 1) for number in range(len(task.sessions))]
    systems = [m for m in sample.messages if m.role == "system"]
    assert len(systems) == len(task.sessions)
    assert sample.store["clawgym:evidence"]["messages"] == ["Done."] * len(task.sessions)


@pytest.mark.bwrap
def test_the_tasks_limit_of_messages_ends_a_session_and_what_is_there_is_graded(
    run_eval: RunEval,
) -> None:
    task = next(task for task in load_bench() if len(task.sessions) == 1 and not task.hybrid)
    endless = follow([("ls", {"path": "."})])
    log = run_eval(clawgym_bench(ids=[task.id], sandbox="bwrap"), scripted_model(endless))
    (sample,) = log.samples or []
    assert values(log) == {task.id: 0.0}
    assert len(sample.messages) <= task.limits.messages + 2
    assert sample.store["Conversations:ended"] == ["message"]


@pytest.mark.bwrap
def test_hybrid_tasks_are_judged_when_there_is_a_grader(run_eval: RunEval) -> None:
    task = next(task for task in load_bench() if task.hybrid)
    judge = scripted_model(follow(['{"level": 0.5, "quotes": ["x"], "reason": "so so"}']))
    log = run_eval(
        clawgym_bench(agent="oracle", ids=[task.id], sandbox="bwrap", refresh=True),
        model_roles={"grader": judge},
    )
    assert values(log, "rubric")[task.id] == 0.5
    assert values(log)[task.id] == pytest.approx(
        task.shares.checks + task.shares.rubric * 0.5, abs=1e-5
    )


@pytest.mark.bwrap
def test_a_judge_that_talks_leaves_the_sample_unscored(run_eval: RunEval) -> None:
    task = next(task for task in load_bench() if task.hybrid)
    log = run_eval(
        clawgym_bench(agent="oracle", ids=[task.id], sandbox="bwrap", refresh=True),
        model_roles={"grader": scripted_model(follow(["What a nice report!"]))},
    )
    (sample,) = log.samples or []
    score = (sample.scores or {})["hybrid"]
    assert score.reason == "grader_failed"
    assert not isinstance(score.value, dict)


@pytest.mark.slow
@pytest.mark.bwrap
def test_the_demonstrating_agent_gets_every_point(run_eval: RunEval) -> None:
    log = run_eval(clawgym_bench(agent="demonstrate", sandbox="bwrap"))
    assert {name: score for name, score in values(log).items() if score < 1} == {}
