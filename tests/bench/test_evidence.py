import json
import random
from dataclasses import replace

import pytest

from clawgym_bench.checks import ToolCall
from clawgym_bench.errors import InputError
from clawgym_bench.evidence import evidence_of, pack, unpack
from clawgym_bench.grading import grade
from clawgym_bench.sandbox import Snapshot
from tests.conftest import MakeTask


def test_a_record_gives_back_equal_evidence(new_task: MakeTask) -> None:
    task = new_task()
    files = {"sales.csv": task.inputs["sales.csv"], "out/totals.csv": b"\0\xffbytes"}
    snapshot = Snapshot(files, frozenset({"out"}), {"link": "a link"}, "cut short")
    calls = [ToolCall(1, "exec", {"command": "ls"}, "boom")]
    evidence = evidence_of(task, snapshot, ["Done."], calls)
    record = json.loads(json.dumps(pack(task, evidence)))
    assert unpack(task, record) == evidence


def test_untouched_inputs_are_not_stored_and_removed_ones_are_named(new_task: MakeTask) -> None:
    task = new_task({"workspace/big.bin": random.Random(1).randbytes(100_000)})
    kept = Snapshot({"big.bin": task.inputs["big.bin"]})
    record = pack(task, evidence_of(task, kept, [""], []))
    assert len(record["files"]) < 100
    assert record["removed"] == ["sales.csv"]
    assert "sales.csv" not in unpack(task, record).snapshot.files


def test_what_is_too_large_is_left_out_named_and_never_graded(
    new_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgym_bench.evidence.STORED_BYTES", 20_000)
    task = new_task()
    noise = random.Random(1).randbytes(50_000)
    snapshot = Snapshot({**task.inputs, "noise.bin": noise, "small.txt": b"x"})
    record = pack(task, evidence_of(task, snapshot, [""], []))
    assert record["left_out"] == ["noise.bin"]
    with pytest.raises(InputError, match=r"too large to be stored: noise\.bin"):
        unpack(task, record)


def test_a_damaged_or_exploding_record_is_refused(
    new_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = new_task()
    snapshot = Snapshot({**task.inputs, "zeros": bytes(1_000_000)})
    record = pack(task, evidence_of(task, snapshot, [""], []))
    with pytest.raises(InputError, match="cannot be read"):
        unpack(task, {**record, "files": "!"})
    with pytest.raises(InputError, match="cannot be read"):
        unpack(task, {**record, "more": 1})
    monkeypatch.setattr("clawgym_bench.evidence.UNPACKED_BYTES", 1_000)
    with pytest.raises(InputError, match="unpack to more"):
        unpack(task, record)


def test_grades_from_a_record_are_equal(new_task: MakeTask) -> None:
    task = new_task()
    files = {**task.inputs, "out/totals.csv": b"vendor,total\nAster,7\nBirch,3\n"}
    evidence = evidence_of(task, Snapshot(files), ["Done."], [])
    again = unpack(task, pack(task, evidence))
    assert grade(task, again) == grade(task, replace(evidence))
