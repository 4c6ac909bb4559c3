"""The engine `enrich`: a model rewrites requests and notes of a set, the facts stay.

Checks, expected results and reference are those of the task that is rewritten; the audit judges
the task anew. A rewriting that loses or adds a fact, or that no longer asks for what a check looks
at, goes back with the findings.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from clawgym_bench.errors import InputError, TaskInvalid
from clawgym_bench.sandbox import File
from clawgym_bench.task import Session, Task
from clawgym_bench.task.rules import matches, problems
from clawgym_bench.task.store import Places, scan_places
from clawgym_data.pipeline.balance import Targets
from clawgym_data.pipeline.engine import Draft, Exhausted, Feedback
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.stages import Stage
from clawgym_data.sets import split_folders
from clawgym_data.write.answers import Answers
from clawgym_data.write.draft import FILE_CHARACTERS, Part, Prose, TextFile, Unusable, read_object
from clawgym_data.write.facts import lost_and_added
from clawgym_data.write.prompt import conversation, filled, nonce, prompts_hash
from clawgym_data.write.writer import ROUNDS, judged

VERSION = 1
PROSE = (".md", ".txt")
PROSE_CHARACTERS = 8_000
NOTES = 6
OPEN = Targets(categories={}, hybrid=1.0, several_sessions=1.0, difficulty={})
"""A set that was balanced is not balanced again."""


class Citation(Part):
    check: Annotated[str, StringConstraints(max_length=64)]
    span: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]


class Rewriting(Part):
    """What a model answers."""

    instructions: list[Prose] = Field(min_length=1, max_length=12)
    cites: list[Citation] = Field(default=[], max_length=60)
    files: list[TextFile] = Field(default=[], max_length=NOTES)


def settings_for(count: int, settings: Settings) -> Settings:
    """`settings` for rewriting a set of so many tasks: one attempt each, nothing balanced."""
    return settings.model_copy(
        update={"n": count, "attempts": 1, "targets": OPEN, "skeleton_share": 1.0}
    )


class EnrichEngine:
    """Attempt N is task N of the set at `path`."""

    name = "enrich"
    local = False

    def __init__(self, answers: Answers, path: str | Path, *, rounds: int = ROUNDS) -> None:
        """Raises `InputError` or `TaskInvalid` for a set that cannot be read."""
        self.answers, self.path, self.rounds = answers, str(path), rounds
        self._tasks = Places()
        self._places = []
        digest = hashlib.sha256()
        for folder in split_folders(path) or [Path(path)]:
            for task, place in scan_places(folder):
                if isinstance(task, TaskInvalid):
                    raise task
                digest.update(task.content_hash.encode())
                self._places.append(place)
        if not self._places:
            raise InputError(f"{path}: holds no tasks")
        self._hash = digest.hexdigest()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def concurrency(self) -> int:
        return self.answers.connections

    def describe(self) -> Mapping[str, Any]:
        return {
            "name": self.name,
            "version": VERSION,
            "set": self._hash[:16],
            "rounds": self.rounds,
            "prompts": prompts_hash(),
            **self.answers.describe(),
        }

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft:
        if number >= len(self._places):
            raise Exhausted(f"all {len(self._places)} tasks were rewritten or given up")
        task = self._tasks.read(self._places[number])
        key = f"{number}/{feedback.round if feedback else 0}"
        messages = conversation(_prompt(task), feedback)
        answer = await self.answers.ask(key, f"enrich {self._hash[:16]}", messages, Rewriting)
        return judged(answer, lambda text: rewritten(task, text, self.answers.name))


def notes_of(task: Task) -> dict[str, str]:
    """Prose that may be rewritten, by its path in the task's folder: what no reference parses, no
    check reads and no request lets the agent change."""
    programs = "\n".join(
        file.content.decode(errors="replace")
        for path, file in task.files.items()
        if path.startswith(("solution/", "variants/", "hidden/")) and path.endswith((".py", ".sh"))
    )
    read = programs + "\n".join(check.model_dump_json(exclude={"cites"}) for check in task.checks)
    notes: dict[str, str] = {}
    for path, file in task.files.items():
        root, _, inner = path.partition("/")
        if root == "arrivals":
            inner = inner.partition("/")[2]
        if root not in ("workspace", "arrivals") or not inner.endswith(PROSE):
            continue
        folder = inner.rpartition("/")[0]
        if inner in read or (folder and folder in read) or matches(inner, task.editable):
            continue
        try:
            text = file.content.decode()
        except UnicodeDecodeError:
            continue
        if text.strip() and len(text) <= PROSE_CHARACTERS and "|" not in text and "```" not in text:
            notes[path] = text
    return dict(sorted(notes.items())[:NOTES])


def _cited(task: Task) -> dict[str, str]:
    """Checks whose citation stands in an instruction (others cite the contract)."""
    text = _flat("\n".join(session.instruction for session in task.sessions))
    return {check.id: check.cites for check in task.checks if _flat(check.cites) in text}


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _prompt(task: Task) -> str:
    parts = [
        f"Request of session {number}:\n{session.instruction}"
        for number, session in enumerate(task.sessions, 1)
    ]
    parts += [f"Note {path}:\n{text}" for path, text in notes_of(task).items()]
    parts += [f"Check {name} cites: {span}" for name, span in _cited(task).items()]
    material = "\n\n".join(parts)
    persona = f"{task.persona.role}. {task.persona.context}" if task.persona else "not told"
    return filled(
        "enrich",
        nonce=nonce(persona, material),
        persona=persona,
        material=material,
        checks=", ".join(_cited(task)) or "none",
    )


def rewritten(task: Task, text: str, model: str) -> Task:
    """The task in other words; raises `Unusable`."""
    try:
        answer = Rewriting.model_validate(read_object(text))
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)[:20]
        findings = tuple(f"{'.'.join(map(str, d['loc']))}: {d['msg']}" for d in details)
        raise Unusable(Stage.INSTRUCTION, "not in the form", findings) from None
    instructions = _instructions(task, answer)
    files = _notes(task, answer)
    checks = _checks(task, answer, instructions)
    sessions = [
        Session(instruction=new, arrivals=session.arrivals)
        for new, session in zip(instructions, task.sessions, strict=True)
    ]
    source = f"{task.provenance.source}; rewritten by {model}".lstrip("; ")
    fresh = task.model_copy(
        update={
            "id": f"{task.id[:118]}-r",
            "sessions": sessions,
            "checks": checks,
            "files": {**task.files, **files},
            "tags": [*task.tags, "rewritten"],
            "provenance": task.provenance.model_copy(update={"source": source}),
        }
    )
    if found := problems(fresh):
        raise Unusable(Stage.VERIFICATION, "invalid", tuple(map(str, found[:20])))
    return fresh


def _instructions(task: Task, answer: Rewriting) -> list[str]:
    if len(answer.instructions) != len(task.sessions):
        finding = f"instructions: {len(answer.instructions)}, the task has {len(task.sessions)}"
        raise Unusable(Stage.INSTRUCTION, "another number of sessions", (finding,))
    found: list[str] = []
    for number, (new, session) in enumerate(
        zip(answer.instructions, task.sessions, strict=True), 1
    ):
        found += [f"session {number}: {f}" for f in lost_and_added(session.instruction, new)]
    if found:
        raise Unusable(Stage.INSTRUCTION, "facts changed: request", tuple(found))
    same = [
        _flat(new) == _flat(session.instruction)
        for new, session in zip(answer.instructions, task.sessions, strict=True)
    ]
    if all(same):
        finding = "the instructions are those that were given"
        raise Unusable(Stage.INSTRUCTION, "nothing rewritten", (finding,))
    return answer.instructions


def _notes(task: Task, answer: Rewriting) -> dict[str, File]:
    notes = notes_of(task)
    by_name = {path.partition("/")[2]: path for path in notes} | {path: path for path in notes}
    files: dict[str, File] = {}
    for file in answer.files:
        path = by_name.get(file.path)
        if path is None:
            finding = f"files: {file.path} is none of the notes that were given"
            raise Unusable(Stage.WORKSPACE, "another file", (finding,), hostile=True)
        if lost := lost_and_added(notes[path], file.content):
            raise Unusable(
                Stage.WORKSPACE, "facts changed: note", tuple(f"{file.path}: {f}" for f in lost)
            )
        assert len(file.content) <= FILE_CHARACTERS
        files[path] = File(file.content.encode(), task.files[path].mode)
    return files


def _checks(task: Task, answer: Rewriting, instructions: list[str]) -> list[Any]:
    text = _flat("\n".join(instructions))
    spans = {entry.check: entry.span for entry in answer.cites}
    found: list[str] = []
    checks = []
    wanted = _cited(task)
    for check in task.checks:
        if check.id not in wanted:
            checks.append(check)
            continue
        span = spans.get(check.id, wanted[check.id])
        if _flat(span) not in text:
            found.append(f"cites: {check.id}: “{span[:100]}” does not stand in the instructions")
        checks.append(check.model_copy(update={"cites": span}))
    if found:
        raise Unusable(Stage.INSTRUCTION, "citation not found", tuple(found))
    return checks
