"""Makes a folder of `results/` from an Inspect log: `add_run(log, results)`.

results/RUN/log.eval       the log, trimmed
results/RUN/result.json    the row of the board (clawgym_bench.board.result)
results/RUN/trials.zip     what the pages of its trials show (clawgym_bench.board.trials)
"""

import re
import shutil
import tempfile
from pathlib import Path

from clawgym_bench.board.log_archive import trimmed, write_anew
from clawgym_bench.board.result import RunResult, result_of_log
from clawgym_bench.board.trials import TRIALS, write_trials
from clawgym_bench.errors import ClawGymError, InputError
from clawgym_bench.taskset import TaskSet, task_set

LOG, RESULT = "log.eval", "result.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
RESULTS_BYTES = 30 * 2**20
"""What a repository should hold of results at most."""


def add_run(
    log: str | Path,
    results: Path,
    *,
    by: str = "",
    recipe: str = "",
    open_weights: bool | None = None,
    judge_calibration: str = "",
    tasks: str | None = None,
    name: str = "",
    replace: bool = False,
) -> Path:
    """Adds a run and returns its folder. Raises `InputError` for what is not a finished log of a
    ClawGym task, or when the folder is there and `replace` is not given.

    `name`: of the folder; the run's id when not given. `tasks`: the task set, when it is not the
    one that the log names.
    """
    source = Path(log)
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place, "run")
        fresh.mkdir()
        write_anew(source, fresh / LOG, trimmed)
        result = result_of_log(str(fresh / LOG)).model_copy(
            update={
                "by": by,
                "recipe": recipe,
                "open_weights": open_weights,
                "judge_calibration": judge_calibration,
            }
        )
        chosen = name or result.run
        if not NAME.fullmatch(chosen):
            raise InputError(f"{log}: {chosen!r} cannot name a folder; give --name")
        folder = results / chosen
        if folder.exists() and not replace:
            raise InputError(f"{folder} is there already; --replace writes it anew")
        write_trials(fresh / LOG, fresh / TRIALS, tasks_of(fresh / LOG, tasks))
        write_result(result, fresh)
        results.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(fresh, folder)
    return folder


def write_result(result: RunResult, folder: Path) -> None:
    """Writes `result.json`, without what has its default."""
    text = result.model_dump_json(indent=1, exclude_defaults=True)
    # The version is what a reader looks at first, so it is never left out.
    text = text.replace("{", f'{{\n "schema_version": {result.schema_version},', 1)
    (folder / RESULT).write_text(text + "\n", encoding="utf-8")


def tasks_of(log: Path, given: str | None) -> TaskSet | None:
    """The tasks of a log: `given`, else what it names, else None where they are not at hand."""
    from inspect_ai.log import read_eval_log

    if given is not None:
        return task_set(given)
    source = read_eval_log(str(log), header_only=True).eval.task_args.get("path")
    try:
        return task_set(str(source) if source else None)
    except ClawGymError:
        return None


def size_of(results: Path) -> int:
    """Bytes of all files below `results`."""
    return sum(path.stat().st_size for path in results.rglob("*") if path.is_file())
