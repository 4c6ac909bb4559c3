"""GRPO on real tasks in real sandboxes, with a model made and taught here."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import torch
from inspect_ai.log import read_eval_log

from clawgym_bench.errors import InfrastructureError, InputError
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task
from clawgym_bench.task.store import write_lines
from clawgym_bench.taskset import task_set
from clawgym_train.checkpoint import load_model, load_tokenizer
from clawgym_train.rl import RlConfig
from clawgym_train.rl.config import Endpoint
from clawgym_train.rl.junk import JunkWatch
from clawgym_train.rl.step import StepRollouts
from clawgym_train.rl.train import train
from clawgym_train.rl.weights import WeightSync
from clawgym_train.rollout import ChatFormat, Completion, RolloutEngine
from clawgym_train.rollout.transformers_policy import TransformersPolicy
from clawgym_train.sft import SftConfig
from clawgym_train.sft.train import train as fine_tune
from clawgym_train.tiny import TinyModel, new_model, train_tokenizer
from tests.conftest import MakeTask
from tests.train.rollout.scripted_policy import ScriptedPolicy, follow
from tests.train.rollout.test_engine import Leaky

pytestmark = pytest.mark.bwrap

NAMES = ("Aster", "Birch", "Cedar", "Dogwood")


def say_task(new_task: MakeTask, name: str, **fields: Any) -> Task:
    """A task whose whole answer is one word."""
    return new_task(
        id=f"say-{name.lower()}",
        sessions=[{"instruction": f"Write {name} to a.txt."}],
        outputs=[{"path": "a.txt", "format": "txt"}],
        checks=fields.pop(
            "checks",
            [
                {
                    "id": "word",
                    "cites": name,
                    "text": {"path": "a.txt", "contains": [name], "words": {"max": 1}},
                }
            ],
        ),
        files={
            "workspace/sales.csv": None,
            "expected/totals.csv": None,
            "solution/files/out/totals.csv": None,
            "solution/files/a.txt": name,
        },
        **fields,
    )


def act(content: str) -> dict[str, Any]:
    function = {"name": "write", "arguments": {"path": "a.txt", "content": content}}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": function}],
    }


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A model that writes the right word about every second time."""
    folder = tmp_path_factory.mktemp("taught")
    rows = []
    for name in NAMES:
        ask = (
            f"Write {name} to a.txt.\n\nFiles to deliver (paths relative to the workspace):\n"
            "- `a.txt` (txt)"
        )
        for said in [name] * 3 + [other for other in NAMES if other != name]:
            messages = [
                {"role": "user", "content": ask},
                act(said),
                {"role": "tool", "name": "write", "content": f"Wrote {len(said)} bytes to a.txt."},
                {"role": "assistant", "content": "Done."},
            ]
            rows.append({"messages": messages, "tools": [], "skeleton": name})
    data = folder / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    tokenizer = train_tokenizer([json.dumps(row) for row in rows], 400)
    base = folder / "base"
    tokenizer.save_pretrained(base)
    new_model(tokenizer, TinyModel(layers=2, width=64), seed=0).save_pretrained(base)
    config = SftConfig(
        model=str(base), data=str(data), out=folder / "sft", steps=80, learning_rate=5e-3,
        batch=24, device_batch=24, max_tokens=512,
    )  # fmt: skip
    return str(fine_tune(config)), folder


def settings(model: str, tasks: Path, out: Path, **more: Any) -> RlConfig:
    given = {
        "model": model, "tasks": str(tasks), "out": out, "steps": 4, "prompts": 4, "samples": 8,
        "device_batch": 32, "learning_rate": 5e-4, "temperature": 1.0, "turn_tokens": 64,
        "max_tokens": 512, "save_every": 2, "kl": 0.001,
    }  # fmt: skip
    return RlConfig.model_validate({**given, **more})


def test_reward_rises_and_a_killed_run_goes_on(
    taught: tuple[str, Path], new_task: MakeTask, tmp_path: Path
) -> None:
    model, _ = taught
    tasks = tmp_path / "tasks.jsonl"
    write_lines([say_task(new_task, name) for name in NAMES], str(tasks))
    out = tmp_path / "rl"
    train(settings(model, tasks, out))
    with pytest.raises(InputError, match="--resume"):
        train(settings(model, tasks, out))
    train(settings(model, tasks, out, steps=16), resume=True)
    figures = json.loads((out / "metrics.json").read_text())
    scores = [row["score"] for row in figures["history"] if "score" in row]
    assert len(scores) == 16
    assert sum(scores[-4:]) / 4 > sum(scores[:4]) / 4 + 0.15
    assert all(row["kl"] >= 0 for row in figures["history"] if "kl" in row)
    assert figures["alarms"] == []
    assert (out / "run.png").stat().st_size > 10_000
    logs = sorted((out / "rollouts").glob("*.eval"))
    assert len(logs) == 16
    log = read_eval_log(str(logs[-1]))
    assert log.samples is not None
    assert len(log.samples) == 32
    assert log.samples[0].messages[1].role == "assistant"
    learnt, before = load_model(str(out)), load_model(model)
    assert any(
        not torch.equal(weight, before.state_dict()[name])
        for name, weight in learnt.state_dict().items()
    )


class FakeTrainer:
    """What a step needs of TRL's trainer."""

    def __init__(self) -> None:
        self.state = type("State", (), {"global_step": 0})()
        self.accelerator = type("Accelerator", (), {"num_processes": 1, "process_index": 0})()


class Scripted(ScriptedPolicy):
    async def close(self) -> None:
        return None


def step(config: RlConfig, backend: Backend, *acts: Any) -> StepRollouts:
    chat = ChatFormat(load_tokenizer(config.model))
    policy = Scripted(chat, follow(*acts))
    return StepRollouts(config, task_set(config.tasks), chat, backend, lambda trainer: policy)


