"""A small model of Qwen3's architecture with random weights."""

import torch
from pydantic import Field
from transformers import PreTrainedTokenizerBase, Qwen3Config, Qwen3ForCausalLM

from clawgym_bench.checks.base import StrictModel


class TinyModel(StrictModel):
    """Its size. Weights are drawn wider and positions turn faster than in large models: so small
    a network learns to copy only then."""

    layers: int = Field(default=3, ge=1)
    width: int = Field(default=128, ge=16)
    heads: int = Field(default=4, ge=1)
    context: int = Field(default=2_048, ge=64)
    spread: float = Field(default=0.12, gt=0)
    rope_theta: float = Field(default=100.0, gt=1)


def new_model(tokenizer: PreTrainedTokenizerBase, size: TinyModel, seed: int) -> Qwen3ForCausalLM:
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=size.width,
        intermediate_size=2 * size.width,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        head_dim=size.width // size.heads,
        max_position_embeddings=size.context,
        rope_parameters={"rope_type": "default", "rope_theta": size.rope_theta},
        initializer_range=size.spread,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        dtype="float32",
    )
    return Qwen3ForCausalLM(config)
