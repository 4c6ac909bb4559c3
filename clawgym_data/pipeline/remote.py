"""Engines that wait for answers run in one event loop, in a thread of the parent."""

import asyncio
import threading
from concurrent.futures import Future
from typing import Any

from clawgym_bench.errors import InfrastructureError
from clawgym_data.filters.contamination import Bench
from clawgym_data.pipeline.engine import Engine, Feedback, RunEnds
from clawgym_data.pipeline.generate import Produced, produced
from clawgym_data.pipeline.worker import told


class Remote:
    """At most `engine.concurrency` attempts at a time; the others wait."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._bench = Bench()
        self._loop = asyncio.new_event_loop()
        self._room = asyncio.Semaphore(engine.concurrency)
        self._over: tuple[int, RunEnds] | None = None
        """From which attempt on none can be made, and why."""
        self._working: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(self, number: int, feedback: Feedback | None, pause: float) -> Future[Produced]:
        return asyncio.run_coroutine_threadsafe(self._make(number, feedback, pause), self._loop)

    async def _make(self, number: int, feedback: Feedback | None, pause: float) -> Produced:
        task = asyncio.current_task()
        assert task is not None
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        await asyncio.sleep(pause)
        async with self._room:
            if self._over is not None and number >= self._over[0]:
                raise self._over[1]
            try:
                draft = await self.engine.attempt(number, feedback)
                return await asyncio.to_thread(produced, draft, self._bench)
            except RunEnds as over:
                if self._over is None or number < self._over[0]:
                    self._over = number, over
                raise
            except InfrastructureError:
                raise
            except Exception as error:
                return Produced(failure=told(error))

    def finish(self) -> None:
        """Waits for what is under way: its answers are paid. Nothing new is begun."""
        asyncio.run_coroutine_threadsafe(self._rest(), self._loop).result()

    async def _rest(self) -> None:
        if self._working:
            await asyncio.wait(set(self._working))

    def close(self) -> None:
        """Drops what is under way."""
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    async def _cancel(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=5) if tasks else None
