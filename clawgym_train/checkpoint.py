"""Models and tokenizers from a folder or a hub, and the last checkpoint of a run."""

from pathlib import Path
from typing import Any

import torch
from peft import AutoPeftModelForCausalLM
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel
from transformers.trainer_utils import get_last_checkpoint

from clawgym_bench.errors import InputError


def load_tokenizer(name: str) -> Any:
    """Raises `InputError`. A missing pad token becomes the end token."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: no tokenizer can be loaded: {_first_line(error)}") from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(name: str, *, half: bool = False) -> PreTrainedModel:
    """All weights, an adapter merged. `half`: in bfloat16. Raises `InputError`."""
    dtype = torch.bfloat16 if half else torch.float32
    try:
        if Path(name, "adapter_config.json").is_file():
            return AutoPeftModelForCausalLM.from_pretrained(name, dtype=dtype).merge_and_unload()
        return AutoModelForCausalLM.from_pretrained(name, dtype=dtype)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: no model can be loaded: {_first_line(error)}") from error


def last_checkpoint(out: Path) -> str | None:
    """The folder of the last complete checkpoint of a run, or None."""
    found = get_last_checkpoint(str(out)) if out.is_dir() else None
    return str(found) if found else None


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
