"""Keeps worker processes busy and gives results in the order of the attempts.

At most `WINDOW` attempts are on their way, so memory does not grow with the set. An attempt that
the machine fails is tried again, `TRIES` times in all, and then ends as failed; the others go on.
"""

import os
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field

from clawgym_bench.errors import InfrastructureError
from clawgym_data.pipeline import worker
from clawgym_data.pipeline.audit import Audited
from clawgym_data.pipeline.crew import Crew, WorkerDied
from clawgym_data.pipeline.engine import FREE, Cost, Engine, Feedback, RunEnds
from clawgym_data.pipeline.generate import Produced, unpacked
from clawgym_data.pipeline.ledger import Ledger
from clawgym_data.pipeline.machine import require_sandbox
from clawgym_data.pipeline.remote import Remote
from clawgym_data.pipeline.result import Result
from clawgym_data.pipeline.settings import Settings

WINDOW = 256
TRIES = 3
PAUSES = (0.0, 1.0, 5.0)


@dataclass
class _Attempt:
    """One attempt on its way."""

    number: int
    tries: int = 0
    feedback: Feedback | None = None
    produced: Produced | None = None
    cost: Cost = FREE


@dataclass
class _Scheduler:
    """Keeps workers busy and gives results in order."""

    engine: Engine
    settings: Settings
    ledger: Ledger
    crew: Crew
    remote: Remote | None
    _started: int = 0
    _going: dict[int, _Attempt] = field(default_factory=dict)
    _done: dict[int, Result | RunEnds] = field(default_factory=dict)
    _over: bool = False

    def results(self) -> Generator[Result, None, None]:
        self._started = number = self.ledger.next
        while number < self.settings.last_attempt:
            self._start(number)
            while number in self._done:
                result = self._done.pop(number)
                if isinstance(result, RunEnds):
                    if self.remote is not None:
                        self.remote.finish()
                    raise result
                yield result
                number += 1
                self._start(number)
            if self._going and number not in self._done:
                self._step()

    def _start(self, number: int) -> None:
        missing = self.settings.n - self.ledger.tally.accepted
        if self.remote is None:
            ahead = min(WINDOW, 3 * missing + 4 * self.crew.workers)
        else:  # answers cost: nothing is asked for that may not be needed
            ahead = min(WINDOW, missing, 4 * self.engine.concurrency)
        end = min(number + ahead, self.settings.last_attempt)
        while self._started < end and not self._over:
            attempt = _Attempt(self._started)
            self._going[attempt.number] = attempt
            self._started += 1
            self._make(attempt)

    def _make(self, attempt: _Attempt) -> None:
        pause = PAUSES[attempt.tries]
        tag = (attempt.number, "made")
        if self.remote is None:
            self.crew.submit(tag, worker.make, attempt.number, attempt.feedback, pause)
        else:
            self.crew.follow(tag, self.remote.submit(attempt.number, attempt.feedback, pause))

    def _audit(self, attempt: _Attempt) -> None:
        assert attempt.produced is not None
        assert attempt.produced.candidate is not None
        candidate = attempt.produced.candidate
        pause = PAUSES[attempt.tries]
        tag = (attempt.number, "audited")
        self.crew.submit(tag, worker.audit, candidate.blob, candidate.facts.hash, pause)

    def _step(self) -> None:
        (number, what), outcome = self.crew.next()
        attempt = self._going[number]
        if isinstance(outcome, RunEnds):
            self._over = True
            self._end(attempt, outcome)
        elif what == "made":
            self._made(attempt, outcome)
        else:
            self._audited(attempt, outcome)

    def _made(self, attempt: _Attempt, outcome: Produced | Exception) -> None:
        if isinstance(outcome, Exception):
            if self._again(attempt, outcome):
                self._make(attempt)
                return
            outcome = Produced(failure=f"{type(outcome).__name__}: {outcome}")
        attempt.tries = 0
        attempt.produced = outcome
        attempt.cost += outcome.cost
        if outcome.candidate is None and outcome.findings and self._revised(attempt, outcome):
            return
        early = outcome.candidate and not self.engine.rounds
        # With revisions an early refusal could hide one: there the audit comes first.
        if outcome.candidate is None or (early and self.ledger.refuses(outcome.candidate)):
            self._end(attempt, self._result(attempt, None))
        else:
            self._audit(attempt)

    def _audited(self, attempt: _Attempt, outcome: Audited | Exception) -> None:
        if isinstance(outcome, Exception):
            outcome = Audited(failure=f"{type(outcome).__name__}: {outcome}")
        if outcome.failure and self._again(attempt, InfrastructureError(outcome.failure)):
            require_sandbox(self.settings)
            self._audit(attempt)
            return
        attempt.tries = 0
        if outcome.ended is not None and self._revised(attempt, outcome):
            return
        self._end(attempt, self._result(attempt, outcome))

    def _revised(self, attempt: _Attempt, outcome: Produced | Audited) -> bool:
        """Hands the draft back with what was found, while there are rounds left."""
        done = attempt.feedback.round if attempt.feedback else 0
        if done >= self.engine.rounds:
            return False
        draft = attempt.produced
        assert draft is not None
        line = draft.answer or (unpacked(draft.candidate.blob).strip() if draft.candidate else "")
        attempt.feedback = Feedback(done + 1, line, outcome.findings)
        self._make(attempt)
        return True

    def _again(self, attempt: _Attempt, error: Exception) -> bool:
        """Whether to try once more: failures of the machine, a few times; dead workers had it."""
        if not isinstance(error, InfrastructureError) or isinstance(error, WorkerDied):
            return False
        attempt.tries += 1
        return attempt.tries < TRIES

    def _result(self, attempt: _Attempt, audited: Audited | None) -> Result:
        assert attempt.produced is not None
        rounds = attempt.feedback.round if attempt.feedback else 0
        return Result(attempt.produced, audited, attempt.cost, rounds)

    def _end(self, attempt: _Attempt, result: Result | RunEnds) -> None:
        del self._going[attempt.number]
        self._done[attempt.number] = result


def on_crew(
    engine: Engine, settings: Settings, ledger: Ledger, workers: int
) -> Generator[Result, None, None]:
    """Results of the attempts from `ledger.next` on, made and audited by a pool of processes.

    Raises `RunEnds` in place of the first attempt that could not be made.
    """
    with ExitStack() as stack:
        local = engine if engine.local else None
        crew = Crew(workers, worker.begin, (local, settings, os.getpid()))
        stack.callback(crew.close)
        remote = None
        if not engine.local:
            remote = Remote(engine)
            stack.callback(remote.close)
        yield from _Scheduler(engine, settings, ledger, crew, remote).results()
