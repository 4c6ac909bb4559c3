"""Makes a folder of `results/` from an Inspect log: `add_run(log, results)`.

results/RUN/log.eval       the log, trimmed
results/RUN/result.json    the row of the board (clawgym_bench.board.result)
results/RUN/trials.zip     what the pages of its trials show (clawgym_bench.board.trials)
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from clawgym_bench.board.leaks import own_secrets
from clawgym_bench.board.log_archive import Change, trimmed, write_anew
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
        known = tasks_of(source, tasks)
        write_anew(source, fresh / LOG, _without_secrets(source, known))
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
        write_trials(fresh / LOG, fresh / TRIALS, known)
        write_result(result, fresh)
        results.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(fresh, folder)
    return folder


def _without_secrets(log: Path, known: TaskSet | None) -> Change:
    """Trims a member; raises `InputError` when there is a key in it that no task brought. What
    else must not be published is found by `board submit` and `board verify`."""
    from clawgym_bench.board.submission import leaks_of_member  # it adds runs itself

    own = own_secrets()
    tasks = known if known is not None else task_set(None)

    def change(name: str, data: Any) -> Any:
        kept = trimmed(name, data)
        if kept is not None:
            leaks = leaks_of_member(name, kept, tasks, own)
            if secret := next((leak for leak in leaks if leak.secret), None):
                raise InputError(
                    f"{log}: must not be published: {secret}. Revoke the key, and run anew"
                )
        return kept

    return change


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
    try:
        source = read_eval_log(str(log), header_only=True).eval.task_args.get("path")
    except Exception as error:  # Inspect raises many kinds for what is not a log
        raise InputError(f"{log}: cannot be read as an Inspect log: {error}") from error
    try:
        return task_set(str(source) if source else None)
    except ClawGymError:
        return None


def size_of(results: Path) -> int:
    """Bytes of all files below `results`."""
    return sum(path.stat().st_size for path in results.rglob("*") if path.is_file())
