"""Keeps things ready that take long to make: each is handed out once and never comes back.

Works in threads of its own, so that what it holds belongs to no event loop. How much is kept
follows the demand: half as many as are in use, between one and `size`, per kind; a kind that was
not asked for in a long time gives way to others. What somebody waits for is made first.
"""

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
M = TypeVar("M")
KINDS = 4
"""Kinds that things are kept ready of; more may be in use."""


@dataclass
class Shelf(Generic[M]):
    """What is there of one kind: `out` counts what was taken and is not over yet."""

    ready: deque[M] = field(default_factory=deque)
    waiting: deque[Future[M]] = field(default_factory=deque)
    making: int = 0
    out: int = 0


class Pool(Generic[K, M]):
    """`make` and `destroy` block and are called in threads; `usable` says whether a thing that
    has waited is still good."""

    def __init__(
        self,
        make: Callable[[K], M],
        destroy: Callable[[M], None],
        usable: Callable[[M], bool],
        *,
        size: int,
        makers: int,
    ) -> None:
        self._make, self._destroy, self._usable, self._size = make, destroy, usable, size
        self._changed = threading.Condition()
        self._shelves: OrderedDict[K, Shelf[M]] = OrderedDict()
        self._threads = ThreadPoolExecutor(makers, thread_name_prefix="pool")
        self._open = True
        self._leaving = 0

    async def take(self, kind: K) -> M:
        """One of a kind, ready or newly made; raises what `make` raises."""
        loop = asyncio.get_running_loop()
        asked: Future[M] = Future()
        with self._changed:
            shelf = self._shelves.setdefault(kind, Shelf())
            self._shelves.move_to_end(kind)
            shelf.out += 1
            discarded = []
            while shelf.ready and not asked.done():
                thing = shelf.ready.popleft()
                if self._usable(thing):
                    asked.set_result(thing)
                else:
                    discarded.append(thing)
            if not asked.done():
                shelf.waiting.append(asked)
            discarded += self._make_room()
            self._supply(kind, shelf)
            self._leaving += len(discarded)
        for thing in discarded:
            self._threads.submit(self._dispose, thing)
        if asked.done():
            return asked.result()
        try:
            return await asyncio.shield(asyncio.wrap_future(asked, loop=loop))
        except BaseException:
            with self._changed:
                if asked in shelf.waiting:
                    shelf.waiting.remove(asked)
                elif asked.exception() is None:
                    shelf.ready.append(asked.result())  # never used: the next one's
                shelf.out -= 1
            raise

    def over(self, kind: K) -> None:
        """Something that was taken is no longer in use."""
        with self._changed:
            if shelf := self._shelves.get(kind):
                shelf.out = max(0, shelf.out - 1)

    def waits(self) -> int:
        """How many things are ready."""
        with self._changed:
            return sum(len(shelf.ready) for shelf in self._shelves.values())

    def drain(self) -> None:
        """Destroys what is ready or in the making for nobody; blocks. The pool can be used on."""
        with self._changed:
            self._open = False
            while self._leaving or any(
                shelf.making > len(shelf.waiting) for shelf in self._shelves.values()
            ):
                self._changed.wait()
            left = [thing for shelf in self._shelves.values() for thing in shelf.ready]
            for shelf in self._shelves.values():
                shelf.ready.clear()
            self._open = True
        for thing in left:
            self._destroy(thing)

    # Under the lock

    def _supply(self, kind: K, shelf: Shelf[M]) -> None:
        spare = min(self._size, -(-shelf.out // 2)) if self._open else 0
        wanted = len(shelf.waiting) + spare - len(shelf.ready) - shelf.making
        for _ in range(wanted):
            shelf.making += 1
            self._threads.submit(self._produce, kind, shelf)

    def _make_room(self) -> list[M]:
        """Empties the shelves that were used longest ago; returns what stood there."""
        cleared: list[M] = []
        for kind in list(self._shelves)[: max(0, len(self._shelves) - KINDS)]:
            shelf = self._shelves[kind]
            cleared += shelf.ready
            shelf.ready.clear()
            if not (shelf.out or shelf.making or shelf.waiting):
                del self._shelves[kind]
        return cleared

    # In a thread

    def _produce(self, kind: K, shelf: Shelf[M]) -> None:
        with self._changed:
            if not self._open and shelf.making > len(shelf.waiting):
                self._made_one(shelf)
                return
        failure: BaseException | None = None
        try:
            made = self._make(kind)
        except BaseException as error:
            failure = error
        surplus = False
        with self._changed:
            waiting = shelf.waiting.popleft() if shelf.waiting else None
            if failure is not None:
                # With nobody waiting it is forgotten: the next who asks will see for himself.
                if waiting is not None:
                    waiting.set_exception(failure)
            elif waiting is not None:
                waiting.set_result(made)
            elif self._open and kind in list(self._shelves)[-KINDS:]:
                shelf.ready.append(made)
            else:
                surplus = True
            if not surplus:
                self._made_one(shelf)
        if surplus:
            try:
                self._destroy(made)
            finally:
                with self._changed:
                    self._made_one(shelf)

    def _dispose(self, thing: M) -> None:
        try:
            self._destroy(thing)
        finally:
            with self._changed:
                self._leaving -= 1
                self._changed.notify_all()

    def _made_one(self, shelf: Shelf[M]) -> None:
        shelf.making -= 1
        self._changed.notify_all()
