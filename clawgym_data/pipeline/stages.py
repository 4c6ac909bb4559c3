"""The stages by name, in their order, and what a record that ends in one carries."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Stage(StrEnum):
    """The first seven make a draft; an engine says in which of them a draft has failed."""

    PERSONA = "persona"
    INTENT = "intent"
    OPERATIONS = "operations"
    WORKSPACE = "workspace"
    INSTRUCTION = "instruction"
    VERIFICATION = "verification"
    REFERENCE = "reference"
    AUDIT = "audit"
    NOVELTY = "novelty"
    BALANCE = "balance"
    SPLIT = "split"
    EXPORT = "export"


class Record(BaseModel):
    """What flows between stages: immutable, strict, bytes as base64 in JSON."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        ser_json_bytes="base64",
        val_json_bytes="base64",
        arbitrary_types_allowed=True,
    )


class Ended(Record):
    """Where a record ended and why: `reason` is counted, `detail` is for people."""

    stage: Stage
    reason: str
    detail: str = ""
