from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample

RunEval = Callable[..., EvalLog]


@pytest.fixture
def run_eval(tmp_path: Path) -> RunEval:
    """Runs an Inspect task quietly and gives its log."""

    def run(task: Task, model: Any = "none", **options: Any) -> EvalLog:
        (log,) = eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none", **options)
        return log

    return run


def by_id(log: EvalLog) -> dict[str, EvalSample]:
    return {str(sample.id): sample for sample in log.samples or []}
