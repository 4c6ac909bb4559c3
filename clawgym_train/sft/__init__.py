"""Supervised fine-tuning on conversations, with TRL's `SFTTrainer`."""

from clawgym_train.sft.config import SftConfig

__all__ = ["SftConfig"]
