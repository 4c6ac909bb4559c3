"""The final message of a session: what the agent told its user."""

from typing import ClassVar

from pydantic import Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding
from clawgym_bench.checks.limits import Refused
from clawgym_bench.checks.text import TEXT_FIELDS, TextAssertions, decode_text


class MessageCheck(TextAssertions, CheckBody):
    """The last message of session `session`, counted from 1; without it, of the last session."""

    kind: ClassVar[str] = "message"

    session: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _asserts(self) -> "MessageCheck":
        if not self.asserts_text():
            raise ValueError(
                f"nothing is asserted about the message: give one of {', '.join(TEXT_FIELDS)}"
            )
        return self

    def run(self, evidence: Evidence) -> list[Finding]:
        session = self.session or len(evidence.messages)
        where = f"the final message of session {session}"
        if not 1 <= session <= len(evidence.messages):
            return [Finding(False, f"{where} does not exist", required=True)]
        message = evidence.messages[session - 1]
        if not message.strip():
            return [Finding(False, f"{where} is blank", required=True)]
        try:
            text = decode_text(message.replace("\0", " ").encode(errors="replace"))
        except Refused as refused:
            return [Finding(False, f"{where} cannot be read: {refused}", required=True)]
        return self.findings(text, where, evidence)
