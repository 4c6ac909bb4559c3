"""Sets as `synth` leaves them: a folder with train, validation and test."""

from collections.abc import Iterator
from pathlib import Path

from clawgym_bench.errors import InputError
from clawgym_bench.task import Task, read_tasks

SPLITS = ("train", "validation", "test")


def split_folders(path: str | Path) -> list[Path]:
    """The splits of a folder of `synth` that hold tasks, in their order; none of any other set."""
    folder = Path(path)
    return [
        folder / split
        for split in SPLITS
        if (folder / split).is_dir() and any((folder / split).glob("*.jsonl*"))
    ]


def read_set(path: str | Path) -> Iterator[Task]:
    """Every task of a folder of `synth`, split after split, or of any other set; lazily."""
    if folders := split_folders(path):
        for folder in folders:
            yield from read_tasks(folder)
    else:
        yield from read_tasks(path)


def split_path(path: str | Path, split: str | None) -> str:
    """Where the tasks of a split lie; `path` itself for a set without splits and no `split`.

    Raises `InputError` for a split that is not there.
    """
    folders = {folder.name: folder for folder in split_folders(path)}
    if not folders and split is None:
        return str(path)
    if split is None:
        split = "test" if "test" in folders else next(iter(folders))
    if split not in folders:
        there = ", ".join(folders) or "none; give the --out folder of `clawgym-data synth`"
        raise InputError(f"{path}: no split {split!r}; there are {there}")
    return str(folders[split])
