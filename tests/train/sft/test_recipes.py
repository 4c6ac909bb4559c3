"""The recipes that ship: valid configurations, even where no machine here can run them."""

import subprocess
from pathlib import Path

import pytest
from accelerate.commands.config.config_args import load_config_from_file

import clawgym_train
from clawgym_train.config import load_config
from clawgym_train.rl import RlConfig
from clawgym_train.sft import SftConfig

RUNS = Path(clawgym_train.__file__).parent / "runs"


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_recipe_is_a_valid_config(path: Path) -> None:
    kind = SftConfig if path.stem.startswith("sft") else RlConfig
    config = load_config(path, kind)
    assert "ot run here" in path.read_text()
    if "one-gpu" not in path.stem:
        assert config.max_tokens == 65_536


@pytest.mark.parametrize("name", ["fsdp2", "zero3"])
def test_accelerate_takes_its_config(name: str) -> None:
    config = load_config_from_file(str(RUNS / "accelerate" / f"{name}.yaml"))
    assert config.num_processes == 8


def test_the_tiny_recipe_is_sound_shell() -> None:
    subprocess.run(["bash", "-n", str(RUNS / "tiny.sh")], check=True)
