"""Tests of training. Those that need torch are left out where the extra `train` is missing, and
fail where CLAWGYM_REQUIRE_TRAIN=1 says that it must be there."""

import importlib.util
import os
from pathlib import Path

# Models as small as these gain nothing from a second thread, and lose much when cores are busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")

NEEDS_TORCH = {"rollout", "sft", "rl", "serve", "tiny"}
HAS_TORCH = importlib.util.find_spec("trl") is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Modules that import torch cannot even be read without it."""
    if HAS_TORCH or os.environ.get("CLAWGYM_REQUIRE_TRAIN") == "1":
        return None
    inside = collection_path.parts[len(Path(__file__).parent.parts) :]
    return True if inside and inside[0] in NEEDS_TORCH else None
