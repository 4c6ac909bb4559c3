"""The engine `model`: an attempt is one answer, and one more for each round of revision."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clawgym_data.pipeline.engine import Draft, Feedback
from clawgym_data.pipeline.stages import Ended, Stage
from clawgym_data.write import draft as form
from clawgym_data.write.answers import Answer, Answers
from clawgym_data.write.assignment import assign
from clawgym_data.write.build import build
from clawgym_data.write.draft import Unusable
from clawgym_data.write.prompt import conversation, prompts_hash
from clawgym_data.write.skills import Skills

VERSION = 1
ROUNDS = 2
KEPT_CHARACTERS = 200_000
"""Of an answer that is shown to the model again."""


class ModelEngine:
    """Persona route or, with `skills`, skill route. A draft that is refused (for its form, by the
    loader or by the audit) goes back with the findings, `rounds` times at most."""

    name = "model"
    local = False

    def __init__(
        self, answers: Answers, seed: int = 0, *, rounds: int = ROUNDS, skills: Skills | None = None
    ) -> None:
        self.answers, self.seed, self.rounds = answers, seed, rounds
        self.skills = skills

    @property
    def concurrency(self) -> int:
        return self.answers.connections

    def describe(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {
            "name": self.name,
            "version": VERSION,
            "seed": self.seed,
            "rounds": self.rounds,
            "prompts": prompts_hash(),
            **self.answers.describe(),
        }
        if self.skills is not None:
            texts = json.dumps([[s.name, s.description, s.text] for s in self.skills.usable])
            found["skills"] = {
                "used": [skill.name for skill in self.skills.usable],
                "hash": hashlib.sha256(texts.encode()).hexdigest()[:16],
                "left_out": dict(self.skills.left_out),
            }
        return found

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft:
        skills = self.skills.usable if self.skills else ()
        assignment = assign(self.seed, number, skills, self.answers.name)
        key = f"{number}/{feedback.round if feedback else 0}"
        answer = await self.answers.ask(
            key, f"write {self.seed}", conversation(assignment.prompt, feedback), form.Draft
        )
        return judged(answer, lambda text: build(form.read_draft(text), assignment.origin))


def judged(answer: Answer, read: Any) -> Draft:
    """What an answer comes to: a task, a draft to be revised, or an end."""
    if answer.refused:
        ended = Ended(stage=Stage.INTENT, reason="refused by the model", detail=answer.refused)
        return Draft(ended=ended, cost=answer.cost)
    try:
        return Draft(read(answer.text), cost=answer.cost, answer=answer.text)
    except Unusable as error:
        findings, reason = error.findings, error.reason
        if answer.cut:
            findings = ("the answer ended at the limit of tokens: write less", *findings)
            reason = "cut at the limit of tokens"
        ended = Ended(stage=error.stage, reason=reason, detail="; ".join(findings)[:2_000])
        given_up = Draft(ended=ended, cost=answer.cost)
        if error.hostile:
            return given_up
        return replace(given_up, answer=answer.text[:KEPT_CHARACTERS], findings=findings)
