"""A checkpoint through `inspect eval`, by the provider that the package registers."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import imported
from clawgym_bench.task.store import write_lines
from clawgym_train.serve.evaluate import eval_command
from clawgym_train.tiny import TinyModel, new_model
from tests.conftest import MakeTask
from tests.train.templates import tokenizer


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    folder = tmp_path / "model"
    made = tokenizer("tiny")
    made.save_pretrained(folder)
    new_model(made, TinyModel(layers=2, width=64, context=512), seed=0).save_pretrained(folder)
    return str(folder)


@pytest.mark.bwrap
def test_an_untrained_checkpoint_is_scored(
    checkpoint: str, new_task: MakeTask, tmp_path: Path
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_lines([new_task(id=f"demo-{n}") for n in range(3)], str(tasks))
    (log,) = inspect_eval(
        imported(str(tasks), sandbox="bwrap"),
        model=f"clawgym/{checkpoint}",
        max_tokens=32,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.status == "success"
    assert log.samples is not None
    assert len(log.samples) == 3
    for sample in log.samples:
        assert sample.error is None
        assert sample.scores is not None
        assert sample.scores["hybrid"].value["score"] == 0.0  # type: ignore[index, call-overload]


def test_command_lines(checkpoint: str) -> None:
    line = eval_command(checkpoint, tasks="set.jsonl", sandbox="bwrap", temperature=0)
    assert line == [
        "eval", "clawgym_bench/imported", "--model", f"clawgym/{checkpoint}",
        "-T", "path=set.jsonl", "-T", "sandbox=bwrap", "--temperature", "0",
    ]  # fmt: skip
    served = eval_command("Qwen/Qwen3-8B", provider="vllm")
    assert served[:4] == ["eval", "clawgym_bench", "--model", "vllm/Qwen/Qwen3-8B"]
    assert "tool_call_parser=hermes" in served
    assert "tool_call_parser=llama3_json" in eval_command("x/Llama-3.1-8B", provider="vllm")
    with pytest.raises(InputError, match="is no checkpoint"):
        eval_command("nowhere")
    with pytest.raises(InputError, match="no provider"):
        eval_command(checkpoint, provider="magic")
