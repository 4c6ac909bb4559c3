"""What workers know of one attempt when it is to be decided."""

from dataclasses import dataclass

from clawgym_data.pipeline.audit import Audited
from clawgym_data.pipeline.engine import FREE, Cost
from clawgym_data.pipeline.generate import Produced


@dataclass(frozen=True)
class Result:
    """`audited` may be missing for a draft that is refused anyway. `cost` is that of all rounds."""

    produced: Produced
    audited: Audited | None
    cost: Cost = FREE
    rounds: int = 0
