import pytest

from clawgym_bench.checks.reward import score_findings
from clawgym_bench.errors import TaskFault


def shares(text: str) -> list[float | None]:
    return [finding.share for finding in score_findings(text)]


def test_sub_scores_count_one_by_one() -> None:
    assert shares('{"a": 1, "b": 0.5, "c": false, "note": "text", "list": [1]}') == [1.0, 0.5, 0.0]


def test_a_declared_total_is_never_averaged_with_its_parts() -> None:
    assert shares('{"a": 1, "b": 1, "reward": 0.25}') == [0.25]
    assert "a 1" in score_findings('{"a": 1, "reward": 0.25}')[0].reason


def test_a_number_on_the_last_line_is_the_score() -> None:
    assert shares("checking\nstill checking\n0.5\n") == [0.5]


def test_an_object_on_the_last_line_is_found_behind_chatter() -> None:
    assert shares('working\n{"a": 1}\n') == [1.0]


@pytest.mark.parametrize(
    "text",
    ["", "fine!", "{}", '{"a": 1.5}', '{"a": -0.1}', '{"a": NaN}', "7", '"1"', "[1]", "null",
     '{"note": "x"}', "[" * 100_000],
)  # fmt: skip
def test_anything_else_says_nothing_about_the_agent(text: str) -> None:
    with pytest.raises(TaskFault, match="checker"):
        score_findings(text)
