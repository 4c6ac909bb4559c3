"""`clawgym-data dedup` and `clawgym-data decontaminate`: filters on any task set."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from clawgym_bench.errors import InputError
from clawgym_bench.task import Task, read_tasks, write_lines
from clawgym_data.filters.contamination import Bench
from clawgym_data.filters.fingerprint import fingerprint_of, plan_key
from clawgym_data.filters.novelty import Novelty
from clawgym_data.sets import read_set

SetArgument = Annotated[str, typer.Argument(help="A folder of `synth`, or any task set.")]
OutOption = Annotated[
    str | None, typer.Option(help="Write what is kept here: .jsonl, also .gz or .zst.")
]
TellOption = Annotated[bool, typer.Option("--tell", help="Name every task that is left out.")]


def dedup(
    path: SetArgument,
    out: OutOption = None,
    words: Annotated[float, typer.Option(help="Requests this much alike are the same.")] = 0.5,
    plan: Annotated[float, typer.Option(help="Plans this much alike are the same …")] = 0.8,
    words_same_plan: Annotated[
        float, typer.Option(help="… when their requests are this much alike.")
    ] = 0.35,
    most_per_plan: Annotated[
        int | None, typer.Option(help="At most this many tasks of one composition.")
    ] = None,
    tell: TellOption = False,
) -> None:
    """Leave out tasks that are earlier ones in other words. Near-linear, by MinHash-LSH."""
    for name, value in (("words", words), ("plan", plan), ("words-same-plan", words_same_plan)):
        if not 0 < value <= 1:
            raise InputError(f"--{name} {value}: give a similarity above 0, at most 1")
    novelty = Novelty(words, plan, words_same_plan, most_per_plan)
    left_out: Counter[str] = Counter()

    def kept() -> Iterator[Task]:
        for task in read_set(path):
            prints, key = fingerprint_of(task), plan_key(task)
            similar = novelty.refuses(key, prints)
            if similar is None:
                novelty.take(task.id, key, prints)
                yield task
                continue
            left_out[similar.rule] += 1
            if tell:
                print(f"{task.id}: {similar.rule}, like {similar.other} ({similar.similarity})")

    _write(kept(), out, left_out)


def decontaminate(
    path: SetArgument,
    out: OutOption = None,
    against: Annotated[
        str | None, typer.Option(help="A task set to keep away from; ClawGym-Bench when none.")
    ] = None,
    tell: TellOption = False,
) -> None:
    """Leave out tasks that are one of the benchmark's or quote one: by 13-grams, MinHash and plan
    skeleton."""
    bench = Bench(read_tasks(against) if against else None)
    left_out: Counter[str] = Counter()
    shared: Counter[bool] = Counter()
    most = [0.0]

    def kept() -> Iterator[Task]:
        for task in read_set(path):
            found = bench.check(task)
            shared[found.grams > 0] += 1
            if not found.sign:
                most[0] = max(most[0], found.similarity)
                yield task
                continue
            left_out[found.sign] += 1
            if tell:
                print(
                    f"{task.id}: {found.sign}, like {found.other} "
                    f"({found.grams} of {found.all_grams} 13-grams, words {found.similarity})"
                )

    _write(kept(), out, left_out)
    print(
        f"compared with {bench.tasks} tasks; {shared[True]} share a 13-gram with one; "
        f"the most similar that was kept: {most[0]:.2f}"
    )


def _write(tasks: Iterator[Task], out: str | None, left_out: Counter[str]) -> None:
    if out is None:
        count = sum(1 for _ in tasks)
    else:
        if ".jsonl" not in Path(out).name:
            raise InputError(f"--out {out}: give a .jsonl file (also .gz, .zst)")
        if "://" not in out and Path(out).exists():
            raise InputError(f"--out {out}: exists; choose another name or remove it first")
        count = write_lines(tasks, out)
    reasons = "; ".join(f"{number} by {rule}" for rule, number in left_out.most_common())
    total = left_out.total()
    print(f"{count} kept, {total} left out" + (f": {reasons}" if reasons else ""))
    if out:
        Console(stderr=True, highlight=False).print(f"written to {out}", markup=False)
