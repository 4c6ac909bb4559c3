"""Runs reinforcement learning. `clawgym-train rl CONFIG.yaml`."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import set_seed

from clawgym_bench.errors import InputError
from clawgym_bench.sandbox import open_backend
from clawgym_bench.taskset import TaskSet, task_set
from clawgym_train.chart import draw_history
from clawgym_train.checkpoint import last_checkpoint, load_model, load_tokenizer
from clawgym_train.progress import show_steps
from clawgym_train.rl.config import RlConfig
from clawgym_train.rl.step import ClosablePolicy, StepRollouts
from clawgym_train.rl.weights import WeightSync
from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.rollout.endpoint_policy import EndpointPolicy
from clawgym_train.rollout.transformers_policy import TransformersPolicy
from clawgym_train.sft.train import adapter

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # `rollout_func`; the version is pinned
from trl import GRPOConfig, GRPOTrainer

PANELS = {
    "reward": ["score", "success"],
    "divergence from the start (KL)": ["kl"],
    "entropy": ["entropy"],
    "tokens sampled per session": ["tokens_sampled"],
    "share of calls refused": ["tool_errors"],
    "groups skipped, rollouts lost": ["groups_skipped", "rollouts_lost"],
}

SHOWN = ("score", "success", "kl", "entropy", "tool_errors", "groups_skipped", "rollouts_lost")


def train(config: RlConfig, *, resume: bool = False) -> Path:
    """Trains, and writes model, `metrics.json`, `run.png` and the rollouts into `config.out`.

    `resume` goes on from the last checkpoint there. Raises `InputError`, `SandboxUnavailable`.
    """
    start = last_checkpoint(config.out)
    if start and not resume:
        raise InputError(f"{config.out}: holds a run already; --resume goes on with it")
    set_seed(config.seed)
    tasks = task_set(config.tasks)
    if len(tasks) < config.prompts:
        raise InputError(f"{config.tasks}: {len(tasks)} tasks; a step needs {config.prompts}")
    tokenizer = load_tokenizer(config.model)
    chat = ChatFormat(tokenizer)
    backend = open_backend(config.sandbox)
    rollouts = StepRollouts(config, tasks, chat, backend, policy_maker(config, chat))
    try:
        trainer = make_trainer(config, tasks, tokenizer, rollouts)
        show_steps(trainer, SHOWN)
        trainer.train(resume_from_checkpoint=start)
    finally:
        rollouts.close()
    trainer.save_model(str(config.out))
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(str(config.out))
        report(config, trainer.state.log_history, rollouts.alarms)
    return config.out


def policy_maker(config: RlConfig, chat: ChatFormat) -> Callable[[Any], ClosablePolicy]:
    """What samples in a step: the endpoint, or the trainer's own model in this process."""
    endpoint = config.endpoint

    def make(trainer: Any) -> ClosablePolicy:
        if endpoint is not None:
            return EndpointPolicy(
                endpoint.base_url, endpoint.model, chat.stops, temperature=config.temperature
            )
        return TransformersPolicy(
            trainer.accelerator.unwrap_model(trainer.model),
            chat.stops,
            int(chat.tokenizer.pad_token_id),
            temperature=config.temperature,
            batch=config.parallel,
            seed=config.seed * 1_000_003 + int(trainer.state.global_step),
        )

    return make


def make_trainer(
    config: RlConfig, tasks: TaskSet, tokenizer: Any, rollouts: StepRollouts
) -> GRPOTrainer:
    def reward(
        prompts: Sequence[str], earned: Sequence[float | None], log_metric: Any, **_: Any
    ) -> list[float | None]:
        for name, value in rollouts.figures.items():
            log_metric(name, value)
        return list(earned)

    model = load_model(config.model, half=config.bf16 and config.lora is not None)
    model.set_attn_implementation(config.attention)
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward,
        args=trainer_arguments(config),
        train_dataset=Dataset.from_list([{"prompt": name} for name in tasks]),
        processing_class=tokenizer,
        peft_config=adapter(config.lora),
        rollout_func=rollouts,
    )
    if config.endpoint is not None:
        # TRL corrects for a sampler that differs from the trainer only where it thinks of vLLM,
        # and its own client wants CUDA: the switch without the client.
        trainer.use_vllm = True
        trainer.vllm_generation = WeightSync(config.endpoint, trainer)
        trainer._last_loaded_step = -1
    return trainer


def trainer_arguments(config: RlConfig) -> GRPOConfig:
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    accumulation, rest = divmod(config.prompts * config.samples, config.device_batch * processes)
    if rest or not accumulation:
        raise InputError(
            f"prompts × samples: {config.prompts * config.samples} rollouts cannot be made of "
            f"device_batch {config.device_batch} on {processes} processes"
        )
    if processes > 1 and config.endpoint is None:
        raise InputError("several processes need `endpoint`: a server that samples for all of them")
    return GRPOConfig(
        output_dir=str(config.out),
        max_steps=config.steps,
        num_generations=config.samples,
        per_device_train_batch_size=config.device_batch,
        gradient_accumulation_steps=accumulation,
        learning_rate=config.learning_rate,
        lr_scheduler_type=config.schedule,
        warmup_steps=config.warmup,
        temperature=config.temperature,
        top_k=0,
        beta=config.kl,
        max_completion_length=config.max_tokens,
        vllm_importance_sampling_mode="token_truncate",
        vllm_importance_sampling_clip_max=(
            config.endpoint.importance_cap if config.endpoint else 2.0
        ),
        gradient_checkpointing=config.gradient_checkpointing,
        bf16=config.bf16,
        save_steps=config.save_every,
        save_total_limit=2,
        logging_steps=1,
        report_to=[],
        use_cpu=not torch.cuda.is_available(),
        dataloader_pin_memory=torch.cuda.is_available(),
        disable_tqdm=True,
        seed=config.seed,
    )


def report(config: RlConfig, history: list[dict[str, Any]], alarms: Sequence[str]) -> None:
    figures = {"alarms": list(alarms), "history": history}
    (config.out / "metrics.json").write_text(json.dumps(figures, indent=1))
    draw_history(history, PANELS, config.out / "run.png")
