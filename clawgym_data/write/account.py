"""What a run has spent on answers, kept beside the set so that a kill forgets nothing.

    DIR/account.json.lines   one line per answer: `key` ("ATTEMPT/ROUND") and its cost

The budget is held against these lines, not against the decisions: an answer whose attempt was
never decided was paid all the same.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from clawgym_bench.errors import InputError
from clawgym_data.pipeline.engine import FREE, BudgetSpent, Cost
from clawgym_data.pipeline.stages import Record

ACCOUNT = "account.json.lines"


@dataclass(frozen=True)
class Budget:
    """The most that a run may spend, over all of its resumptions; None: no bound."""

    dollars: float | None = None
    tokens: int | None = None

    def check(self) -> None:
        """Raises `InputError` for a budget of nothing."""
        for option, value in (("usd", self.dollars), ("tokens", self.tokens)):
            if value is not None and value <= 0:
                raise InputError(f"--budget-{option} {value}: give more than 0, or leave it out")


class _Line(Record):
    key: str
    cost: Cost


class Account:
    """Every answer counts once, however often an attempt is made again."""

    def __init__(self, folder: Path | None = None, budget: Budget = Budget()) -> None:
        """Without a folder it lives in memory. Nothing is written before the first answer."""
        budget.check()
        self.path = None if folder is None else folder / ACCOUNT
        self.budget = budget
        self.spent = FREE
        self._keys: set[str] = set()
        if self.path is not None and self.path.exists():
            self._read(self.path)

    def _read(self, path: Path) -> None:
        kept = 0
        content = path.read_bytes()
        for line in content.splitlines(keepends=True):
            try:
                found = _Line.model_validate_json(line)
            except ValidationError:
                break
            if not line.endswith(b"\n"):
                break
            kept += len(line)
            self._count(found.key, found.cost)
        if kept < len(content):  # a line that a kill has cut short
            with path.open("r+b") as file:
                file.truncate(kept)

    def _count(self, key: str, cost: Cost) -> None:
        if key not in self._keys:
            self._keys.add(key)
            self.spent += cost

    def check(self, key: str) -> None:
        """Raises `BudgetSpent` when an answer that is not paid yet may not be asked for."""
        if key in self._keys:
            return
        budget, spent = self.budget, self.spent
        if budget.dollars is not None and spent.dollars >= budget.dollars:
            raise BudgetSpent(f"${spent.dollars:.4f} of ${budget.dollars:g} are spent")
        if budget.tokens is not None and spent.tokens >= budget.tokens:
            raise BudgetSpent(f"{spent.tokens:,} of {budget.tokens:,} tokens are spent")

    def add(self, key: str, cost: Cost) -> None:
        if key in self._keys:
            return
        self._count(key, cost)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            line = {"key": key, "cost": cost.model_dump()}
            with self.path.open("ab", buffering=0) as file:
                file.write(json.dumps(line).encode() + b"\n")
