"""How time and memory grow when logs become traces: made-up logs of 250 to 10,000 samples.

python -m benchmarks.traces                          250, 2,500 and 10,000 samples (1.5 GB of JSON)
python -m benchmarks.traces --sizes 25000            as many as the paper has

A log holds one sample again and again, under other names and with other figures in it, as zip
members that are written one by one. Every size is read by a process of its own, whose greatest
resident memory is told. Writes benchmarks/results/traces.json.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from benchmarks.cost import machine
from benchmarks.rows import Row, median_row, write

NAME = "traces"
SIZES = (250, 2_500, 10_000)
ROUNDS, RESULT_BYTES = 13, 15_000
"""As in the paper: 13 rounds and about 18,700 tokens a trace."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traces")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--read", help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.read:
        print(json.dumps(read(settings.read)))
        return
    rows: list[Row] = []
    for size in map(int, settings.sizes.split(",")):
        rows += measure(size)
    print(f"written: {write(NAME, rows, machine())}")


def measure(size: int) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="traces-") as name:
        log = Path(name) / "made-up.eval"
        unpacked = make_up(log, size)
        command = [sys.executable, "-m", "benchmarks.traces", "--read", str(log)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr.strip()[-2000:])
        found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
        packed = log.stat().st_size
    print(
        f"{size} samples, log {packed / 1e6:,.0f} MB ({unpacked / 1e6:,.0f} MB of JSON): "
        f"{found['seconds']:.1f} s, {1000 * found['seconds'] / size:.1f} ms a sample, memory "
        f"{found['before_mb']:.0f} to {found['peak_mb']:.0f} MB, {found['kept']:.0f} kept",
        flush=True,
    )
    what = f"{size} samples"
    figures = (
        ("log", "MB", packed / 1e6),
        ("log_unpacked", "MB", unpacked / 1e6),
        ("wall", "s", found["seconds"]),
        ("wall_per_sample", "ms", 1000 * found["seconds"] / size),
        ("peak_memory", "MB", found["peak_mb"]),
        ("memory_above_start", "MB", found["peak_mb"] - found["before_mb"]),
    )
    return [median_row(what, 1, metric, unit, [value]) for metric, unit, value in figures]


def read(log: str) -> dict[str, float]:
    """Collects, in this process."""
    from clawgym_train.traces import collect
    from clawgym_train.traces.overlap import Overlap

    overlap = Overlap()
    before = _peak()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="traces-out-") as out:
        outcome = collect([log], f"{out}/traces", overlap=overlap)
    return {
        "seconds": time.monotonic() - begin,
        "before_mb": before,
        "peak_mb": _peak(),
        "kept": outcome.kept,
    }


def _peak() -> float:
    """The greatest resident memory so far; Linux counts in KB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def make_up(log: Path, size: int) -> int:
    """Writes the log; gives the bytes of its JSON."""
    header, sample = _pattern()
    unpacked = 0
    draw = random.Random(1)
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(size):
            name = f"task-{number:06}"
            # Figures that differ, so that packing does not make the log unlike a real one.
            text = sample.replace("task-name", name).replace("FIGURES", _figures(draw))
            unpacked += len(text)
            archive.writestr(f"samples/{name}_epoch_1.json", text)
        with archive.open("summaries.json", "w") as file:
            for number in range(size):
                row = json.dumps(_summary(f"task-{number:06}"))
                file.write(f"{',' if number else '['}{row}\n".encode())
            file.write(b"]")
        archive.writestr("header.json", header)
    return unpacked


def _figures(draw: random.Random) -> str:
    return draw.randbytes(RESULT_BYTES // 2).hex()


def _summary(name: str) -> dict[str, Any]:
    value = {"score": 1.0, "success": 1.0, "rubric": float("nan")}
    return {
        "id": name,
        "epoch": 1,
        "uuid": name,
        "input": "Add up the figures of the week, please. " * 10,
        "target": "",
        "metadata": {"family": name, "category": "made-up", "hash": name},
        "scores": {"hybrid": {"value": value, "explanation": "x" * 1000}},
        "message_count": 2 * ROUNDS + 1,
    }


def _pattern() -> tuple[str, str]:
    """The JSON of a log's header and of one sample, as Inspect writes them."""
    from inspect_ai.event import ModelEvent
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalSample,
        EvalSpec,
        write_eval_log,
    )
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageTool,
        ChatMessageUser,
        GenerateConfig,
        ModelOutput,
    )
    from inspect_ai.scorer import Score
    from inspect_ai.tool import ToolCall

    talk: list[ChatMessage] = [
        ChatMessageSystem(content="You are an assistant. " * 60),
        ChatMessageUser(content="Add up the figures of task-name, please."),
    ]
    events = []
    for number in range(ROUNDS):
        call = ToolCall(id=f"c{number}", function="exec", arguments={"command": f"cat {number}"})
        answer = number == ROUNDS - 1
        said = ChatMessageAssistant(
            content="Done." if answer else "Looking.", tool_calls=None if answer else [call]
        )
        events.append(
            ModelEvent(
                model="made-up/model", input=list(talk), tools=[], tool_choice="auto",
                config=GenerateConfig(), output=ModelOutput.from_message(said),
            )
        )  # fmt: skip
        talk.append(said)
        if not answer:
            content = "FIGURES" if number % 4 == 0 else f"line {number}\n" * 300
            talk.append(
                ChatMessageTool(content=content, function="exec", tool_call_id=f"c{number}")
            )
    made = EvalSample(
        id="task-name", epoch=1, input="Add up.", target="", uuid="task-name", messages=talk,
        events=list(events), metadata={"family": "task-name", "category": "made-up"},
        scores={"hybrid": Score(value={"score": 1.0, "success": 1.0})},
    )  # fmt: skip
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-01-01T00:00:00+00:00", task="made-up", model="made-up/model",
            dataset=EvalDataset(), config=EvalConfig(), metadata={"agent": "claw"},
        ),
        samples=[made],
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "one.eval"
        write_eval_log(log, str(path))
        import inspect_ai._util.zipfile  # noqa: F401  (teaches zipfile zstandard)

        with zipfile.ZipFile(path) as archive:
            header = archive.read("header.json").decode()
            (member,) = [item for item in archive.namelist() if item.startswith("samples/")]
            return header, archive.read(member).decode()


if __name__ == "__main__":
    main()
