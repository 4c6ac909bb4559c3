"""Runs a fine-tuning. `clawgym-train sft CONFIG.yaml`."""

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig
from transformers import set_seed
from trl import SFTConfig, SFTTrainer

from clawgym_bench.errors import InputError
from clawgym_train.chart import draw_history
from clawgym_train.checkpoint import last_checkpoint, load_model, load_tokenizer
from clawgym_train.config import Lora
from clawgym_train.progress import show_steps
from clawgym_train.rollout.chat import ChatFormat
from clawgym_train.sft.config import SftConfig
from clawgym_train.sft.data import Counts, tokenized

PANELS = {
    "loss": ["loss", "eval_loss"],
    "token accuracy": ["mean_token_accuracy", "eval_mean_token_accuracy"],
    "learning rate": ["learning_rate"],
}


def train(config: SftConfig, *, resume: bool = False) -> Path:
    """Trains, and writes model, `metrics.json` and `loss.png` into `config.out`, its path.

    `resume` goes on from the last checkpoint there. Raises `InputError`.
    """
    start = last_checkpoint(config.out)
    if start and not resume:
        raise InputError(f"{config.out}: holds a run already; --resume goes on with it")
    set_seed(config.seed)
    tokenizer = load_tokenizer(config.model)
    chat = ChatFormat(tokenizer)
    data = tokenized(config.data, chat, config.max_tokens, config.eval_share)
    aside = data.held_out
    if config.eval_data is not None:
        aside = tokenized(config.eval_data, chat, config.max_tokens).train
    model = load_model(config.model, half=config.bf16 and config.lora is not None)
    model.set_attn_implementation(config.attention)
    trainer = SFTTrainer(
        model=model,
        args=trainer_arguments(config, evaluates=aside is not None),
        train_dataset=data.train,
        eval_dataset=aside,
        processing_class=tokenizer,
        peft_config=adapter(config.lora),
    )
    show_steps(trainer, ("loss", "eval_loss", "mean_token_accuracy", "learning_rate"))
    trainer.train(resume_from_checkpoint=start)
    trainer.save_model(str(config.out))
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(str(config.out))
        report(config.out, trainer.state.log_history, data.counts)
    return config.out


def trainer_arguments(config: SftConfig, *, evaluates: bool) -> SFTConfig:
    processes = max(
        1, torch.distributed.get_world_size() if torch.distributed.is_initialized() else 1
    )
    accumulation, rest = divmod(config.batch, config.device_batch * processes)
    if rest or not accumulation:
        raise InputError(
            f"batch: {config.batch} cannot be made of device_batch {config.device_batch} on "
            f"{processes} processes"
        )
    return SFTConfig(
        output_dir=str(config.out),
        num_train_epochs=config.epochs,
        max_steps=config.steps or -1,
        learning_rate=config.learning_rate,
        lr_scheduler_type=config.schedule,
        warmup_steps=config.warmup,
        weight_decay=config.weight_decay,
        per_device_train_batch_size=config.device_batch,
        per_device_eval_batch_size=config.device_batch,
        gradient_accumulation_steps=accumulation,
        gradient_checkpointing=config.gradient_checkpointing,
        bf16=config.bf16,
        max_length=config.max_tokens,
        packing=config.packing,
        eval_packing=False,
        eval_strategy="steps" if evaluates else "no",
        eval_steps=config.eval_every,
        save_steps=config.save_every,
        save_total_limit=2,
        logging_steps=config.log_every,
        report_to=[],
        use_cpu=not torch.cuda.is_available(),
        dataloader_pin_memory=torch.cuda.is_available(),
        disable_tqdm=True,
        seed=config.seed,
    )


def adapter(lora: Lora | None) -> LoraConfig | None:
    if lora is None:
        return None
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.targets,
        task_type="CAUSAL_LM",
    )


def report(out: Path, history: list[dict[str, Any]], counts: Counts) -> None:
    figures = {"conversations": counts.__dict__, "history": history}
    (out / "metrics.json").write_text(json.dumps(figures, indent=1))
    draw_history(history, PANELS, out / "loss.png")
