"""Runs the stages: workers make and audit attempts, this process decides on them in order."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgym_data.pipeline.decision import Decision
from clawgym_data.pipeline.engine import BudgetSpent, Engine, Exhausted, RunEnds
from clawgym_data.pipeline.ledger import Ledger
from clawgym_data.pipeline.machine import require_sandbox, versions
from clawgym_data.pipeline.rays import on_ray
from clawgym_data.pipeline.result import Result
from clawgym_data.pipeline.schedule import on_crew
from clawgym_data.pipeline.settings import Settings
from clawgym_data.pipeline.store import Store

FAILURES = 100
"""So many failed attempts one after the other end a run: something else is wrong."""

OnDecision = Callable[[Decision, Ledger], None]


@dataclass(frozen=True)
class Outcome:
    """`why` says what ended an incomplete run; a complete one has none.

    A run is complete with the tasks asked for, or when its engine has nothing more to give.
    """

    manifest: dict[str, Any]
    complete: bool
    why: str = ""


def synthesize(
    engine: Engine,
    settings: Settings,
    out: str | Path,
    *,
    workers: int = 0,
    resume: bool = False,
    on_decision: OnDecision | None = None,
    ray: bool = False,
) -> Outcome:
    """Makes a set of `settings.n` tasks in the folder `out`, or goes on with it.

    The same engine and settings give the same bytes, whatever the number of workers and however
    often the run was killed. Raises `InputError`, and `SandboxUnavailable` when there is nowhere to
    audit.
    """
    settings.check()
    require_sandbox(settings)
    store = Store(Path(out), settings.shard_tasks)
    ledger = Ledger(settings, store)
    head = {"settings": settings.model_dump(mode="json"), "engine": dict(engine.describe())}
    with closing(store):
        if resume:
            ledger.replay(store.resume(head))
        else:
            store.begin(head)
        why, complete = "", ledger.complete
        if not complete:
            count = workers or os.cpu_count() or 1
            results = on_ray if ray else on_crew
            with closing(results(engine, settings, ledger, count)) as run:
                why = _decide_all(run, ledger, on_decision)
            complete = not why
        manifest = {
            "complete": complete,
            **({} if complete else {"ended": why}),
            "versions": versions(),
            **head,
            **ledger.tally.figures(),
            "shards": store.shards(),
        }
        store.finish(manifest)
    return Outcome(manifest, complete, why)


def _decide_all(results: Iterator[Result], ledger: Ledger, on_decision: OnDecision | None) -> str:
    """Settles results in order until the set is full; why it is not, if so."""
    failed = 0
    try:
        for result in results:
            decision = ledger.settle(result)
            failed = failed + 1 if decision.state == "failed" else 0
            if on_decision is not None:
                on_decision(decision, ledger)
            if ledger.complete:
                return ""
            if failed == FAILURES:
                return f"{failed} attempts failed in a row, the last by {decision.failure}"
    except Exhausted:
        return ""
    except BudgetSpent as spent:
        return f"budget: {spent}"
    except RunEnds as ends:
        return str(ends)
    except KeyboardInterrupt:
        return "interrupted"
    missing = ", ".join(f"{count} {name}" for name, count in ledger.balance.left().items())
    return f"{ledger.settings.last_attempt} attempts were made; missing: {missing}"
