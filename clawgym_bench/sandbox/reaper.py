"""Ends sandboxes at their deadline, also where nobody awaits them any more."""

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Reaper:
    """One thread for all sandboxes of this process; it starts with the first of them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._forgotten: set[int] = set()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def watch(self, deadline: float, end: Callable[[], None]) -> int:
        """Calls `end` in the reaper's thread at `deadline` (seconds since the epoch)."""
        with self._changed:
            number = next(self._numbers)
            heapq.heappush(self._due, (deadline, number, end))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="reaper", daemon=True)
                self._thread.start()
            if self._due[0][1] == number:
                self._changed.notify()
            return number

    def forget(self, number: int) -> None:
        with self._changed:
            self._forgotten.add(number)
            # Long runs make many sandboxes and forget nearly all of them.
            if len(self._forgotten) > len(self._due) // 2:
                self._due = [entry for entry in self._due if entry[1] not in self._forgotten]
                heapq.heapify(self._due)
                self._forgotten.clear()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._due or self._due[0][0] > time.time():
                    wait = self._due[0][0] - time.time() if self._due else None
                    self._changed.wait(None if wait is None else min(max(wait, 0.0), 3_600.0))
                _, number, end = heapq.heappop(self._due)
                if number in self._forgotten:
                    self._forgotten.discard(number)
                    continue
            try:
                end()
            except Exception as error:
                logger.warning("a sandbox at its deadline could not be ended: %s", error)


reaper = Reaper()
