"""Demonstrations of tasks without a model, some of them flawed: a teacher that makes mistakes.

python -m clawgym_train.tiny.demonstrations TASKS OUT.jsonl --flawed 0.5

A demonstration does what the reference does, call by call: one `write` a file, one `exec` a line
of its script, then its final message. A flawed one has one mistake in it. What is written down is
what the tools really answered, and what the benchmark's grade was.
"""

import asyncio
import json
import random
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from clawgym_bench.agents.reference import Act
from clawgym_bench.audit.play import assess, play
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Step, Task, read_tasks, reference_steps

Tool = tuple[str, dict[str, Any]]
"""A tool's name and the arguments it is called with."""
AT_A_TIME = 8
READ_AT_MOST = 2


async def demonstrate(
    task: Task, backend: Backend, chance: random.Random | None = None
) -> dict[str, Any] | None:
    """A conversation, with the score it earned; flawed where `chance` is given. None for tasks of
    several sessions, or whose reference brings files that are no text."""
    if len(task.sessions) > 1:
        return None
    try:
        acts = acts_of(reference_steps(task)[0])
        acts = [*looks(task, acts), *acts]
    except UnicodeDecodeError:
        return None
    if chance is not None:
        acts = flawed(acts, chance)
    final = " ".join(step.message for step in reference_steps(task)[0] if step.message) or "Done."
    messages: list[dict[str, Any]] = [{"role": "user", "content": task.request(1)}]

    async def steps(task: Task, session: int, act: Act) -> str:
        for name, arguments in acts:
            call = {"type": "function", "function": {"name": name, "arguments": dict(arguments)}}
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            answer = await act(name, arguments)
            messages.append({"role": "tool", "name": name, "content": answer})
        messages.append({"role": "assistant", "content": final})
        return final

    grade = await assess(task, await play(task, steps, backend), backend)
    return {
        "messages": messages,
        "tools": [],
        "task": task.id,
        "skeleton": task.provenance.skeleton or task.id,
        "score": grade.score,
        "flawed": chance is not None,
    }


def acts_of(steps: Sequence[Step]) -> list[Tool]:
    """The reference as single calls: a file is one `write`, a line of a script one `exec` where
    every line is a command of its own."""
    acts: list[Tool] = []
    for step in steps:
        for path, file in step.files.items():
            acts.append(("write", {"path": path, "content": file.content.decode()}))
        if not step.script:
            continue
        if step.interpreter != "bash":
            command = f"{step.interpreter} - <<'END'\n{step.script.rstrip()}\nEND"
            acts.append(("exec", {"command": command}))
            continue
        lines = [line for line in step.script.splitlines() if line.strip()]
        alone = all(_parses(line) for line in lines) and "<<" not in step.script
        for command in lines if alone else [step.script.rstrip()]:
            acts.append(("exec", {"command": command}))
    return acts


def looks(task: Task, acts: Sequence[Tool]) -> list[Tool]:
    """Reads the files that the request names, where the acts hold a number that it does not."""
    request = task.request(1)
    numbers = {number for _, given in acts for number in re.findall(r"\d{2,}", str(given))}
    if all(number in request for number in numbers):
        return []
    named = sorted((path for path in task.inputs if path in request), key=request.index)
    return [("read", {"path": path}) for path in named[:READ_AT_MOST]]


def _parses(line: str) -> bool:
    try:
        return bool(shlex.split(line)) and not line.rstrip().endswith("\\")
    except ValueError:
        return False


def flawed(acts: Sequence[Tool], chance: random.Random) -> list[Tool]:
    """The acts with one mistake: one is left out, or a word or a sign in one is another."""
    changed = list(acts)
    if not changed:
        return changed
    place = chance.randrange(len(changed))
    name, arguments = changed[place]
    key = next(key for key in ("command", "content", "path") if key in arguments)
    text = arguments[key]
    words = text.split(" ")
    match chance.choice(("left out", "word", "twice", "sign")):
        case "left out":
            del changed[place]
        case "word" if len(words) > 2:
            del words[chance.randrange(1, len(words))]
            changed[place] = (name, {**arguments, key: " ".join(words)})
        case "twice" if len(words) > 2:
            one, other = chance.sample(range(1, len(words)), 2)
            words[one] = words[other]
            changed[place] = (name, {**arguments, key: " ".join(words)})
        case _:
            signs = [at for at, sign in enumerate(text) if sign.isalnum()]
            at = chance.choice(signs or [0])
            text = text[:at] + chance.choice("abcdehlmnorstu0123456789") + text[at + 1 :]
            changed[place] = (name, {**arguments, key: text})
    return changed


async def demonstrate_all(
    tasks: Path, out: Path, flawed_share: float, per_task: int, seed: int
) -> tuple[int, int]:
    """Writes them in the tasks' order; how many there are, and how many tasks had none."""
    backend = open_backend("bwrap")
    free = asyncio.Semaphore(AT_A_TIME)

    async def one(task: Task, number: int) -> dict[str, Any] | None:
        chance = random.Random(f"{seed}/{task.id}/{number}")
        async with free:
            return await demonstrate(
                task, backend, chance if chance.random() < flawed_share else None
            )

    try:
        given = [one(task, number) for task in read_tasks(tasks) for number in range(per_task)]
        rows = await asyncio.gather(*given)
    finally:
        await backend.close()
    made = [row for row in rows if row is not None]
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as lines:
        for row in made:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    return len(made), len(rows) - len(made)


def main(
    tasks: Annotated[Path, typer.Argument(help="A task set.")],
    out: Annotated[Path, typer.Argument(help="JSON Lines of conversations.")],
    flawed: Annotated[float, typer.Option(help="Share of them with a mistake.")] = 0.5,
    per_task: Annotated[int, typer.Option(help="How many of each task.")] = 1,
    seed: Annotated[int, typer.Option(help="Another seed makes other mistakes.")] = 0,
) -> None:
    """Demonstrate every task of a set."""
    made, without = asyncio.run(demonstrate_all(tasks, out, flawed, per_task, seed))
    print(f"{made} demonstrations, {without} left out → {out}")


if __name__ == "__main__":
    typer.run(main)
