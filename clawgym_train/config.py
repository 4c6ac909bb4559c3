"""Configurations: short YAML files, checked as a whole before anything is loaded."""

from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import Field, ValidationError

from clawgym_bench.checks.base import StrictModel
from clawgym_bench.errors import InputError

C = TypeVar("C", bound=StrictModel)


class Lora(StrictModel):
    """A low-rank adapter instead of all weights."""

    rank: int = Field(default=32, ge=1)
    alpha: int = Field(default=64, ge=1)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    targets: str | list[str] = "all-linear"


def load_config(path: str | Path, kind: type[C]) -> C:
    """Raises `InputError` with every field that is wrong, by its name."""
    try:
        data = yaml.safe_load(Path(path).read_text())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not YAML: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: must hold `name: value` lines")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        lines = [
            f"  {'.'.join(map(str, item['loc'])) or 'file'}: {item['msg']}"
            + (
                ""
                if item["type"] in ("missing", "extra_forbidden")
                else f", found {item['input']!r}"
            )
            for item in error.errors(include_url=False)
        ]
        known = ", ".join(kind.model_fields)
        raise InputError(
            "\n".join([f"{path}: cannot be used", *lines, f"the fields are: {known}"])
        ) from None
