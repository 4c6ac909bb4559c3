"""Engines that wait for answers run in one event loop, in a thread of the parent."""

import asyncio
import threading
from concurrent.futures import Future

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
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(self, number: int, feedback: Feedback | None, pause: float) -> Future[Produced]:
        return asyncio.run_coroutine_threadsafe(self._make(number, feedback, pause), self._loop)

    async def _make(self, number: int, feedback: Feedback | None, pause: float) -> Produced:
        await asyncio.sleep(pause)
        async with self._room:
            try:
                draft = await self.engine.attempt(number, feedback)
                return await asyncio.to_thread(produced, draft, self._bench)
            except (RunEnds, InfrastructureError):
                raise
            except Exception as error:
                return Produced(failure=told(error))

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
