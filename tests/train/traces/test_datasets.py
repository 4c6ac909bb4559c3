"""Traces as `datasets` loads them: argument structs of different tools must not be unified."""

import json
from pathlib import Path

import pytest

from clawgym_train.traces import collect
from clawgym_train.traces.overlap import Overlap
from tests.train.traces.made_up import SYSTEM, answers, call_of, calls, log, sample, says, user

datasets = pytest.importorskip("datasets")
pytestmark = pytest.mark.train


def test_rows_come_back_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets.disable_progress_bars()
    edits = [{"oldText": "a\n", "newText": "ü \u2028"}]
    talks = [
        [SYSTEM, user(), calls(path="a.csv"), answers("1,2"), says("Three.")],
        [SYSTEM, user(), calls("exec", command="true", env={"A": "b"}), answers(""), says("Ok.")],
        [SYSTEM, user(), calls("edit", path="a", edits=edits), answers("Edited."), says("Yes.")],
        [SYSTEM, user(), calls("read", path="7", limit=None), answers("No.", error="No"),
         calls(path="a", id="c2"), answers("1", id="c2"), says("7")],
        [SYSTEM, user(), says("Nothing to do.")],
    ]  # fmt: skip
    samples = [sample(f"task-{number}", talk) for number, talk in enumerate(talks)]
    # One agent with tools of its own among those with the Claw tools.
    answer = says("Other tools.")
    samples.append(sample("other", [user(), answer], events=[call_of([user()], answer)]))
    collect([log(tmp_path / "a.eval", samples)], tmp_path / "out", overlap=Overlap([]))
    file = tmp_path / "out" / "traces.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(samples)

    def same(loaded: object) -> bool:
        return json.dumps(list(loaded), sort_keys=True) == json.dumps(rows, sort_keys=True)  # type: ignore[call-overload]

    cache = str(tmp_path / "cache")
    assert same(
        datasets.load_dataset(
            "json", data_files=str(file), split="train", cache_dir=cache, on_mixed_types="use_json"
        )
    )
    assert same(datasets.Dataset.from_list(rows, on_mixed_types="use_json"))
    assert not same(datasets.Dataset.from_list(rows)), "the trap is gone: say so in docs/traces.md"
