"""Small real Claw tasks in numbers: pick a column of the rows that match, or the matching rows."""

import random
from collections.abc import Iterator

from clawgym_bench.sandbox import File
from clawgym_bench.task import Task
from clawgym_bench.task.store import make_task

SYLLABLES = ("ba", "co", "du", "fe", "gi", "lo", "mu", "na", "pi", "re", "so", "ta", "vu", "ze")
COLUMNS = {
    "team": ("red", "blue", "green"),
    "state": ("open", "done", "late"),
    "town": ("Bonn", "Lyon", "Graz"),
}
FILES = ("people", "orders", "visits", "parts", "books", "loans")


def small_tasks(seed: int, count: int, *, held_out: bool = False) -> Iterator[Task]:
    """Files, columns and wanted values of held-out tasks meet as they never do in the others."""
    chance = random.Random(f"{seed}/{held_out}")
    made = 0
    while made < count:
        name, column = chance.choice(FILES), chance.choice(sorted(COLUMNS))
        wanted = chance.choice(COLUMNS[column])
        whole = chance.random() < 0.5
        skeleton = f"{'rows' if whole else 'names'}-{name}-{column}-{wanted}"
        if (sum(skeleton.encode()) % 4 == 0) != held_out:
            continue
        yield _task(chance, f"small-{seed}-{made}", name, column, wanted, whole, skeleton)
        made += 1


def _task(
    chance: random.Random, key: str, name: str, column: str, wanted: str, whole: bool, skeleton: str
) -> Task:
    rows: list[tuple[str, str]] = []
    while not 1 <= sum(value == wanted for _, value in rows) < len(rows):
        words = {"".join(chance.choices(SYLLABLES, k=2)) for _ in range(chance.randint(3, 4))}
        rows = [(word, chance.choice(COLUMNS[column])) for word in sorted(words)]
    table = f"name,{column}\n" + "".join(f"{word},{value}\n" for word, value in rows)
    hits = [(word, value) for word, value in rows if value == wanted]
    if whole:
        out, ask = "out.csv", f"Copy the rows of {name}.csv with {column} {wanted} to out.csv."
        right = f"name,{column}\n" + "".join(f"{word},{value}\n" for word, value in hits)
    else:
        out, ask = "out.csv", f"List the names in {name}.csv with {column} {wanted} in out.csv."
        right = "name\n" + "".join(f"{word}\n" for word, _ in hits)
    check = {"path": out, "equals": "expected/out.csv", "key": "name"}
    files = {
        f"workspace/{name}.csv": table,
        "expected/out.csv": right,
        f"solution/files/{out}": right,
    }
    return make_task(
        {
            "id": key,
            "title": ask,
            "category": "analysis-reasoning",
            "sessions": [{"instruction": ask}],
            "outputs": [],
            "checks": [{"id": "out", "cites": "out.csv", "table": check}],
            "limits": {"messages": 10, "seconds": 60},
            "provenance": {"kind": "composed", "skeleton": skeleton},
        },
        {path: File(body.encode(), 0o644) for path, body in files.items()},
        key,
    )
