"""A set of three small tasks, and runs on it."""

from pathlib import Path
from typing import Any

from inspect_ai import eval

from clawgym_bench.evaluation import imported
from clawgym_bench.sandbox import File
from clawgym_bench.task.store import make_task, write_folder
from tests.conftest import FIELDS, FILES

LETTER = (
    "The vendors of this quarter sold less than hoped, Aster most of all of them by a wide margin, "
    "and Birch would rather not be asked before the summer."
)
"""A line of the reference that only the task knows."""


def small_set(folder: Path, **more: Any) -> Path:
    """Three tasks of one kind, with `more` fields."""
    for number in (1, 2, 3):
        files = FILES | {
            "workspace/sales.csv": f"vendor,amount\nAster,{number}\nBirch,3\nAster,5\n",
            "expected/totals.csv": f"vendor,total\nAster,{number + 5}\nBirch,3\n",
            "solution/files/out/totals.csv": f"vendor,total\nAster,{number + 5}\nBirch,3\n",
            "solution/message.md": f"Done. {LETTER}\n",
        }
        fields = FIELDS | {"id": f"totals-{number}", "canary": f"CANARY {number} a8c1f0"}
        fields |= more
        bundle = {path: File(body.encode(), 0o644) for path, body in files.items()}
        write_folder(make_task(fields, bundle, "test"), folder)
    return folder


def played(
    tasks: str,
    folder: Path,
    model: Any = "none",
    evaluated: dict[str, Any] | None = None,
    **options: Any,
) -> Path:
    """The log of a run on it, two epochs. `evaluated`: for `eval`; `options`: for the task."""
    (log,) = eval(
        imported(path=tasks, sandbox="bwrap", **options),
        model=model,
        epochs=2,
        log_dir=str(folder),
        display="none",
        **(evaluated or {}),
    )
    assert log.status == "success"
    return Path(log.location)
