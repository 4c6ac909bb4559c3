"""The task: one strict model for hand-written, synthesized and imported tasks.

A task is its fields plus a bundle of files, addressed by their path in the task's folder:

    workspace/...      what the agent finds (copied to the root of its workspace)
    arrivals/N/...     what appears before session N
    expected/...       results that checks compare with; never enter a sandbox of the agent
    hidden/...         files that a command check brings into its own sandbox
    solution/...       the reference: files/..., run.sh, message.md; or 1/, 2/, ... per session
    variants/NAME/...  other correct answers, laid over the reference; same shape
    web/...            recorded pages behind web_search and web_fetch
    reward/...         the checker of an imported task

Validation that needs one field only happens here; what needs the files or several fields is in
`clawgym_bench.task.rules`, so that a loader can report everything at once.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr, StringConstraints, model_validator

from clawgym_bench.checks import Check
from clawgym_bench.checks.base import StrictModel
from clawgym_bench.sandbox.protocol import WORKSPACE, File, Resources
from clawgym_bench.task.paths import path_problem

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,119}$")]
Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]


def _relative(path: str) -> str:
    if problem := path_problem(path.rstrip("/")):
        raise ValueError(f"the path {path!r} {problem}")
    return path


RelativePath = Annotated[str, AfterValidator(_relative)]


class Persona(StrictModel):
    """Whose request it is."""

    role: Text
    context: str = ""


class Session(StrictModel):
    """One conversation: what the user asks, and the folder of files that appear before it."""

    instruction: Text
    arrivals: RelativePath | None = None


class Output(StrictModel):
    """One line of the output contract. The agent sees all of it, in words."""

    path: RelativePath
    format: Slug
    columns: list[Text] | None = None
    keys: list[Text] | None = None
    headings: list[Text] | None = None
    sheet: Text | None = None
    order: Text | None = None
    decimals: int | None = Field(default=None, ge=0, le=12)
    note: Text | None = None
    session: int | None = Field(default=None, ge=1)
    """The session in whose request it is shown; the last one when not given."""

    def describe(self) -> str:
        parts = [f"`{self.path}` ({self.format})"]
        if self.sheet:
            parts.append(f"sheet “{self.sheet}”")
        if self.columns:
            parts.append("columns: " + ", ".join(f"`{column}`" for column in self.columns))
        if self.keys:
            parts.append("keys: " + ", ".join(f"`{key}`" for key in self.keys))
        if self.headings:
            parts.append("headings: " + ", ".join(f"“{heading}”" for heading in self.headings))
        if self.order:
            parts.append(f"ordered by {self.order}")
        if self.decimals is not None:
            places = "place" if self.decimals == 1 else "places"
            parts.append(f"numbers rounded to {self.decimals} decimal {places}")
        text = parts[0] + (": " if len(parts) > 1 else "") + "; ".join(parts[1:])
        return f"{text}. {self.note}" if self.note else text


class Criterion(StrictModel):
    """One rubric criterion. `levels` says what earns each level; the judge sees `files`."""

    id: Slug
    criterion: Text
    levels: dict[float, Text]
    files: list[RelativePath] = []
    message: bool = False
    """Whether the judge also sees the agent's final messages."""
    weight: float = Field(default=1.0, gt=0)

    @model_validator(mode="after")
    def _levels(self) -> "Criterion":
        allowed = {0.0, 0.25, 0.5, 0.75, 1.0}
        if not {0.0, 1.0} <= set(self.levels) <= allowed:
            raise ValueError("levels must describe 0 and 1, and may describe 0.25, 0.5 and 0.75")
        if not self.files and not self.message:
            raise ValueError(
                "a criterion needs `files` or `message: true`: what is the judge to read?"
            )
        return self


class Weights(StrictModel):
    """How checks and rubric make the score."""

    checks: float = Field(ge=0, le=1)
    rubric: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _sum(self) -> "Weights":
        if abs(self.checks + self.rubric - 1) > 1e-9:
            raise ValueError("checks and rubric must add up to 1")
        return self


class Limits(StrictModel):
    """Every limit that can end or fail a sample. Seconds are wall time."""

    seconds: int = Field(default=900, ge=10, le=86_400)
    messages: int = Field(default=60, ge=4, le=2_000)
    grading_seconds: int = Field(default=120, ge=1, le=3_600)
    memory_mb: int = Field(default=2_048, ge=128, le=65_536)
    disk_mb: int = Field(default=512, ge=16, le=65_536)
    processes: int = Field(default=256, ge=16, le=4_096)