def test_lost_rollouts_and_groups_without_spread_have_no_token_that_counts(
    taught: tuple[str, Path], new_task: MakeTask, tmp_path: Path
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_lines([say_task(new_task, name) for name in NAMES[:2]], str(tasks))
    config = settings(taught[0], tasks, tmp_path / "out", prompts=2, samples=2, device_batch=1,
                      parallel=1)  # fmt: skip
    leaky = Leaky(open_backend("bwrap"), 3)
    played = step(config, leaky, ("write", {"path": "a.txt", "content": "Aster"}), "Done.")
    given = played(["say-aster"] * 2 + ["say-birch"] * 2, FakeTrainer())
    assert given["earned"] == [None, 1.0, 0.0, 0.0]
    assert [sum(mask) for mask in given["env_mask"]] == [0, 0, 0, 0]
    assert played.figures["rollouts_lost"] == 1
    assert played.figures["groups_skipped"] == 2
    assert len({len(given[key]) for key in given}) == 1


def test_a_step_with_every_rollout_lost_stops_the_run(
    taught: tuple[str, Path], new_task: MakeTask, tmp_path: Path
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_lines([say_task(new_task, "Aster")], str(tasks))
    config = settings(taught[0], tasks, tmp_path / "out", prompts=1, samples=2, device_batch=1)
    played = step(config, Leaky(open_backend("bwrap"), 99), "Done.")
    with pytest.raises(InfrastructureError, match="every rollout was lost"):
        played(["say-aster"] * 2, FakeTrainer())


def test_weak_checks_raise_the_alarm_and_honest_ones_do_not(
    taught: tuple[str, Path], new_task: MakeTask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weak = [{"id": "there", "cites": "a.txt", "text": {"path": "a.txt", "words": {"min": 1}}}]
    for checks, alarmed in ((weak, True), (None, False)):
        more = {"checks": checks} if checks else {}
        tasks = tmp_path / f"tasks-{alarmed}.jsonl"
        write_lines([say_task(new_task, name, **more) for name in NAMES], str(tasks))
        out = tmp_path / f"out-{alarmed}"
        train(settings(taught[0], tasks, out, steps=2))
        assert bool(json.loads((out / "metrics.json").read_text())["alarms"]) == alarmed
        assert ("ALARM step 1" in capsys.readouterr().out) == alarmed


async def test_what_only_the_work_earns_is_not_junk(new_task: MakeTask) -> None:
    chat = ChatFormat(train_tokenizer(["a b c"], 300))
    task = new_task()
    backend = open_backend("bwrap")
    try:
        right = "vendor,total\nAster,7\nBirch,3\n"
        work = follow(("write", {"path": "out/totals.csv", "content": right}), "Done.")
        rollouts = await RolloutEngine(ScriptedPolicy(chat, work), chat, backend).play([task])
        count = await JunkWatch(backend).count(rollouts, [task])
    finally:
        await backend.close()
    assert (count.rollouts, count.junk_like) == (1, 0)


def test_weights_go_to_the_server_through_a_folder(
    taught: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Any]] = []

    def post(url: str, *, json: Any, timeout: float) -> httpx.Response:
        asked.append((url, json))
        return httpx.Response(200 if len(asked) == 1 else 500, request=httpx.Request("POST", url))

    monkeypatch.setattr(httpx, "post", post)
    model = load_model(taught[0])

    class Accelerator:
        is_main_process = True

        def get_state_dict(self, model: torch.nn.Module) -> Any:
            return model.state_dict()

        def unwrap_model(self, model: torch.nn.Module) -> torch.nn.Module:
            return model

        def wait_for_everyone(self) -> None:
            return None

    trainer = type("Trainer", (), {"accelerator": Accelerator(), "model": model})()
    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1", model="m", weights=tmp_path / "w")
    sync = WeightSync(endpoint, trainer)
    sync.sync_weights()
    assert asked == [("http://127.0.0.1:1/collective_rpc", {"method": "reload_weights"})]
    assert (tmp_path / "w" / "model.safetensors").is_file()
    with pytest.raises(InfrastructureError, match="did not load"):
        sync.sync_weights()


def test_tokens_of_a_stale_sampler_are_weighted_and_the_weights_truncated(
    taught: tuple[str, Path], new_task: MakeTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_lines([say_task(new_task, name) for name in NAMES], str(tasks))
    synced: list[int] = []

    class Stale(TransformersPolicy):
        """Says that it was far less sure of its tokens than the trainer's model is."""

        async def sample(self, prompt: Any, *, max_tokens: int) -> Completion:
            sure = await super().sample(prompt, max_tokens=max_tokens)
            return Completion(sure.ids, tuple(p - 5.0 for p in sure.logprobs), sure.finished)

    def maker(config: RlConfig, chat: ChatFormat) -> Any:
        pad = int(chat.tokenizer.pad_token_id)
        return lambda trainer: Stale(trainer.model, chat.stops, pad, seed=1)

    monkeypatch.setattr("clawgym_train.rl.train.policy_maker", maker)
    monkeypatch.setattr(WeightSync, "sync_weights", lambda self: synced.append(1))
    endpoint = {"base_url": "http://127.0.0.1:1/v1", "model": "m", "weights": str(tmp_path / "w"),
                "importance_cap": 1.5}  # fmt: skip
    out = tmp_path / "out"
    train(settings(taught[0], tasks, out, steps=2, endpoint=endpoint))
    history = json.loads((out / "metrics.json").read_text())["history"]
    ratios = [row["sampling/importance_sampling_ratio/max"] for row in history if "score" in row]
    assert ratios == pytest.approx([1.5, 1.5])
    assert len(synced) == 2
