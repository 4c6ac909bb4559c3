"""Rows of the board from results."""

import json

from clawgym_bench.board.downloads import badge, feed, run_table
from clawgym_bench.board.result import RunResult
from clawgym_bench.board.standings import Entry, run_page, standings
from tests.bench.board.runs import run

SCORES: dict[str, list[float | None]] = {
    "a": [1.0, 0.5], "b": [1.0, 1.0], "c": [None, 0.0], "d": [0.5, 0.5],
    "e": [1.0, 0.5], "f": [1.0, 1.0], "g": [None, 0.0], "h": [0.5, 0.5],
}  # fmt: skip


def entries(*results: RunResult) -> list[Entry]:
    return [Entry(f"run-{number}", result) for number, result in enumerate(results)]


def test_a_row_says_what_the_run_says() -> None:
    board = standings(entries(run(SCORES)))
    (row,) = board["runs"]
    assert row["score"][0] == 0.5625
    assert row["scores"] == [750, 1000, 0, 500] * 2
    assert row["unscored"] == 2
    assert row["noise"][0] == 354
    assert row["noise"][2] == -1
    assert row["passes"] == [0.375, round(1 / 3, 4)]
    assert row["rank"] == 1


def test_runs_of_older_sets_are_kept_without_competing() -> None:
    old = run(SCORES, task_set_hash="old", created="2026-01-01T00:00:00+00:00")
    new = run(SCORES, task_set_hash="new", created="2026-02-01T00:00:00+00:00")
    board = standings(entries(old, new))
    assert [group["hash"] for group in board["sets"]] == ["new", "old"]
    assert [row["set"] for row in board["runs"]] == [0, 1]


def test_the_shipped_set_is_the_current_one_even_when_another_ran_later() -> None:
    shipped = run(SCORES, task_set_hash="shipped", created="2026-01-01T00:00:00+00:00")
    later = run(SCORES, task_set_hash="other", created="2026-02-01T00:00:00+00:00")
    assert standings(entries(shipped, later), "shipped")["sets"][0]["hash"] == "shipped"


def test_a_part_of_a_set_does_not_become_the_current_set() -> None:
    whole = run(SCORES, task_set_hash="whole", created="2026-01-01T00:00:00+00:00")
    part = run(
        {"a": [1.0]}, task_set_hash="part", created="2026-02-01T00:00:00+00:00",
        subset={"ids": "a"},
    )  # fmt: skip
    board = standings(entries(whole, part))
    assert board["sets"][0]["hash"] == "whole"
    assert [row["rank"] for row in board["runs"] if row["part"]] == [None]


def test_references_have_no_rank_and_push_nobody_down() -> None:
    oracle = run({name: [1.0] for name in "abcdefgh"}, agent="oracle", model="none/none")
    junk = run({name: [0.0] for name in "abcdefgh"}, agent="noop", model="none/none", run="r3")
    model = run({name: [0.1 * n] for n, name in enumerate("abcdefgh")}, run="r2")
    rows = {row["kind"]: row for row in standings(entries(oracle, model, junk))["runs"]}
    assert rows["oracle"]["rank"] is None
    assert rows["junk"]["rank"] is None
    assert rows["model"]["rank"] == 1


def test_cost_is_priced_unpriced_or_none() -> None:
    data = run(SCORES, spend="priced").model_dump()
    for task in data["tasks"]:
        for trial in task["trials"]:
            trial["cost"] = 0.25
    priced = RunResult.model_validate(data)
    rows = standings(entries(priced, run(SCORES, spend="unpriced"), run(SCORES, spend="none")))
    by_spend = {row["spend"]: row["cost"] for row in rows["runs"]}
    assert by_spend == {"priced": 4.0, "unpriced": None, "none": None}


def test_everything_of_the_pages_is_json() -> None:
    found = entries(run(SCORES))
    json.dumps(standings(found), allow_nan=False)
    json.dumps(run_page(found[0]), allow_nan=False)


def test_the_badge_escapes_and_shows_the_interval() -> None:
    (row,) = standings(entries(run(SCORES)))["runs"]
    image = badge({**row, "verified": True})
    assert image.startswith("<svg")
    assert "0.56 [" in image
    assert "✓" in image


def test_the_feed_is_well_formed_whatever_a_model_is_called() -> None:
    from lxml import etree

    found = entries(run(SCORES, model='a<b>&"\x07'))
    text = feed(standings(found), found, "https://board.example")
    items = etree.fromstring(text.encode()).findall(".//item")
    assert len(items) == 1
    assert items[0].findtext("title") == 'a<b>&" with claw: 0.562'
    assert items[0].findtext("link") == "https://board.example/run.html#run=run-0"


def test_the_table_for_download_has_every_run() -> None:
    table = run_table(standings(entries(run(SCORES), run(SCORES, agent="oracle"))))
    assert list(table["kind"]) == ["model", "oracle"]
    assert table["score"].tolist() == [0.5625, 0.5625]
