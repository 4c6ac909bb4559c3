"""Parquet for `datasets.load_dataset("parquet", ...)`: columns to look at, and the whole task."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from clawgym_bench.task import Task, line_of

BATCH = 500
"""Tasks in memory at a time, and rows in a row group."""


def record(task: Task) -> dict[str, Any]:
    """One row. `task` is the line of the JSON Lines form, from which everything can be had."""
    return {
        "id": task.id,
        "title": task.title,
        "category": task.category,
        "operations": list(task.operations),
        "tags": list(task.tags),
        "difficulty": task.difficulty or "",
        "persona": task.persona.role if task.persona else "",
        "sessions": [task.request(number) for number in range(1, len(task.sessions) + 1)],
        "inputs": sorted(task.inputs),
        "outputs": [output.path for output in task.outputs],
        "checks": [check.kind for check in task.checks],
        "hybrid": task.hybrid,
        "skeleton": task.provenance.skeleton,
        "licence": task.provenance.licence,
        "content_hash": task.content_hash,
        "task": line_of(task),
    }


def write_parquet(tasks: Iterable[Task], path: str | Path) -> int:
    """Writes the tasks to one file and returns their number. Memory is bounded by `BATCH`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts, lists = pa.string(), pa.list_(pa.string())
    kinds = {
        name: lists if isinstance(value, list) else pa.bool_() if value is True else texts
        for name, value in _example().items()
    }
    schema = pa.schema(list(kinds.items()), metadata={"format": "clawgym-task-1"})
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _batches(tasks):
            writer.write_table(pa.Table.from_pylist([record(task) for task in batch], schema))
            count += len(batch)
    return count


def _example() -> dict[str, Any]:
    """One value of each column's type."""
    names = ("operations", "tags", "sessions", "inputs", "outputs", "checks")
    single = ("id", "title", "category", "difficulty", "persona", "skeleton", "licence")
    example: dict[str, Any] = dict.fromkeys((*single, "content_hash", "task"), "")
    return example | {name: [] for name in names} | {"hybrid": True}


def _batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    batch: list[Task] = []
    for task in tasks:
        batch.append(task)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
