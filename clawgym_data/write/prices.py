"""Prices of models that Inspect does not know, from the file that `inspect eval
--model-cost-config` takes: model → `input`, `output`, `input_cache_write`, `input_cache_read`, in
dollars per million tokens."""

from pathlib import Path

import yaml
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import ValidationError

from clawgym_bench.errors import InputError


def read_prices(path: str | Path) -> None:
    """Makes Inspect know the prices in this process; raises `InputError`."""
    try:
        found = yaml.safe_load(Path(path).read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"--model-cost-config {path}: cannot be read: {error}") from error
    if not isinstance(found, dict) or not found:
        raise InputError(f"--model-cost-config {path}: give prices by the name of a model")
    for name, prices in found.items():
        try:
            cost = ModelCost.model_validate(prices)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, (name, *first["loc"])))
            raise InputError(f"--model-cost-config {path}: {where}: {first['msg']}") from error
        info = get_model_info(str(name)) or ModelInfo()
        set_model_info(str(name), info.model_copy(update={"cost": cost}))
