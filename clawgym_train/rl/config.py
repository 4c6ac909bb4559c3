"""What `clawgym-train rl` is told."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from clawgym_bench.checks.base import StrictModel
from clawgym_bench.sandbox.backends import BackendName
from clawgym_train.config import Lora


class Endpoint(StrictModel):
    """A vLLM server that samples for the policy. `weights` is a folder that both can read: each
    step's weights are saved there, and the server is told to load them again."""

    base_url: str
    model: str
    weights: Path
    importance_cap: float = Field(default=2.0, gt=0)
    """Where the server's probabilities differ from the trainer's, tokens are weighted by their
    ratio, truncated here."""


class RlConfig(StrictModel):
    """A step plays `prompts` tasks `samples` times each, and learns once from all of them."""

    model: str
    tasks: str
    out: Path
    sandbox: BackendName = "bwrap"
    steps: int = Field(default=100, ge=1)
    prompts: int = Field(default=8, ge=1)
    samples: int = Field(default=8, ge=2)
    device_batch: int = Field(default=1, ge=1)
    """Rollouts that a device takes at a time when it learns."""
    learning_rate: float = Field(default=1e-6, gt=0)
    schedule: Literal["cosine", "linear", "constant", "constant_with_warmup"] = "constant"
    warmup: float = Field(default=0.0, ge=0)
    temperature: float = Field(default=0.7, gt=0)
    kl: float = Field(default=0.0, ge=0)
    """Weight of the divergence from the model at the start; 0 keeps no copy of it."""
    reward: Literal["score", "success"] = "score"
    judge: str | None = None
    """An Inspect model that judges rubrics; without one, checks alone reward."""
    turn_tokens: int = Field(default=1_024, ge=1)
    max_tokens: int = Field(default=65_536, ge=16)
    parallel: int = Field(default=64, ge=1)
    endpoint: Endpoint | None = None
    lora: Lora | None = None
    gradient_checkpointing: bool = False
    bf16: bool = False
    attention: Literal["sdpa", "flash_attention_2", "eager"] = "sdpa"
    save_every: int = Field(default=10, ge=1)
    log_rollouts_every: int = Field(default=1, ge=0)
    """Steps between those whose rollouts are written as an Inspect log; 0 for none."""
    seed: int = 0

    @model_validator(mode="after")
    def _splits(self) -> "RlConfig":
        if (self.prompts * self.samples) % self.device_batch:
            raise ValueError("prompts × samples must be a multiple of device_batch")
        return self
