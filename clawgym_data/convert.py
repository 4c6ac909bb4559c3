"""Converts task sets between the forms that ClawGym reads and writes."""

from pathlib import Path

from clawgym_bench.errors import InputError
from clawgym_bench.task import read_tasks, write_folder, write_lines


def convert(source: str | Path, target: str | Path) -> int:
    """Writes the tasks at `source` to `target`; returns their number.

    `source` is any set that ClawGym reads. `target` is a JSON Lines file (by its suffix .jsonl,
    .jsonl.gz, ...; also an fsspec URL) or else a folder that gets one folder per task. Raises
    `InputError` when the target exists, `TaskInvalid` at a task that cannot be read.
    """
    text = str(target)
    if ".jsonl" in Path(text).name:
        if "://" not in text and Path(text).exists():
            raise InputError(f"{target} exists; choose another name or remove it first")
        return write_lines(read_tasks(source), text)
    count = 0
    for task in read_tasks(source):
        write_folder(task, Path(text))
        count += 1
    return count
