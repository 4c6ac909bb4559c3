"""Engines for tests of the pipeline; importable, because workers are processes of their own."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgym_bench.errors import InfrastructureError
from clawgym_bench.sandbox import File
from clawgym_bench.task import Task
from clawgym_bench.task.store import make_task
from clawgym_data.pipeline import BudgetSpent, Cost, Draft, Ended, Feedback, Stage
from tests.conftest import FIELDS, FILES

WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "larch")


def task(number: int, said: str = "", cites: str = "amounts per vendor") -> Task:
    """A small task like no other: its request is made of the digits of `number`."""
    order = [(number * 31 + at * (number % 7 + 1) + at * at) % len(WORDS) for at in range(30)]
    letters = ["abcdefghij"[number // 10 ** (at % 3) % 10] for at in range(30)]
    words = " ".join(WORDS[at] + letter for at, letter in zip(order, letters, strict=True))
    text = f"Add up the amounts per vendor in sales.csv. {said}{number} {words}"
    files = {path: File(body.encode(), 0o644) for path, body in FILES.items()}
    fields = {
        **FIELDS,
        "id": f"fake-{number}",
        "sessions": [{"instruction": text}],
        "checks": [{**FIELDS["checks"][0], "cites": cites}],
        "provenance": {"kind": "composed", "skeleton": f"plan-{number}"},
    }
    return make_task(fields, files, "fake")


@dataclass(frozen=True)
class Fake:
    """Local. Some numbers are rejected, raise, end their worker, or fail a few times first."""

    rejects: tuple[int, ...] = ()
    raises: tuple[int, ...] = ()
    deadly: tuple[int, ...] = ()
    shaky: tuple[int, ...] = ()
    outages: int = 1
    notes: str = ""
    """A folder in which outages are counted."""

    name = "fake"
    local = True
    concurrency = 1
    rounds = 0

    def describe(self) -> Mapping[str, Any]:
        return {"name": self.name}

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft:
        if number in self.rejects:
            return Draft(ended=Ended(stage=Stage.WORKSPACE, reason="no files"))
        if number in self.raises:
            raise KeyError("a flaw in the engine")
        if number in self.deadly:
            os._exit(9)
        if number in self.shaky:
            self.fail(number)
        return Draft(task(number))

    def fail(self, number: int) -> None:
        note = Path(self.notes, str(number))
        before = note.read_text() if note.exists() else ""
        note.write_text(before + "x")
        if len(before) < self.outages:
            raise InfrastructureError("no answer")


@dataclass
class Waiting:
    """Not local: as an engine that asks a model. Spends a budget; revises with feedback."""

    budget: int = 1_000
    rounds: int = 0
    bad: tuple[int, ...] = ()
    """Numbers whose first draft has a check that cites nothing."""
    hopeless: tuple[int, ...] = ()
    """Those of them whose other drafts are no better."""
    most: int = 0
    now: int = 0
    asked: int = 0

    name = "waiting"
    local = False
    concurrency = 3

    def describe(self) -> Mapping[str, Any]:
        return {"name": self.name}

    async def attempt(self, number: int, feedback: Feedback | None = None) -> Draft:
        if number >= self.budget:
            raise BudgetSpent("1 dollar is spent")
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        cost = Cost(calls=1, input_tokens=10, output_tokens=5, dollars=0.01)
        if number in self.bad and (feedback is None or number in self.hopeless):
            return Draft(task(number, cites="what nobody said"), cost=cost)
        assert feedback is None or "what nobody said" in feedback.findings[0]
        said = f"Round {feedback.round}. " if feedback else ""
        return Draft(task(number, said), cost=cost)
