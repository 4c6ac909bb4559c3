"""From logs to a folder of traces."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from clawgym_bench.errors import InputError
from clawgym_bench.taskset import load_bench
from clawgym_train.cli import app
from clawgym_train.traces import FORMATS, Filters, collect
from clawgym_train.traces.logs import array_items
from clawgym_train.traces.overlap import Overlap
from tests.train.traces.made_up import (
    SYSTEM,
    answers,
    call_of,
    calls,
    log,
    sample,
    says,
    user,
)

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def overlap() -> Overlap:
    return Overlap()


def rows(folder: Path, name: str = "traces.jsonl") -> Rows:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def reasons(folder: Path) -> dict[str, str]:
    return {f"{row['id']}/{row['epoch']}": row["why"] for row in rows(folder, "left_out.jsonl")}


def test_by_score(tmp_path: Path, overlap: Overlap) -> None:
    name = log(
        tmp_path / "a.eval",
        [
            sample("good", score=1.0),
            sample("half", score=0.5),
            sample("bad", score=0.4),
            sample("unscored", score=None),
            sample("nan", score=float("nan")),
            sample("broken", error="sandbox lost"),
        ],
    )
    collect([name], tmp_path / "out", overlap=overlap)
    assert [row["task"] for row in rows(tmp_path / "out")] == ["good", "half"]
    assert reasons(tmp_path / "out") == {
        "bad/1": "score", "unscored/1": "unscored", "nan/1": "unscored",
        "broken/1": "ended with an error",
    }  # fmt: skip
    collect([name], tmp_path / "strict", filters=Filters(strict=True), overlap=overlap)
    assert [row["task"] for row in rows(tmp_path / "strict")] == ["good"]


def test_best_of_takes_the_best_and_max_per_task_the_first(
    tmp_path: Path, overlap: Overlap
) -> None:
    one = log(tmp_path / "a.eval", [sample("t", score=0.6), sample("u", score=0.7)])
    two = log(
        tmp_path / "b.eval",
        [sample("t", score=score, epoch=epoch) for epoch, score in ((2, 1.0), (3, 0.8))],
    )
    collect([one, two], tmp_path / "best", best_of=2, overlap=overlap)
    assert [(r["task"], r["score"]) for r in rows(tmp_path / "best")] == [
        ("t", 1.0), ("t", 0.8), ("u", 0.7),
    ]  # fmt: skip
    collect([one, two], tmp_path / "first", max_per_task=1, overlap=overlap)
    assert [r["score"] for r in rows(tmp_path / "first")] == [0.6, 0.7]
    assert set(reasons(tmp_path / "first").values()) == {"enough of its task"}


def test_a_best_trace_that_is_filtered_makes_room_for_the_next(
    tmp_path: Path, overlap: Overlap
) -> None:
    refusing = [SYSTEM, user(), says("I'm sorry, but I can't help with that.")]
    name = log(
        tmp_path / "a.eval",
        [sample("t", refusing, score=1.0), sample("t", score=0.9, epoch=2)],
    )
    collect([name], tmp_path / "out", best_of=1, overlap=overlap)
    assert [row["score"] for row in rows(tmp_path / "out")] == [0.9]
    assert reasons(tmp_path / "out") == {"t/1": "refusal"}


def test_what_was_said_is_filtered(tmp_path: Path, overlap: Overlap) -> None:
    failing = [user(), calls(), answers("", error="No."), says("Done, I hope.")]
    key = "sk-" + "a1B2c3D4" * 4
    stopped = says("")
    long = [user(), says("word " * 4000)]
    name = log(
        tmp_path / "a.eval",
        [
            sample("fine"),
            sample("errors", failing),
            sample("key", [user(), calls(), answers(f"KEY={key}"), says("Done.")]),
            sample("blocked", [user(), stopped],
                   events=[call_of([user()], stopped, "content_filter")]),
            sample("cut", [user(), says("Half an")],
                   events=[call_of([user()], says("Half an"), "max_tokens")]),
            sample("mute", [user()]),
            sample("unfinished", [user(), calls()]),
            sample("long", long),
            sample("copy", [user(), says("Just so.")]),
            sample("copy-2", [user(), says("Just so.")]),
        ],
    )  # fmt: skip
    filters = Filters(finished=True, max_tokens=1000)
    collect([name], tmp_path / "out", filters=filters, overlap=overlap)
    assert [row["task"] for row in rows(tmp_path / "out")] == ["fine", "copy"]
    assert reasons(tmp_path / "out") == {
        "errors/1": "tool errors",
        "key/1": "secret",
        "blocked/1": "refusal",
        "cut/1": "answer cut off",
        "mute/1": "nothing said",
        "unfinished/1": "not finished",
        "long/1": "too many tokens",
        "copy-2/1": "the same as another",
    }
    assert key not in "".join(p.read_text() for p in (tmp_path / "out").iterdir())


def test_the_benchmark_is_kept_out(tmp_path: Path, overlap: Overlap) -> None:
    task = next(load_bench())
    request = task.sessions[0].instruction

    def asked(text: str) -> list[Any]:
        return [SYSTEM, user(text), says(f"Done: {text[:20]}")]

    half = " ".join(request.split()[: len(request.split()) // 2])
    name = log(
        tmp_path / "a.eval",
        [
            sample(task.id),
            sample("renamed", metadata={"hash": task.content_hash}),
            sample("request", asked(request)),
            sample("quoted", asked("Listen. " + "Some words of my own. " * 200 + half)),
            sample("canary", [SYSTEM, user(), calls(), answers(task.canary), says("Done.")]),
            sample("clean"),
        ],
    )
    outcome = collect([name], tmp_path / "out", overlap=overlap)
    assert [row["task"] for row in rows(tmp_path / "out")] == ["clean"]
    assert reasons(tmp_path / "out") == {
        f"{task.id}/1": "id of the benchmark",
        "renamed/1": "task of the benchmark",
        "request/1": "13-grams of the benchmark",
        "quoted/1": "13-grams of the benchmark",
        "canary/1": "canary of the benchmark",
    }
    assert outcome.card["decontamination"]["tasks"] == len(list(load_bench()))


def test_a_sample_that_two_logs_hold_counts_once(tmp_path: Path, overlap: Overlap) -> None:
    one = log(tmp_path / "a.eval", [sample("t"), sample("u", error="lost")])
    two = log(tmp_path / "b.eval", [sample("t"), sample("u")])
    collect([one, two], tmp_path / "out", overlap=overlap)
    assert [row["task"] for row in rows(tmp_path / "out")] == ["t", "u"]


@pytest.mark.parametrize("form", list(FORMATS))
def test_every_form_keeps_calls_and_results(tmp_path: Path, overlap: Overlap, form: str) -> None:
    arguments = {"path": "ü.csv", "edits": [{"oldText": "a\n", "newText": "€ \u2028"}], "n": None}
    messages = [SYSTEM, user(), calls("edit", **arguments), answers("Edited."), says("Done.")]
    name = log(tmp_path / "a.eval", [sample("t", messages)])
    collect([name], tmp_path / "out", form=form, overlap=overlap)
    (row,) = rows(tmp_path / "out")
    if form == "trl":
        call = row["messages"][2]["tool_calls"][0]["function"]
        assert call == {"name": "edit", "arguments": arguments}
        assert row["messages"][3]["content"] == "Edited."
        assert row["skeleton"] == "family-t"
    elif form == "atif":
        step = row["steps"][2]
        assert step["tool_calls"][0]["arguments"] == arguments
        assert step["observation"]["results"] == [{"content": "Edited.", "source_call_id": "c1"}]
        assert [s["source"] for s in row["steps"]] == ["system", "user", "agent", "agent"]
    else:
        kinds = [turn["from"] for turn in row["conversations"]]
        assert kinds == ["human", "function_call", "observation", "gpt"]
        assert json.loads(row["conversations"][1]["value"])["arguments"] == arguments
        assert row["system"] == "You are an assistant."
        assert {tool["name"] for tool in json.loads(row["tools"])} >= {"read", "exec"}


def test_atif_is_valid_by_its_own_models(tmp_path: Path, overlap: Overlap) -> None:
    atif = pytest.importorskip("atif")
    name = log(tmp_path / "a.eval", [sample("t"), sample("u", score=0.5)])
    collect([name], tmp_path / "out", form="atif", overlap=overlap)
    for row in rows(tmp_path / "out"):
        found = atif.Trajectory.model_validate(row)
        assert found.model_dump(exclude_none=True, mode="json") == row


def test_the_same_logs_give_the_same_bytes(tmp_path: Path, overlap: Overlap) -> None:
    name = log(tmp_path / "a.eval", [sample("t"), sample("u", score=0.2)])
    for out in ("one", "two"):
        collect([name], tmp_path / out, overlap=overlap)
    for file in sorted((tmp_path / "one").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_the_card_tells_what_was_kept_next_to_the_paper(tmp_path: Path, overlap: Overlap) -> None:
    name = log(tmp_path / "a.eval", [sample("t"), sample("u", score=0.2)], agent="x|y")
    collect([name], tmp_path / "out", overlap=overlap)
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["counts"] == {"samples": 2, "kept": 1}
    assert card["left_out"] == {"score": 1}
    assert card["statistics"]["per_trace"]["rounds"]["mean"] == 2
    assert card["statistics"]["tools"] == {"read": 1}
    assert card["paper"]["tool_calls"] == 15.8
    page = (tmp_path / "out" / "README.md").read_text()
    assert "| tool calls | 1 | 1 | 1 | 15.8 |" in page
    assert "x\\|y" in page
    assert str(tmp_path) not in page + json.dumps(card)


def test_nothing_kept_is_an_error_that_says_why(tmp_path: Path, overlap: Overlap) -> None:
    name = log(tmp_path / "a.eval", [sample("t", score=0.1)])
    with pytest.raises(InputError, match=r"nothing is kept of 1 samples \(1 score\)"):
        collect([name], tmp_path / "out", overlap=overlap)


def test_mistakes_are_told(tmp_path: Path) -> None:
    runner = CliRunner()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "torn.eval").write_bytes(b"PK\3\4 torn")
    name = log(tmp_path / "a.eval", [sample("t")])
    for arguments, said in (
        ([str(tmp_path / "none.eval")], "no log that Inspect can read"),
        ([str(tmp_path / "torn.eval")], "no log that Inspect can read"),
        ([str(tmp_path / "full")], "holds no log"),
        ([name, "--format", "x"], "must be trl, atif, sharegpt"),
        ([name, "--reasoning", "some"], "must be keep or drop"),
        ([name, "--min-score", "2"], "from 0 to 1"),
        ([name, "--best-of", "0"], "above 0"),
        ([name, "--tokenizer", str(tmp_path)], "tokenizer"),
        ([name, "--out", str(tmp_path / "full")], "exists"),
    ):
        found = runner.invoke(app, ["traces", *arguments, "--out", str(tmp_path / "out")]
                              if "--out" not in arguments else ["traces", *arguments])  # fmt: skip
        assert isinstance(found.exception, InputError), arguments
        assert said in str(found.exception)


def test_summaries_are_read_item_by_item(tmp_path: Path) -> None:
    items = [{"a": "é" * 300_000, "b": float("nan")}, 1, [], {"c": "]"}]
    (tmp_path / "x.json").write_text(json.dumps(items, ensure_ascii=False, indent=1))
    with (tmp_path / "x.json").open("rb") as file:
        found = list(array_items(file))
    assert json.dumps(found) == json.dumps(items)
    (tmp_path / "torn.json").write_text('[{"a": 1}, {"a"')
    with (tmp_path / "torn.json").open("rb") as file, pytest.raises(ValueError, match="ends"):
        list(array_items(file))
