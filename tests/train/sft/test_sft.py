"""Fine-tuning end to end on a model made here."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from clawgym_bench.errors import InputError
from clawgym_train.checkpoint import load_model, load_tokenizer
from clawgym_train.config import Lora, load_config
from clawgym_train.rollout import ChatFormat
from clawgym_train.sft import SftConfig
from clawgym_train.sft.data import held_out, tokenized
from clawgym_train.sft.train import train
from clawgym_train.tiny import TinyModel, new_model
from tests.train.templates import tokenizer


def conversation(number: int, skeleton: str = "") -> dict[str, Any]:
    name = f"file{number % 7}.csv"
    call = {"type": "function", "function": {"name": "read", "arguments": {"path": name}}}
    return {
        "messages": [
            {"role": "user", "content": f"Read {name}."},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "name": "read", "content": f"total {number}"},
            {"role": "assistant", "content": "Done."},
        ],
        "tools": [],
        "skeleton": skeleton or f"s{number % 5}",
    }


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def base(tmp_path: Path) -> str:
    folder = tmp_path / "base"
    made = tokenizer("tiny")
    made.save_pretrained(folder)
    new_model(made, TinyModel(layers=2, width=64), seed=0).save_pretrained(folder)
    return str(folder)


def settings(base: str, data: str, out: Path, **more: Any) -> SftConfig:
    given = {
        "model": base, "data": data, "out": out, "steps": 30, "learning_rate": 5e-3, "batch": 8,
        "device_batch": 8, "max_tokens": 256, "eval_every": 10, "log_every": 5, "save_every": 15,
    }  # fmt: skip
    return SftConfig.model_validate({**given, **more})


def test_a_run_learns_evaluates_on_held_out_skeletons_and_draws(base: str, tmp_path: Path) -> None:
    data = write(tmp_path / "train.jsonl", [conversation(n) for n in range(64)])
    out = train(settings(base, data, tmp_path / "out", eval_share=0.4))
    figures = json.loads((out / "metrics.json").read_text())
    losses = [row["eval_loss"] for row in figures["history"] if "eval_loss" in row]
    assert losses[-1] < losses[0] / 2
    assert figures["conversations"]["held_out"] > 0
    assert (out / "loss.png").stat().st_size > 10_000
    learnt = load_model(str(out))
    assert load_tokenizer(str(out)).response_template == tokenizer("tiny").response_template
    chat = ChatFormat(load_tokenizer(str(out)))
    ids, mask = chat.training_example(conversation(3)["messages"], [])
    with torch.no_grad():
        guesses = learnt(input_ids=torch.tensor([ids])).logits[0].argmax(-1).tolist()
    spoken = [at for at, learns in enumerate(mask) if learns]
    right = sum(guesses[at - 1] == ids[at] for at in spoken) / len(spoken)
    assert right > 0.8


def test_a_killed_run_goes_on_from_its_checkpoint(base: str, tmp_path: Path) -> None:
    data = write(tmp_path / "train.jsonl", [conversation(n) for n in range(32)])
    whole = train(settings(base, data, tmp_path / "whole"))
    out = tmp_path / "cut"
    train(settings(base, data, out, schedule="constant", steps=15))
    with pytest.raises(InputError, match="--resume"):
        train(settings(base, data, out))
    train(settings(base, data, out, schedule="constant", steps=30), resume=True)
    history = json.loads((out / "metrics.json").read_text())["history"]
    assert [row["step"] for row in history if "loss" in row] == [5, 10, 15, 20, 25, 30]
    assert (whole / "model.safetensors").is_file()


def test_lora_and_packing(base: str, tmp_path: Path) -> None:
    data = write(tmp_path / "train.jsonl", [conversation(n) for n in range(64)])
    lora = Lora(rank=4, alpha=8)
    out = train(
        settings(
            base, data, tmp_path / "out", lora=lora, packing=True, steps=4, batch=2, device_batch=2
        )
    )
    assert (out / "adapter_config.json").is_file()
    before, after = load_model(base), load_model(str(out))
    changed = [
        name
        for name, weight in after.state_dict().items()
        if not torch.equal(weight, before.state_dict()[name])
    ]
    assert changed
    assert all("proj" in name for name in changed)


def test_tools_with_unlike_arguments_do_not_mix(tmp_path: Path) -> None:
    """No tool learns another one's argument as null."""
    write_call = {
        "type": "function",
        "function": {"name": "write", "arguments": {"path": "a", "content": "b"}},
    }
    row = conversation(1)
    row["messages"][3:3] = [
        {"role": "assistant", "content": "", "tool_calls": [write_call]},
        {"role": "tool", "name": "write", "content": "ok"},
    ]
    chat = ChatFormat(tokenizer("tiny"))
    data = tokenized(write(tmp_path / "d.jsonl", [row]), chat, 512)
    text = chat.tokenizer.decode(data.train[0]["input_ids"])
    assert "null" not in text
    assert '{"path": "file1.csv"}' in text


def test_long_conversations_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [conversation(1), conversation(2)]
    rows[1]["messages"][2]["content"] = "x 1 " * 400
    chat = ChatFormat(tokenizer("tiny"))
    data = tokenized(write(tmp_path / "d.jsonl", rows), chat, 256)
    assert (data.counts.used, data.counts.too_long) == (1, 1)
    with pytest.raises(InputError, match="2 longer than 16 tokens"):
        tokenized(str(tmp_path / "d.jsonl"), chat, 16)


def test_a_skeleton_stands_on_one_side() -> None:
    rows = [conversation(n, skeleton=f"plan-{n % 40}") for n in range(200)]
    sides = {row["skeleton"]: held_out(row, 0.3) for row in rows}
    assert all(sides[row["skeleton"]] == held_out(row, 0.3) for row in rows)
    assert 3 < sum(sides.values()) < 25


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("model: a\ndata: b\nout: c\nlerning_rate: 1", "lerning_rate"),
        ("model: a\ndata: b\nout: c\nbatch: -1", "found -1"),
        ("- 1", "must hold"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_wrong_config_is_told_in_one_message(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        load_config(path, SftConfig)


def test_wrong_data_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(json.dumps(conversation(1)) + '\n{"messages": []}\n')
    with pytest.raises(InputError, match=r"d.jsonl:2: needs `messages`"):
        tokenized(str(tmp_path / "d.jsonl"), ChatFormat(tokenizer("tiny")), 256)
