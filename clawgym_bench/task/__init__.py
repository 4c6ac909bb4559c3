"""What a task is, and task sets on disk."""

from clawgym_bench.task.model import (
    Criterion,
    Limits,
    Output,
    Persona,
    Provenance,
    Review,
    Session,
    Task,
    Weights,
)
from clawgym_bench.task.reference import Step, reference_steps, variant_names
from clawgym_bench.task.store import (
    line_of,
    read_folder,
    read_line,
    read_tasks,
    scan_tasks,
    write_folder,
    write_lines,
)

__all__ = [
    "Criterion",
    "Limits",
    "Output",
    "Persona",
    "Provenance",
    "Review",
    "Session",
    "Step",
    "Task",
    "Weights",
    "line_of",
    "read_folder",
    "read_line",
    "read_tasks",
    "reference_steps",
    "scan_tasks",
    "variant_names",
    "write_folder",
    "write_lines",
]
