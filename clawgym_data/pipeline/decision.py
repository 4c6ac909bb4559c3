"""What became of one attempt: a line of the journal."""

from typing import Literal

from clawgym_data.pipeline.engine import FREE, Cost
from clawgym_data.pipeline.generate import Facts
from clawgym_data.pipeline.stages import Ended, Record

State = Literal["accepted", "rejected", "failed"]


class Decision(Record):
    """Final. A failed attempt is neither good nor bad: the machine or this program failed it.

    `end` is where the task's line ends in `shard`, in bytes. `gates` are the statuses of those that
    judged the draft, where nothing else had refused it. `grams` and `similarity` compare the
    request with the benchmark.
    """

    number: int
    state: State
    ended: Ended | None = None
    failure: str = ""
    facts: Facts | None = None
    split: str = ""
    shard: str = ""
    end: int = 0
    gates: dict[str, str] = {}
    rounds: int = 0
    cost: Cost = FREE
    candidate: bool = False
    """Whether a whole draft was there to be judged."""
    grams: int = 0
    similarity: float = 0.0

    def line(self) -> str:
        return self.model_dump_json(exclude_defaults=True)
