"""Draws a benchmark: authored tasks, filled up with composed ones in the proportions of the paper.

Of 200 tasks 44 are productivity and collaboration, 42 systems and automation, 35 analysis and
reasoning, 28 content and domain, 26 planning and knowledge, 25 software development; 44 are hybrid
and 156 graded by checks alone. Other sizes keep the shares.

Every composed task has passed every gate of the audit, has a composition of its own and is no other
task in different words. Training sets keep away from the result by themselves: `synth` refuses the
compositions, the personas and the wordings of the shipped benchmark.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgym_bench.audit.gates import GATES
from clawgym_bench.errors import InputError
from clawgym_bench.setcard import CARD, SetCard, hashes_of
from clawgym_bench.task import Task, write_folder
from clawgym_bench.taskset import TaskSet
from clawgym_data.pipeline.balance import CATEGORIES, Targets, apportioned
from clawgym_data.pipeline.engine import Engine
from clawgym_data.pipeline.run import OnDecision, synthesize
from clawgym_data.pipeline.settings import Settings
from clawgym_data.sets import read_set

NAME = "clawgym-bench"
SIZE = 200
HYBRID_SHARE = 44 / SIZE
SEVERAL_SESSIONS = 0.25
DIFFICULTY = {"easy": 0.3, "medium": 0.5, "hard": 0.5}


@dataclass(frozen=True)
class Drawn:
    """`why` says what is missing, when the set is not complete."""

    card: SetCard | None
    manifest: dict[str, Any]
    why: str = ""


def bench_settings(
    size: int,
    authored: Sequence[Task],
    sandbox: str = "bwrap",
    gates: Sequence[str] = tuple(GATES),
) -> Settings:
    """What has to be composed so that it and `authored` are a benchmark of `size` tasks.

    Raises `InputError` when `authored` alone goes beyond a share.
    """
    left = size - len(authored)
    if left < 1:
        raise InputError(f"{len(authored)} authored tasks leave nothing to draw of {size}")
    have = Counter(task.category for task in authored)
    if odd := sorted(have.keys() - CATEGORIES.keys()):
        raise InputError(f"authored tasks in categories that a benchmark does not have: {odd}")
    wanted = apportioned(CATEGORIES, size)
    missing = {name: count - have[name] for name, count in wanted.items()}
    hybrid = round(HYBRID_SHARE * size) - sum(task.hybrid for task in authored)
    over = [name for name, count in {**missing, "hybrid": hybrid}.items() if count < 0]
    if over:
        raise InputError(f"too many authored tasks for a benchmark of {size}: {', '.join(over)}")
    return Settings(
        n=left,
        gates=tuple(gates),
        sampled_gates=(),
        mutant_share=0.0,
        sandbox=sandbox,
        skeleton_share=0.0,  # each composition once
        targets=Targets(
            categories={name: count / left for name, count in missing.items() if count},
            hybrid=hybrid / left,
            checks_only=(left - hybrid) / left,
            several_sessions=SEVERAL_SESSIONS,
            difficulty=DIFFICULTY,
        ),
        validation_share=0.0,
        test_share=0.0,
        attempts=40,
    )


def draw_bench(
    engine: Engine,
    out: Path,
    *,
    authored: Sequence[Task] = (),
    size: int = SIZE,
    version: str = "0.2.0",
    sandbox: str = "bwrap",
    gates: Sequence[str] = tuple(GATES),
    workers: int = 0,
    resume: bool = False,
    on_decision: OnDecision | None = None,
) -> Drawn:
    """Draws into `OUT.drawn` (resumable) and, once complete, writes the set into `out`.

    Raises `InputError`, and `SandboxUnavailable` when there is nowhere to audit.
    """
    if out.exists() and any(out.iterdir()):
        raise InputError(f"--out {out}: is not empty; choose another folder")
    settings = bench_settings(size, authored, sandbox, gates)
    work = out.with_name(f"{out.name}.drawn")
    outcome = synthesize(
        engine, settings, work, workers=workers, resume=resume, on_decision=on_decision
    )
    if not outcome.complete:
        return Drawn(None, outcome.manifest, outcome.why)
    tasks = [*authored, *read_set(work)]
    out.mkdir(parents=True, exist_ok=True)
    for task in sorted(tasks, key=lambda task: task.id):
        write_folder(task, out)
    return Drawn(write_card(out, version), outcome.manifest)


def write_card(folder: Path, version: str, name: str = NAME) -> SetCard:
    """Writes `bench.yaml` for the set as it lies there."""
    (folder / CARD).unlink(missing_ok=True)
    tasks = TaskSet.read(folder, str(folder))
    card = SetCard(
        name=name,
        version=version,
        hash=tasks.content_hash,
        tasks=hashes_of([tasks[task_id] for task_id in tasks]),
    )
    card.write(folder)
    return card
