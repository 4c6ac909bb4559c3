"""Audits a task set: all gates on every task, over all cores, as a stream.

Tasks are read one by one and handed to worker processes; each has one backend and audits one task
at a time. At most a few tasks per worker are in memory, whatever the size of the set. With a
`record` file every finished audit is appended to it at once, and a resumed audit skips the tasks
whose content it holds.
"""

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from clawgym_bench.audit.context import Context
from clawgym_bench.audit.finding import Finding, GateResult, TaskAudit
from clawgym_bench.audit.gates import GATES
from clawgym_bench.errors import ClawGymError, InputError, TaskInvalid
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task, line_of, read_line, scan_tasks
from clawgym_bench.taskset import bench_folder

QUEUED_PER_WORKER = 3


@dataclass(frozen=True)
class Settings:
    """`gates`: the names to run, all when empty."""

    sandbox: str = "bwrap"
    gates: Sequence[str] = ()
    seed: int = 0
    jobs: int = 0
    """Worker processes; 0: one per core."""

    @property
    def workers(self) -> int:
        return self.jobs or os.cpu_count() or 1

    @property
    def chosen(self) -> list[str]:
        unknown = sorted(set(self.gates) - set(GATES))
        if unknown:
            raise InputError(f"no gate {', '.join(unknown)}; there are {', '.join(GATES)}")
        return [name for name in GATES if not self.gates or name in self.gates]


async def audit_task(task: Task, backend: Backend, settings: Settings) -> TaskAudit:
    """All chosen gates on one task. A gate that fails itself is "no evidence", with the reason."""
    context = Context(task, backend, settings.seed)
    results = []
    for name in settings.chosen:
        begin = time.monotonic()
        try:
            result = await GATES[name](context)
        except ClawGymError as error:
            finding = Finding("note", f"the gate could not be run: {error}")
            result = GateResult(name, "no evidence", [finding])
        results.append(replace(result, seconds=round(time.monotonic() - begin, 3)))
    return TaskAudit(task.id, task.content_hash, results)


def invalid(error: TaskInvalid) -> TaskAudit:
    """The audit of a task that does not load: its problems, as lint findings."""
    findings = [
        Finding("error", problem.what, problem.remedy, file=problem.where)
        for problem in error.problems
    ]
    return TaskAudit(error.source, "", [GateResult("lint", "failed", findings)])


def audit_set(
    paths: Sequence[str],
    settings: Settings,
    *,
    limit: int | None = None,
    done: frozenset[str] = frozenset(),
) -> Iterator[TaskAudit]:
    """Audits as they finish. `done`: content hashes to skip.

    Raises `InputError` for a path that is no set or a gate that is none.
    """
    settings.chosen  # noqa: B018 (refuses unknown gates before any work)
    tasks = _tasks(paths, limit)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        settings.workers, mp_context=context, initializer=_begin, initargs=(settings,)
    ) as pool:
        running: set[Future[TaskAudit]] = set()
        for task in tasks:
            if isinstance(task, TaskInvalid):
                yield invalid(task)
                continue
            if task.content_hash in done:
                continue
            running.add(pool.submit(_audit_line, line_of(task)))
            if len(running) >= QUEUED_PER_WORKER * settings.workers:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in finished)


def _tasks(paths: Sequence[str], limit: int | None) -> Iterator[Task | TaskInvalid]:
    count = 0
    for path in paths:
        for task in scan_tasks(bench_folder() if path == "bench" else path):
            if limit is not None and count >= limit:
                return
            count += 1
            yield task


_loop: asyncio.AbstractEventLoop
_backend: Backend
_settings: Settings


def _begin(settings: Settings) -> None:
    """Once per worker: an event loop and a backend that live as long as it does."""
    global _loop, _backend, _settings
    _loop = asyncio.new_event_loop()
    _backend = open_backend("docker" if settings.sandbox == "docker" else "bwrap")
    _settings = settings


def _audit_line(line: str) -> TaskAudit:
    return _loop.run_until_complete(audit_task(read_line(line, "audit"), _backend, _settings))


def write_record(file: Path, audit: TaskAudit) -> None:
    """Appends one finished audit as a JSON line, safely on disk when this returns."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(audit), ensure_ascii=False) + "\n")
        out.flush()
        os.fsync(out.fileno())


def read_record(file: Path) -> Iterator[TaskAudit]:
    """Finished audits of a record; a line cut short by a kill is left out."""
    if not file.exists():
        return
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                yield audit_of(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue


def audit_of(data: dict[str, object]) -> TaskAudit:
    """A task's audit from its JSON form."""
    gates = data["gates"]
    assert isinstance(gates, Iterable)
    return TaskAudit(
        str(data["task"]),
        str(data["hash"]),
        [
            GateResult(
                **{**gate, "findings": tuple(Finding(**found) for found in gate["findings"])}
            )
            for gate in gates
        ],
    )
