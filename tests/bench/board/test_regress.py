"""The regression gate: verdicts, what is not comparable, exit codes, files."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from clawgym_bench.board.regress import Verdict, bootstrap, compare, mcnemar, paired
from clawgym_bench.board.result import RunResult
from clawgym_bench.cli import app
from tests.bench.board.runs import run

TASKS = [f"t{number:03d}" for number in range(120)]


def spread(seed: int, drop: float = 0.0, epochs: int = 2) -> RunResult:
    chance, noise = np.random.default_rng(5), np.random.default_rng(seed)
    true = chance.beta(0.7, 0.7, len(TASKS))
    scores = {
        name: [
            float(np.clip(level - drop + noise.normal(0, 0.05), 0, 1).round(3))
            for _ in range(epochs)
        ]
        for name, level in zip(TASKS, true, strict=True)
    }
    return run(scores)


def test_the_same_run_passes() -> None:
    assert compare(spread(1), spread(1)).verdict is Verdict.PASS


def test_a_clear_drop_fails_and_names_the_tasks() -> None:
    found = compare(spread(1), spread(2, drop=0.1))
    assert found.verdict is Verdict.FAIL
    assert found.difference < -0.05
    assert found.upper < 0


def test_few_tasks_are_inconclusive_and_it_says_what_would_decide() -> None:
    before = run({f"t{n}": [s] for n, s in enumerate((1.0, 0.2, 0.9, 0.4, 0.7, 1.0))})
    after = run({f"t{n}": [s] for n, s in enumerate((0.9, 0.5, 0.7, 0.5, 0.6, 1.0))})
    found = compare(before, after)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.more_tasks
    assert found.more_epochs is None, "one epoch says nothing about the noise between epochs"


def test_mcnemar_alone_can_fail() -> None:
    """Scores hardly move, but many tasks no longer succeed."""
    before = run({name: [1.0] for name in TASKS})
    after = run({name: [0.97 if n < 30 else 1.0] for n, name in enumerate(TASKS)})
    found = compare(before, after, margin=0.005)
    assert found.verdict is Verdict.FAIL
    assert len(found.newly_failing) == 30


def test_mcnemar_is_exact() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 0) == pytest.approx(1 / 32)
    assert mcnemar(4, 1) == pytest.approx(6 / 32)


def test_infrastructure_failures_are_no_losses() -> None:
    before = run({name: [0.5, 0.5] for name in TASKS})
    after = run({name: [0.5, None if n < 10 else 0.5] for n, name in enumerate(TASKS)})
    found = compare(before, after)
    assert found.verdict is Verdict.PASS
    assert found.lost == ("candidate: 10 of 240 trials have no score",)


def test_too_many_of_them_are_invalid() -> None:
    after = run({name: [None if n < 30 else 0.5] for n, name in enumerate(TASKS)})
    found = compare(run({name: [0.5] for name in TASKS}), after)
    assert found.verdict is Verdict.INVALID
    assert "30 of 120 trials" in found.reasons[0]


@pytest.mark.parametrize(
    ("change", "allow"),
    [
        ({"agent_version": "2"}, "agent"),
        ({"judge": "other/model"}, "judge"),
        ({"sandbox": "docker"}, "sandbox"),
    ],
)
def test_what_is_not_comparable_is_invalid_unless_allowed(change: dict, allow: str) -> None:
    before, after = spread(1), spread(1).model_copy(update=change)
    found = compare(before, after)
    assert found.verdict is Verdict.INVALID
    assert f"--allow {allow}" in found.reasons[0]
    assert compare(before, after, allow=[allow]).verdict is Verdict.PASS


def test_changed_and_missing_tasks() -> None:
    before = spread(1)
    tasks = [before.tasks[0].model_copy(update={"hash": "other"}), *before.tasks[2:]]
    found = compare(before, before.model_copy(update={"tasks": tasks}))
    assert found.verdict is Verdict.INVALID
    assert len(found.reasons) == 2


def test_families_are_resampled_together() -> None:
    """Ten copies of one difference are one piece of evidence."""
    scores = {f"t{n}": [0.5] for n in range(40)}
    worse = {f"t{n}": [0.4 if n < 20 else 0.5] for n in range(40)}
    single = bootstrap(paired(run(scores), run(worse)))
    family = {f"t{n}": "a" if n < 20 else f"t{n}" for n in range(40)}
    grouped = bootstrap(paired(run(scores, family), run(worse, family)))
    assert grouped.std() > 1.5 * single.std()


def test_equal_candidates_seldom_fail() -> None:
    failed = sum(
        compare(spread(2 * n + 10), spread(2 * n + 11)).verdict is Verdict.FAIL for n in range(40)
    )
    assert failed <= 2


class TestCommand:
    def files(self, tmp_path: Path, drop: float) -> list[str]:
        for name, found in (("a", spread(1)), ("b", spread(2, drop))):
            (tmp_path / name).mkdir()
            (tmp_path / name / "result.json").write_text(found.model_dump_json())
        return ["regress", str(tmp_path / "a"), str(tmp_path / "b")]

    def test_outputs(self, tmp_path: Path) -> None:
        names = {name: tmp_path / name for name in ("out.json", "out.xml", "out.md")}
        extra = ["--json", names["out.json"], "--junit", names["out.xml"]]
        extra += ["--summary", names["out.md"]]
        done = CliRunner().invoke(app, [*self.files(tmp_path, 0.1), *map(str, extra)])
        assert done.exit_code == 1, done.output
        assert json.loads(names["out.json"].read_text())["verdict"] == "FAIL"
        suite = ElementTree.fromstring(names["out.xml"].read_text())
        assert len(suite.findall("testcase")) == len(TASKS) + 1
        assert "FAIL" in names["out.md"].read_text()

    def test_pass(self, tmp_path: Path) -> None:
        assert CliRunner().invoke(app, self.files(tmp_path, 0.0)).exit_code == 0

    def test_bad_input_is_said(self, tmp_path: Path) -> None:
        done = CliRunner().invoke(app, ["regress", "nowhere.eval", "nowhere.eval"])
        assert done.exit_code != 0
        assert "nowhere.eval" in str(done.exception)
