"""From a draft to a task, by the loader's own rules."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clawgym_bench.errors import TaskInvalid
from clawgym_bench.sandbox import File
from clawgym_bench.task import Persona, Task
from clawgym_bench.task.paths import slug
from clawgym_bench.task.store import make_task
from clawgym_data.compose.skill import OPERATIONS
from clawgym_data.pipeline.stages import Stage
from clawgym_data.write.draft import STAGES, Draft, TextFile, Unusable
from clawgym_data.write.hostile import DECLARATIVE, file_findings, refuse_hostile


@dataclass(frozen=True)
class Origin:
    """What a task says of where it comes from; nothing of it is the model's to choose."""

    seed: int
    number: int
    source: str
    licence: str
    persona: Persona
    stem: str
    tags: tuple[str, ...]
    category: str | None = None
    """None: the model has chosen it."""


def build(draft: Draft, origin: Origin) -> Task:
    """Raises `Unusable`, with every problem that can be seen at once."""
    refuse_hostile(draft)
    if found := file_findings(draft):
        raise Unusable(STAGES[found[0].split(":")[0]], "file refused", tuple(found))
    if unknown := sorted(set(draft.operations) - OPERATIONS):
        finding = f"operations: {', '.join(unknown)} are not among the named ones"
        raise Unusable(Stage.OPERATIONS, "unknown operation", (finding,))
    files: dict[str, File] = {}
    twice: list[str] = []
    for path, content in _files(draft):
        if path in files:
            twice.append(f"{path} is written twice")
        files[path] = File(content.encode(), 0o644)
    if twice:
        raise Unusable(Stage.WORKSPACE, "file twice", tuple(twice))
    mark = hashlib.sha256(f"write/{origin.seed}/{origin.number}".encode()).hexdigest()
    fields: dict[str, Any] = {
        "id": f"model-{slug(origin.stem)[:60]}-{mark[:10]}",
        "title": draft.title.strip(),
        "category": origin.category or draft.category,
        "operations": draft.operations,
        "tags": list(origin.tags),
        "persona": origin.persona.model_dump(exclude_defaults=True),
        "sessions": list(_sessions(draft)),
        "outputs": [output.model_dump(exclude_none=True) for output in draft.outputs],
        "editable": draft.editable,
        "checks": draft.checks,
        "rubric": [
            {
                **entry.model_dump(exclude={"levels"}),
                "levels": {float(level.score): level.means for level in entry.levels},
            }
            for entry in draft.rubric
        ],
        "provenance": {"kind": "model", "source": origin.source, "licence": origin.licence},
        "canary": f"clawgym-data canary {mark[:32]}",
    }
    try:
        task = make_task(fields, files, "draft")
    except TaskInvalid as error:
        where = error.problems[0].where.replace("[", ".").split(".")[0]
        raise Unusable(
            STAGES.get(where, Stage.VERIFICATION),
            f"invalid: {where}",
            tuple(str(problem) for problem in error.problems[:20]),
        ) from None
    assert {check.kind for check in task.checks} <= DECLARATIVE
    return task


def _sessions(draft: Draft) -> Iterator[dict[str, Any]]:
    for number, session in enumerate(draft.sessions, 1):
        arrivals = {"arrivals": f"arrivals/{number}"} if session.arrivals else {}
        yield {"instruction": session.instruction, **arrivals}


def _files(draft: Draft) -> Iterator[tuple[str, str]]:
    yield from _below("workspace", draft.workspace)
    for number, session in enumerate(draft.sessions, 1):
        yield from _below(f"arrivals/{number}", session.arrivals)
    for file in draft.expected:
        yield f"expected/{file.path.removeprefix('expected/')}", file.content
    several = len(draft.sessions) > 1
    for step in draft.reference:
        root = f"solution/{step.session}" if several else "solution"
        yield from _below(f"{root}/files", step.files)
        if step.program.strip():
            yield f"{root}/run.py", step.program
        if step.message.strip():
            yield f"{root}/message.md", step.message
    for variant in draft.variants:
        root = f"variants/{variant.name}"
        if several:
            root += f"/{len(draft.sessions)}"
        yield from _below(f"{root}/files", variant.files)
        if variant.message.strip():
            yield f"{root}/message.md", variant.message


def _below(folder: str, files: list[TextFile]) -> Iterator[tuple[str, str]]:
    return ((f"{folder}/{file.path}", file.content) for file in files)
