"""Plays references of composed tasks in a plain folder: what is tested is our own code."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from clawgym_bench.checks.base import CommandOutcome, Evidence
from clawgym_bench.sandbox.snapshot import Snapshot
from clawgym_bench.task import Task
from clawgym_data.compose import composer
from clawgym_data.compose.domain import DOMAINS
from clawgym_data.compose.plan import Node, Plan
from clawgym_data.compose.request import write_request
from clawgym_data.compose.scenario import SUBCATEGORIES
from clawgym_data.compose.skill import SKILLS
from clawgym_data.compose.values import Facts, Value


def tasks_with(name: str, count: int) -> Iterator[Task]:
    """Tasks whose only deliverable is that of the skill `name`, on the shortest plan for it."""
    cls = SKILLS[name]
    found = 0
    for number in range(60 * count):
        chance = random.Random(f"{name}/{number}")
        drawn = sorted({s for d in DOMAINS.values() for s in d.subcategories} & set(SUBCATEGORIES))
        scenario = SUBCATEGORIES[chance.choice(drawn)]
        world = composer.draw_world(chance, scenario)
        nodes: list[Node] = []
        values: list[Value] = []
        if cls.takes:
            options = [d for _, d in sorted(DOMAINS.items()) if scenario.name in d.subcategories]
            table = chance.choice(options).draw(world).table
            source = SKILLS["read-csv"].choose([table], world)
            if source is None:
                continue
            nodes = [Node(source, (), table)]
            values = [source.apply([table]).value]
            if cls.takes[0] is Facts:
                totals = SKILLS["totals"].choose(values, world)
                if totals is None:
                    continue
                nodes.append(Node(totals, (0,)))
                values = [totals.apply(values).value]
        chosen = cls.choose(values, world)
        if chosen is None:
            continue
        nodes.append(Node(chosen, (len(nodes) - 1,) if values else ()))
        plan = Plan(tuple(nodes))
        steps = plan.apply()
        request = write_request(plan, steps, world)
        yield composer.build_task(1, number, scenario, world, plan, steps, request)
        found += 1
        if found == count:
            return
    raise AssertionError(f"{name} fits {found} of {60 * count} draws")


def lay(files: dict[str, bytes], folder: Path) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def snapshot(folder: Path) -> Snapshot:
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    folders = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_dir()}
    return Snapshot(found, frozenset(folders))


def reference(task: Task, folder: Path) -> Evidence:
    """The evidence after the reference program has run in `folder` (single-session tasks)."""
    lay({path: file.content for path, file in task.workspace.items()}, folder)
    program = task.files.get("solution/run.py")
    if program is not None:
        subprocess.run(
            [sys.executable, "-c", program.content.decode()], cwd=folder, check=True, timeout=60
        )
    message = task.files["solution/message.md"].content.decode()
    return Evidence(snapshot(folder), task.inputs, task.hidden, (message,))


def outcomes(task: Task, folder: Path) -> dict[str, list[CommandOutcome]]:
    """Runs the command checks of a task of our own, each case in a copy of `folder`."""
    found: dict[str, list[CommandOutcome]] = {}
    for check in task.checks:
        if check.command is None:
            continue
        for number, case in enumerate(check.command.cases):
            copy = folder.with_name(f"{folder.name}-{check.id}-{number}")
            lay(dict(snapshot(folder).files), copy)
            lay({path: task.hidden[source] for path, source in case.files.items()}, copy)
            done = subprocess.run(
                [*check.command.run_command, *case.args],
                cwd=copy,
                capture_output=True,
                timeout=60,
                check=False,
            )
            found.setdefault(check.id, []).append(
                CommandOutcome(done.returncode, done.stdout, done.stderr, False, snapshot(copy))
            )
    return found
