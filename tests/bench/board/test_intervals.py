"""Figures of the board: intervals, ranks with ties, pass^k, pairs."""

import math

import numpy as np
import pytest

from clawgym_bench.board.intervals import Interval, intervals, pairwise, pass_hat_k, ranks
from tests.bench.board.runs import run


def test_the_interval_holds_the_mean_and_grows_with_fewer_families() -> None:
    random = np.random.default_rng(1)
    family_effect = np.repeat(random.uniform(0, 1, 20), 5)
    scores = np.clip(family_effect + random.normal(0, 0.05, 100), 0, 1)[:, None]
    alone = [f"f{n}" for n in range(100)]
    grouped = [f"f{n // 5}" for n in range(100)]
    (single,), (clustered,) = intervals(scores, alone), intervals(scores, grouped)
    assert single is not None
    assert clustered is not None
    for found in (single, clustered):
        assert found.lower is not None
        assert found.upper is not None
        assert found.lower < found.mean < found.upper
    assert single.mean == clustered.mean == pytest.approx(scores.mean())
    assert clustered.upper - clustered.lower > 1.5 * (single.upper - single.lower)  # type: ignore[operator]


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(2)
    truth, inside, runs = 0.5, 0, 200
    families = [f"f{n // 2}" for n in range(60)]
    effects = np.repeat(random.uniform(0, 1, (30, runs)), 2, axis=0)
    for found in intervals(effects, families):
        assert found is not None
        assert found.lower is not None
        assert found.upper is not None
        inside += found.lower <= truth <= found.upper
    assert 0.90 <= inside / runs <= 0.99


def test_few_families_have_no_interval_and_a_run_without_scores_has_none() -> None:
    values = np.array([[0.5, np.nan], [1.0, np.nan]] * 4)
    few, empty = intervals(values, ["one", "two"] * 4)
    assert few == Interval(0.75, None, None)
    assert empty is None


def test_a_run_ranks_higher_only_when_its_interval_lies_wholly_above() -> None:
    found = [Interval(0.9, 0.8, 1.0), Interval(0.75, 0.65, 0.85), Interval(0.5, 0.4, 0.6), None]
    # The second overlaps the first, so they tie; the third lies below both.
    assert ranks(found) == [1, 1, 3, None]


def test_touching_intervals_are_ties() -> None:
    assert ranks([Interval(0.7, 0.6, 0.8), Interval(0.5, 0.4, 0.6)]) == [1, 1]


def test_pass_hat_k_is_unbiased() -> None:
    tasks = run({"a": [1.0, 1.0, 0.0, 1.0], "b": [0.0, 0.0, 0.0, 0.0]}).tasks
    assert pass_hat_k(tasks, 1) == pytest.approx(0.375)
    assert pass_hat_k(tasks, 2) == pytest.approx((math.comb(3, 2) / math.comb(4, 2)) / 2)
    assert pass_hat_k(tasks, 4) == 0.0
    assert pass_hat_k(tasks, 5) is None


def test_pass_hat_k_leaves_out_tasks_with_too_few_scored_epochs() -> None:
    tasks = run({"a": [1.0, None], "b": [1.0, 1.0]}).tasks
    assert pass_hat_k(tasks, 2) == 1.0
    assert pass_hat_k(tasks, 1) == 1.0


def test_pairs_are_compared_on_the_same_tasks() -> None:
    random = np.random.default_rng(3)
    hard = random.uniform(0.2, 0.9, 80)
    # Every task a little better: the difference is certain although the intervals overlap widely.
    values = np.stack([hard, hard + 0.02 + random.normal(0, 0.005, 80), hard], axis=1)
    families = [f"f{n}" for n in range(80)]
    pairs = pairwise(values, families)
    assert pairs.difference[1, 0] == pytest.approx(0.02, abs=0.005)
    assert pairs.marks[1, 0] == 2
    assert pairs.marks[0, 1] == -2
    assert pairs.marks[2, 0] == 0


def test_pairs_with_missing_tasks_use_those_that_both_have() -> None:
    values = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, np.nan], [0.5, 0.5]])
    pairs = pairwise(values, ["a", "b", "c", "d"])
    assert pairs.difference[0, 1] == pytest.approx(-1 / 3)


def test_equal_runs_are_rarely_marked_as_different() -> None:
    families = [f"f{n}" for n in range(60)]
    shares = []
    for seed in range(20):
        values = np.random.default_rng(seed).uniform(0, 1, (60, 20))
        marks = pairwise(values, families).marks
        shares.append(np.mean(marks[np.tril_indices(20, -1)] != 0))
    assert 0.03 < np.mean(shares) < 0.08
