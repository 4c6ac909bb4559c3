"""A model's draft of a task: strict, bounded, texts and declarations only.

Each field belongs to a stage of the pipeline; what is wrong with a draft is counted there.
"""

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from clawgym_data.pipeline.stages import Stage

ANSWER_CHARACTERS = 1_000_000
FILE_CHARACTERS = 64_000
NESTING = 30
ALL_CHARACTERS = 400_000
"""Of all files of a draft together."""

Category = Literal[
    "productivity-collaboration",
    "systems-automation",
    "analysis-reasoning",
    "content-domain",
    "planning-knowledge",
    "software-development",
]
Line = Annotated[str, StringConstraints(min_length=1, max_length=400, pattern=r"\S")]
Prose = Annotated[str, StringConstraints(min_length=1, max_length=8_000, pattern=r"\S")]
Path = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]


class Part(BaseModel):
    """Unknown fields are errors: what is not in the form does not pass unseen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TextFile(Part):
    path: Path
    content: Annotated[str, StringConstraints(max_length=FILE_CHARACTERS)]


class DraftSession(Part):
    """What the person writes in one conversation, and files that appear before it."""

    instruction: Prose
    arrivals: list[TextFile] = Field(default=[], max_length=20)


class DraftOutput(Part):
    """A line of the output contract."""

    path: Path
    format: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,20}$")]
    columns: list[Line] | None = Field(default=None, max_length=40)
    keys: list[Line] | None = Field(default=None, max_length=40)
    headings: list[Line] | None = Field(default=None, max_length=40)
    order: Line | None = None
    decimals: int | None = Field(default=None, ge=0, le=12)
    note: Line | None = None
    session: int | None = Field(default=None, ge=1, le=3)


class DraftLevel(Part):
    score: float = Field(ge=0, le=1)
    means: Line


class DraftCriterion(Part):
    """What a rubric asks of prose."""

    id: Name
    criterion: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    levels: list[DraftLevel] = Field(min_length=2, max_length=5)
    files: list[Path] = Field(default=[], max_length=10)
    message: bool = False
    weight: float = Field(default=1.0, gt=0, le=100)


class DraftStep(Part):
    """The reference in one session: files laid over the workspace, then a Python program."""

    session: int = Field(default=1, ge=1, le=3)
    files: list[TextFile] = Field(default=[], max_length=20)
    program: Annotated[str, StringConstraints(max_length=FILE_CHARACTERS)] = ""
    message: Annotated[str, StringConstraints(max_length=8_000)] = ""


class DraftVariant(Part):
    """Another right answer, laid over the reference."""

    name: Name
    files: list[TextFile] = Field(default=[], max_length=20)
    message: Annotated[str, StringConstraints(max_length=8_000)] = ""


class Draft(Part):
    """Everything that a model writes of a task."""

    title: Line
    intent: Prose
    """What the person wants and why; not part of the task."""
    category: Category
    operations: list[Name] = Field(min_length=1, max_length=10)
    workspace: list[TextFile] = Field(min_length=1, max_length=40)
    sessions: list[DraftSession] = Field(min_length=1, max_length=3)
    outputs: list[DraftOutput] = Field(default=[], max_length=12)
    editable: list[Path] = Field(default=[], max_length=20)
    expected: list[TextFile] = Field(default=[], max_length=20)
    checks: list[dict[str, Any]] = Field(min_length=1, max_length=30)
    rubric: list[DraftCriterion] = Field(default=[], max_length=6)
    reference: list[DraftStep] = Field(min_length=1, max_length=3)
    variants: list[DraftVariant] = Field(default=[], max_length=4)

    def files(self) -> Mapping[str, list[TextFile]]:
        """All files by the field that they stand in."""
        return {
            "workspace": self.workspace,
            "sessions": [file for session in self.sessions for file in session.arrivals],
            "expected": self.expected,
            "reference": [file for step in self.reference for file in step.files],
            "variants": [file for variant in self.variants for file in variant.files],
        }


STAGES: Mapping[str, Stage] = {
    "title": Stage.INTENT,
    "intent": Stage.INTENT,
    "category": Stage.INTENT,
    "operations": Stage.OPERATIONS,
    "workspace": Stage.WORKSPACE,
    "editable": Stage.WORKSPACE,
    "files": Stage.WORKSPACE,
    "sessions": Stage.INSTRUCTION,
    "outputs": Stage.VERIFICATION,
    "expected": Stage.VERIFICATION,
    "checks": Stage.VERIFICATION,
    "rubric": Stage.VERIFICATION,
    "reference": Stage.REFERENCE,
    "solution": Stage.REFERENCE,
    "variants": Stage.REFERENCE,
}
"""Where a draft ends when this field is wrong."""


class Unusable(Exception):
    """A draft that is no task: where it ends, the reason to be counted, what to tell the model.

    `hostile` drafts are not handed back.
    """

    def __init__(
        self, stage: Stage, reason: str, findings: tuple[str, ...], hostile: bool = False
    ) -> None:
        super().__init__("; ".join(findings))
        self.stage, self.reason, self.findings, self.hostile = stage, reason, findings, hostile


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that an answer is; raises `Unusable`."""
    if len(text) > ANSWER_CHARACTERS:
        raise _no_json(f"the answer has {len(text):,} characters, at most {ANSWER_CHARACTERS:,}")
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare[3:-3].removeprefix("json").strip()
    try:
        found = json.loads(bare, parse_constant=_constant, parse_float=_finite)
        # Half characters (lone surrogates) are legal JSON and no text.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise _no_json(f"the answer is not one JSON object: {str(error)[:200]}") from None
    if not isinstance(found, dict):
        raise _no_json("the answer is JSON, but not an object")
    if _depth(found) > NESTING:
        raise _no_json(f"the answer is nested deeper than {NESTING} levels")
    return found


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return depth


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:40]} is too large a number")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _no_json(finding: str) -> Unusable:
    return Unusable(Stage.INTENT, "no JSON object", (finding,))


def read_draft(text: str) -> Draft:
    """The draft in an answer; raises `Unusable` with everything that is wrong with its form."""
    try:
        draft = Draft.model_validate(read_object(text))
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)[:20]
        findings = tuple(
            f"{'.'.join(map(str, detail['loc'])) or 'draft'}: {detail['msg']}" for detail in details
        )
        field = str(details[0]["loc"][0]) if details[0]["loc"] else "draft"
        stage = STAGES.get(field, Stage.INTENT)
        reason = f"not in the form: {field if field in Draft.model_fields else 'unknown field'}"
        raise Unusable(stage, reason, findings) from None
    total = sum(len(file.content) for files in draft.files().values() for file in files)
    if total > ALL_CHARACTERS:
        finding = f"the files have {total:,} characters together, at most {ALL_CHARACTERS:,}"
        raise Unusable(Stage.WORKSPACE, "files too large", (finding,))
    return draft
