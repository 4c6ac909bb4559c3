"""What a worker process does: make drafts, audit drafts."""

import asyncio
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clawgym_bench.errors import InfrastructureError
from clawgym_bench.sandbox import Backend, open_backend
from clawgym_data.filters.contamination import Bench
from clawgym_data.pipeline.audit import Audited, audit_draft
from clawgym_data.pipeline.engine import Engine, Feedback, RunEnds
from clawgym_data.pipeline.generate import Produced, produced
from clawgym_data.pipeline.settings import Settings

MAKE_SECONDS = 120.0
"""A local engine that takes longer for a draft hangs."""


class Worker:
    """One per process; its backend lives as long as it does."""

    def __init__(self, engine: Engine | None, settings: Settings) -> None:
        """Without an engine it audits only."""
        self.engine, self.settings = engine, settings
        self.bench = Bench()
        self.loop = asyncio.new_event_loop()
        self._backend: Backend | None = None

    def make(self, number: int, feedback: Feedback | None) -> Produced:
        assert self.engine is not None
        try:
            with _at_most(MAKE_SECONDS):
                draft = self.loop.run_until_complete(self.engine.attempt(number, feedback))
                return produced(draft, self.bench)
        except (RunEnds, InfrastructureError):
            raise
        except Exception as error:
            return Produced(failure=told(error))

    def audit(self, blob: bytes, content_hash: str) -> Audited:
        if self._backend is None:
            self._backend = open_backend("docker" if self.settings.sandbox == "docker" else "bwrap")
        work = audit_draft(blob, content_hash, self.settings, self._backend)
        try:
            return self.loop.run_until_complete(work)
        except InfrastructureError:
            raise
        except Exception as error:
            return Audited(failure=told(error))


def told(error: BaseException) -> str:
    """An exception in a line, with the place in our code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {str(error)[:300]}{place}"


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Ends what hangs, in a main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise TimeoutError(f"took longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_worker: Worker


def begin(engine: Engine | None, settings: Settings, parent: int) -> None:
    """Once per process. It ends with its parent, however that ends."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    _worker = Worker(engine, settings)


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def make(number: int, feedback: Feedback | None = None, pause: float = 0.0) -> Produced:
    time.sleep(pause)
    return _worker.make(number, feedback)


def audit(blob: bytes, content_hash: str, pause: float = 0.0) -> Audited:
    time.sleep(pause)
    return _worker.audit(blob, content_hash)
