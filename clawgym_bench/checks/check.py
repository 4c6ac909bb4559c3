"""What a task lists: an id, what it cites, a weight, and exactly one body by its kind."""

from typing import Annotated, ClassVar

from pydantic import Field, StringConstraints, model_validator

from clawgym_bench.checks.artefact import ARTEFACTS, ArtefactCheck
from clawgym_bench.checks.base import CheckBody
from clawgym_bench.checks.command import CommandCheck
from clawgym_bench.checks.globs import FileCheck
from clawgym_bench.checks.reward import RewardCheck

CHECKS: dict[str, type[CheckBody]] = {
    **ARTEFACTS,
    CommandCheck.kind: CommandCheck,
    RewardCheck.kind: RewardCheck,
}


class Check(ArtefactCheck):
    """One check of a task.

    `cites` is a span of the request or of the output contract that asks for what is checked.
    A `gate` earns nothing and zeroes the score when it fails. `partial` lets the share of
    findings that hold be the check's score.
    """

    kinds: ClassVar[dict[str, type[CheckBody]]] = CHECKS

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
    cites: Annotated[str, StringConstraints(min_length=1)]
    weight: float = Field(default=1.0, gt=0, le=100)
    gate: bool = False
    partial: bool = False

    command: CommandCheck | None = None
    reward: RewardCheck | None = None

    @model_validator(mode="after")
    def _gates(self) -> "Check":
        if self.gate and "weight" in self.model_fields_set:
            raise ValueError("a gate earns nothing: remove `weight`")
        if self.partial and isinstance(self.body, FileCheck) and self.body.is_pattern:
            raise ValueError(
                "`partial` with a pattern as path would pay for more files: "
                "list a check for each file, or leave `partial` out"
            )
        if not self.gate and not self.body.affirms():
            raise ValueError(
                "it only forbids, bounds from above or asks for existence, which junk satisfies: "
                "add what must be there, or set `gate: true`"
            )
        return self
