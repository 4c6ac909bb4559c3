"""Demonstrations of tasks without a model, some of them flawed: a teacher that makes mistakes.

python -m clawgym_train.tiny.demonstrations TASKS OUT.jsonl --flawed 0.5

The reference is played once to learn what it leaves. The demonstration then does it step by step:
it reads what the request names, writes each file, and says that it is done. A flawed one loses a
line, changes a character, takes another path, or forgets a file. What is written down is what
the tools really answered.
"""

import asyncio
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from clawgym_bench.agents.reference import Act, script
from clawgym_bench.audit.play import assess, play
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_bench.task import Task, read_tasks

READ_AT_MOST = 4
AT_A_TIME = 8


async def demonstrate(
    task: Task, backend: Backend, chance: random.Random | None = None
) -> dict[str, Any] | None:
    """A conversation, with the score it earned; flawed where `chance` is given. None where the
    reference leaves what cannot be written as text, and for tasks of several sessions."""
    if len(task.sessions) > 1:
        return None
    after = await play(task, script("oracle"), backend)
    try:
        left = {
            path: body.decode()
            for path, body in after.snapshot.files.items()
            if task.inputs.get(path) != body
        }
    except UnicodeDecodeError:
        return None
    gone = [path for path in task.inputs if path not in after.snapshot.files]
    final = after.messages[-1] if any(c.kind == "message" for c in task.checks) else "Done."
    files = flawed(left, chance) if chance is not None else left
    messages: list[dict[str, Any]] = [{"role": "user", "content": task.request(1)}]

    async def steps(task: Task, session: int, act: Act) -> str:
        async def do(name: str, arguments: Mapping[str, Any]) -> None:
            function = {"name": name, "arguments": dict(arguments)}
            call = {"type": "function", "function": function}
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            answer = await act(name, arguments)
            messages.append({"role": "tool", "name": name, "content": answer})

        for path in read_first(task):
            await do("read", {"path": path})
        for path, content in files.items():
            await do("write", {"path": path, "content": content})
        for path in gone:
            await do("exec", {"command": f"rm '{path}'"})
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


def read_first(task: Task) -> list[str]:
    """The inputs that the request names, in its order; the first ones where it names none."""
    request = task.request(1)
    named = [path for path in task.inputs if path in request]
    named.sort(key=request.index)
    return (named or sorted(task.inputs))[:READ_AT_MOST]


def flawed(files: Mapping[str, str], chance: random.Random) -> dict[str, str]:
    """The files with one mistake in one of them."""
    changed = dict(files)
    if not changed:
        return changed
    path = chance.choice(sorted(changed))
    body = changed[path]
    lines = body.splitlines(keepends=True)
    kinds = ["path", "character", "forgotten"] + ["line"] * (len(lines) > 1)
    match chance.choice(kinds):
        case "line":
            del lines[chance.randrange(len(lines))]
            changed[path] = "".join(lines)
        case "character" if body.strip():
            place = chance.choice([at for at, sign in enumerate(body) if not sign.isspace()])
            changed[path] = (
                body[:place] + chance.choice("abcdehlmnorstu0123456789") + body[place + 1 :]
            )
        case "path":
            folder, _, name = path.rpartition("/")
            other = name if folder else f"out/{name}"
            changed = {other if key == path else key: text for key, text in changed.items()}
        case _:
            del changed[path]
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
