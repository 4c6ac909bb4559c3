"""What `clawgym-train sft` is told."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from clawgym_bench.checks.base import StrictModel
from clawgym_train.config import Lora


class SftConfig(StrictModel):
    """`batch` conversations make a step, over all processes and however they are split.

    Held-out data is the file `eval_data`, or `eval_share` of the skeletons in `data`.
    """

    model: str
    data: str
    out: Path
    eval_data: str | None = None
    eval_share: float = Field(default=0.0, ge=0, lt=1)
    epochs: float = Field(default=3.0, gt=0)
    steps: int | None = Field(default=None, ge=1)
    """Ends after so many steps instead of `epochs`."""
    learning_rate: float = Field(default=1e-5, gt=0)
    schedule: Literal["cosine", "linear", "constant", "constant_with_warmup"] = "cosine"
    warmup: float = Field(default=0.03, ge=0)
    """A share of all steps when below 1, else steps."""
    weight_decay: float = Field(default=0.0, ge=0)
    batch: int = Field(default=128, ge=1)
    device_batch: int = Field(default=1, ge=1)
    """Conversations that a device takes at a time."""
    max_tokens: int = Field(default=65_536, ge=16)
    """Longer conversations are left out, and counted: a cut one would teach to stop anywhere."""
    packing: bool = False
    lora: Lora | None = None
    gradient_checkpointing: bool = False
    bf16: bool = False
    attention: Literal["sdpa", "flash_attention_2", "eager"] = "sdpa"
    save_every: int = Field(default=200, ge=1)
    eval_every: int = Field(default=50, ge=1)
    log_every: int = Field(default=5, ge=1)
    seed: int = 0
