"""A pool of worker processes that outlives its workers.

When a worker dies, everything in flight is lost with the pool. The pool is made anew and the lost
jobs are done one at a time, so that only the job that kills workers is held to account.
"""

import multiprocessing
import queue
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from clawgym_bench.errors import InfrastructureError

DEATHS = 3
"""A job during which this many workers died, alone, is given up."""


class WorkerDied(InfrastructureError):
    """The process that did the job ended, again and again."""


@dataclass
class Job:
    tag: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    deaths: int = 0


class Crew:
    """`submit` jobs, take their outcomes with `next`, in whatever order they end."""

    def __init__(self, workers: int, begin: Callable[..., None], given: tuple[Any, ...]) -> None:
        self.workers = workers
        self._begin, self._given = begin, given
        self._pool = self._make()
        self._flying: dict[Future[Any], Job] = {}
        self._ended: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._suspects: deque[Job] = deque()
        self._waiting: deque[Job] = deque()
        self._alone = False
        self._elsewhere: dict[Future[Any], Any] = {}

    def _make(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=self._begin, initargs=self._given
        )

    def submit(self, tag: Any, function: Callable[..., Any], *arguments: Any) -> None:
        self._waiting.append(Job(tag, function, arguments))
        self._launch()

    def follow(self, tag: Any, future: Future[Any]) -> None:
        """Gives the outcome of something that goes on elsewhere among those of the jobs."""
        self._elsewhere[future] = tag
        future.add_done_callback(self._ended.put)

    def _launch(self) -> None:
        if self._alone:
            return
        if self._suspects and not self._flying:
            self._alone = True
            self._fly(self._suspects.popleft())
            return
        while self._waiting and not self._suspects:
            self._fly(self._waiting.popleft())

    def _fly(self, job: Job) -> None:
        try:
            future = self._pool.submit(job.function, *job.arguments)
        except BrokenProcessPool:
            future = Future()
            future.set_exception(BrokenProcessPool())
        self._flying[future] = job
        future.add_done_callback(self._ended.put)

    def next(self) -> tuple[Any, Any]:
        """The tag of a job that ended, and its result or the exception that it raised; waits."""
        while True:
            future = self._ended.get()
            if future in self._elsewhere:
                tag, error = self._elsewhere.pop(future), future.exception()
                return tag, (error if error is not None else future.result())
            job = self._flying.pop(future, None)
            if job is None:
                continue  # lost with a pool before
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                if (lost := self._recover(job)) is not None:
                    return lost
                continue
            self._alone = False
            self._launch()
            return job.tag, (error if error is not None else future.result())

    def _recover(self, job: Job) -> tuple[Any, Any] | None:
        lost = [job, *self._flying.values()]
        self._flying.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._make()
        outcome = None
        if self._alone:
            job.deaths += 1
            if job.deaths >= DEATHS:
                lost.remove(job)
                outcome = (job.tag, WorkerDied("a worker process died during it, every time"))
        self._alone = False
        self._suspects.extend(lost)
        self._launch()
        return outcome

    def close(self) -> None:
        """Ends the workers; what is in flight is dropped."""
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)