class Provenance(StrictModel):
    """Where the task comes from. `skeleton` names the plan that composed tasks share."""

    kind: Literal["authored", "composed", "model", "imported"] = "authored"
    source: str = ""
    licence: str = "Apache-2.0"
    created: str = ""
    skeleton: str = ""


class Review(StrictModel):
    """Somebody looked at the task: who, when, what they found."""

    by: Text
    date: Text
    note: str = ""


class Task(StrictModel):
    """A task with all of its files. `files` maps a path in the task's folder to its content."""

    id: Slug
    title: Text
    version: int = Field(default=1, ge=1)
    category: Slug
    operations: list[Slug] = []
    tags: list[Slug] = []
    difficulty: Literal["easy", "medium", "hard"] | None = None
    persona: Persona | None = None
    sessions: list[Session] = Field(min_length=1, max_length=12)
    outputs: list[Output] = []
    editable: list[RelativePath] = []
    """Inputs that the agent may change, move or delete (globs). All others must stay intact."""
    missing: list[RelativePath] = []
    """Files that the request names on purpose although they do not exist."""
    requires: list[Slug] = []
    """Programs and Python modules that the task needs in the sandbox."""
    checks: list[Check] = []
    rubric: list[Criterion] = []
    weights: Weights | None = None
    limits: Limits = Limits()
    provenance: Provenance = Provenance()
    review: list[Review] = []
    canary: str = ""
    workspace_path: str = WORKSPACE
    files: Mapping[str, File] = Field(default={}, repr=False)

    _untouched: frozenset[str] | None = PrivateAttr(default=None)

    def tree(self, folder: str) -> dict[str, File]:
        """The files below `folder`, by their path relative to it."""
        prefix = folder.rstrip("/") + "/"
        return {
            path[len(prefix) :]: file
            for path, file in self.files.items()
            if path.startswith(prefix)
        }

    @property
    def workspace(self) -> dict[str, File]:
        return self.tree("workspace")

    def arrivals(self, session: int) -> dict[str, File]:
        """Files that appear before session `session` (counted from 1)."""
        folder = self.sessions[session - 1].arrivals
        return self.tree(folder) if folder else {}

    @property
    def inputs(self) -> dict[str, bytes]:
        """Everything the agent was given, over all sessions."""
        given = {path: file.content for path, file in self.workspace.items()}
        for number in range(1, len(self.sessions) + 1):
            given |= {path: file.content for path, file in self.arrivals(number).items()}
        return given

    @property
    def hidden(self) -> dict[str, bytes]:
        """What checks compare with, by path in the task's folder."""
        return {
            path: file.content
            for path, file in self.files.items()
            if path.startswith(("expected/", "hidden/", "reward/"))
        }

    @property
    def hybrid(self) -> bool:
        return bool(self.rubric)

    @property
    def shares(self) -> Weights:
        if self.weights is not None:
            return self.weights
        return Weights(checks=0.7, rubric=0.3) if self.rubric else Weights(checks=1.0, rubric=0.0)

    @property
    def resources(self) -> Resources:
        return Resources(
            memory_mb=self.limits.memory_mb,
            disk_mb=self.limits.disk_mb,
            processes=self.limits.processes,
        )

    def request(self, session: int) -> str:
        """What the agent is told in session `session`: the instruction and the output contract."""
        last = len(self.sessions)
        text = self.sessions[session - 1].instruction.strip()
        shown = [out.describe() for out in self.outputs if (out.session or last) == session]
        if shown:
            text += "\n\nFiles to deliver (paths relative to the workspace):\n"
            text += "\n".join(f"- {line}" for line in shown)
        return text

    @property
    def content_hash(self) -> str:
        """SHA-256 over the fields and every file: equal exactly when the task is the same."""
        digest = hashlib.sha256()
        fields = self.model_dump(mode="json", exclude={"files"}, exclude_defaults=True)
        digest.update(json.dumps(fields, sort_keys=True, ensure_ascii=False).encode())
        for path in sorted(self.files):
            file = self.files[path]
            content = hashlib.sha256(file.content).hexdigest()
            digest.update(f"\0{path}\0{file.mode or 0o644:o}\0{content}".encode())
        return digest.hexdigest()


def fields_of(task: Task) -> dict[str, Any]:
    """The fields as they stand in `task.yaml`: defaults left out, no files."""
    return task.model_dump(mode="json", exclude={"files"}, exclude_defaults=True, by_alias=True)
