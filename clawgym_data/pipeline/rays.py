"""The same stages as Ray Data, for more than one machine (`pip install 'clawgym[scale]'`).

Attempts are made and audited by actors, block after block; decisions are taken here, in order, as
always. So the set is the same, byte for byte, as one made by a pool of processes.
"""

import pickle
import time
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, TypeVar

from clawgym_bench.errors import InfrastructureError, InputError
from clawgym_data.pipeline.audit import Audited
from clawgym_data.pipeline.engine import Engine
from clawgym_data.pipeline.generate import Produced
from clawgym_data.pipeline.ledger import Ledger
from clawgym_data.pipeline.result import Result
from clawgym_data.pipeline.schedule import PAUSES
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.worker import Worker

BLOCK = 512
"""Attempts that are made before the first of them is audited."""
BATCH = 8
_T = TypeVar("_T")
Batch = dict[str, Any]


def on_ray(
    engine: Engine, settings: Settings, ledger: Ledger, workers: int
) -> Generator[Result, None, None]:
    """As `on_crew`; on a running Ray cluster if there is one, else on a local one."""
    if not engine.local or engine.rounds:
        raise InputError(
            f"--ray goes with the composer; the engine {engine.name} waits for answers"
        )
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError("--ray needs Ray: pip install 'clawgym[scale]'") from error
    if not ray.is_initialized():
        ray.init(num_cpus=workers + 1, logging_level="error", log_to_driver=False)
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    begin = ledger.next
    given = {"fn_constructor_args": (engine, settings), "batch_size": BATCH, "concurrency": workers}
    while begin < settings.last_attempt:
        missing = settings.n - ledger.tally.accepted
        end = min(begin + min(BLOCK, 3 * missing + 4 * workers), settings.last_attempt)
        numbers = ray.data.from_items([{"number": number} for number in range(begin, end)])
        rows = numbers.map_batches(_Make, **given).iter_rows()
        made: list[Produced] = [pickle.loads(row["made"]) for row in rows]
        wanted = [
            (one.candidate.blob, one.candidate.facts.hash)
            for one in made
            if one.candidate and not ledger.refuses(one.candidate)
        ]
        audits: dict[str, Audited] = {}
        if wanted:
            drafts = ray.data.from_items([{"blob": blob, "hash": name} for blob, name in wanted])
            for row in drafts.map_batches(_Audit, **given).iter_rows():
                audits[row["hash"]] = pickle.loads(row["audited"])
        for one in made:
            audited = audits.get(one.candidate.facts.hash) if one.candidate else None
            yield Result(one, audited, one.cost)
        begin = end


class _Make:
    """An actor that makes drafts."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._worker = Worker(engine, settings)

    def __call__(self, batch: Batch) -> Batch:
        made = [
            _tried(partial(self._worker.make, int(number), None), Produced)
            for number in batch["number"]
        ]
        return {"made": [pickle.dumps(one) for one in made]}


class _Audit:
    """An actor that audits drafts, in sandboxes of its machine."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._worker = Worker(engine, settings)

    def __call__(self, batch: Batch) -> Batch:
        audits = [
            _tried(partial(self._worker.audit, bytes(blob), str(name)), Audited)
            for blob, name in zip(batch["blob"], batch["hash"], strict=True)
        ]
        return {"hash": batch["hash"], "audited": [pickle.dumps(one) for one in audits]}


def _tried(work: Callable[[], _T], kind: Callable[..., _T]) -> _T:
    """The outcome, or after some tries that the machine has failed it."""
    reason = ""
    for pause in PAUSES:
        time.sleep(pause)
        try:
            outcome = work()
        except InfrastructureError as error:
            reason = f"{type(error).__name__}: {error}"
            continue
        reason = getattr(outcome, "failure", "")
        if not reason or kind is Produced:
            return outcome
    return kind(failure=reason)
