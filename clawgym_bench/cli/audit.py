"""`clawgym-bench audit`."""

import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from clawgym_bench.audit.finding import TaskAudit
from clawgym_bench.audit.gates import GATES
from clawgym_bench.audit.page import write_page
from clawgym_bench.audit.run import Settings, audit_set, read_record, write_record
from clawgym_bench.audit.summary import Summary
from clawgym_bench.errors import InputError
from clawgym_bench.evaluation import choose_sandbox

MARKS = {
    "passed": "[green]✓[/]",
    "failed": "[red]✗[/]",
    "no evidence": "[yellow]?[/]",
    "not applicable": "[dim]·[/]",
}
TABLE_LINES = 300
TASK_COLUMNS = 40
TOLD_IN_FULL = 5


def audit(
    paths: Annotated[
        list[str],
        typer.Argument(help="Tasks, folders of tasks, JSON Lines, ClawGym folders, or `bench`."),
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all findings to this file.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report with charts.")] = None,
    record: Annotated[
        Path | None, typer.Option(help="Append every finished audit to this file (JSON Lines).")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Skip tasks that the record holds unchanged.")
    ] = False,
    jobs: Annotated[int, typer.Option(help="Worker processes; 0: one per core.")] = 0,
    only: Annotated[
        list[str] | None, typer.Option(help=f"Only this gate (repeatable): {', '.join(GATES)}.")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="At most this many tasks.")] = None,
    sandbox: Annotated[str, typer.Option(help="bwrap or docker.")] = "bwrap",
    seed: Annotated[int, typer.Option(help="Seed of the seeded errors.")] = 0,
) -> None:
    """Prove that tasks are valid. Exit 0: all passed, 1: some did not, 2: could not run."""
    if resume and record is None:
        raise InputError("--resume needs --record: where are the finished audits?")
    choose_sandbox(sandbox)
    settings = Settings(sandbox, tuple(only or ()), seed, jobs)
    summary, done, told = Summary(), set[str](), list[TaskAudit]()
    with ExitStack() as stack:
        sink = stack.enter_context(JsonSink(json_file)) if json_file else None
        for item in read_record(record) if resume and record else ():
            done.add(item.hash)
            summary.add(item)
            if sink:
                sink.add(item)
        console = Console(stderr=True)
        columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        progress = stack.enter_context(Progress(*columns, console=console, transient=True))
        bar = progress.add_task("audit", total=limit)
        for item in audit_set(paths, settings, limit=limit, done=frozenset(done - {""})):
            if record is not None:
                write_record(record, item)
            if sink:
                sink.add(item)
            line = summary.add(item)
            progress.advance(bar)
            if len(summary.lines) <= TOLD_IN_FULL:
                told.append(item)
            if not line.passed:
                progress.console.print(
                    f"✗ {line.task}: {line.reason}", highlight=False, markup=False
                )
    if not summary.lines:
        raise InputError("no task was audited")
    Console().print(table_of(summary, settings.chosen))
    if len(summary.lines) <= TOLD_IN_FULL:
        tell(told)
    print(f"{summary.passed} of {len(summary.lines)} tasks passed all gates")
    if html is not None:
        write_page(summary, settings.chosen, html)
        print(f"report: {html}")
    if summary.passed < len(summary.lines):
        raise typer.Exit(1)


def table_of(summary: Summary, gates: list[str]) -> Table:
    """One line per task, failed ones first: a mark per gate, and the first reason."""
    title = "gates: " + " ".join(gates)
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    widest = max(len(line.task) for line in summary.lines)
    table.add_column("task", no_wrap=True, min_width=min(widest, TASK_COLUMNS))
    table.add_column("gates", no_wrap=True, min_width=len(gates))
    table.add_column("reason", no_wrap=True, overflow="ellipsis")
    lines = sorted(summary.lines, key=lambda line: (line.passed, line.task))
    for line in lines[:TABLE_LINES]:
        marks = "".join(MARKS.get(line.statuses.get(gate, ""), " ") for gate in gates)
        table.add_row(line.task, marks, escape(line.reason))
    return table


def tell(audits: list[TaskAudit]) -> None:
    """Every error of a few tasks, with what to do."""
    for item in audits:
        for gate in item.gates:
            for finding in gate.findings:
                if finding.severity == "error":
                    place = f" ({finding.file})" if finding.file else ""
                    remedy = f" → {finding.remedy}" if finding.remedy else ""
                    print(f"{gate.gate}: {finding.evidence}{place}{remedy}")


class JsonSink:
    """A JSON array written item by item, so that it needs no memory."""

    def __init__(self, file: Path) -> None:
        self._file, self._count = file, 0

    def __enter__(self) -> "JsonSink":
        self._out = self._file.open("w", encoding="utf-8")
        self._out.write("[")
        return self

    def add(self, item: TaskAudit) -> None:
        self._out.write(",\n" if self._count else "\n")
        self._out.write(json.dumps(asdict(item), ensure_ascii=False))
        self._count += 1

    def __exit__(self, *_: object) -> None:
        self._out.write("\n]\n")
        self._out.close()
