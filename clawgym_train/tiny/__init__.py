"""A model small enough to learn on a CPU: tokenizer, template and weights made here."""

from clawgym_train.tiny.model import TinyModel, new_model
from clawgym_train.tiny.tokenizer import train_tokenizer

__all__ = ["TinyModel", "new_model", "train_tokenizer"]
