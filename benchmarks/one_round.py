"""One way at one concurrency, in a process of its own: what it costs is then nobody else's.

python -m benchmarks.one_round WAY CONCURRENCY LIVES

Prints one line of JSON: `Measured` as fields, or `{"unusable": "why"}`. The span runs from the
first life's start until nothing of any life is left. Before it comes a life that is not counted:
imports, connections; where there is a pool several at a time, so that it fills.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass

from benchmarks.cost import Cost, Meter
from benchmarks.ways import OUR_DOCKER, WAYS, Unusable, Way

POOL_SECONDS = 3.0
"""The pool fills up to half of the concurrency (eight at most) after the warm-up."""


@dataclass(frozen=True)
class Measured:
    """`execs`: the seconds that each command took, of all lives."""

    lives: int
    execs: list[float]
    cost: Cost


async def measure(name: str, concurrency: int, lives: int) -> Measured:
    way = WAYS[name]()
    await way.open()
    try:
        if name == OUR_DOCKER:
            await live(way, min(concurrency, 8), min(concurrency, 8))
            await asyncio.sleep(POOL_SECONDS)
        else:
            await live(way, 1, 1)
        meter = Meter()
        execs = await live(way, concurrency, lives)
    finally:
        # Within the span: containers are removed behind the callers' backs, and those that
        # wait in the pool are not counted as lives.
        await way.close()
    return Measured(lives, execs, await asyncio.to_thread(meter.stop))


async def live(way: Way, concurrency: int, lives: int) -> list[float]:
    """That many lives, at most `concurrency` at a time; the seconds of all commands."""
    left = iter(range(lives))
    seconds: list[float] = []

    async def worker() -> None:
        for _ in left:
            seconds.extend(await way.life())

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, lives)):
            group.create_task(worker())
    return seconds


def main() -> None:
    name, concurrency, lives = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    begin = time.perf_counter()
    try:
        measured = asyncio.run(measure(name, concurrency, lives))
    except Unusable as error:
        print(json.dumps({"unusable": str(error)}))
        return
    print(json.dumps({**asdict(measured), "total": time.perf_counter() - begin}))


if __name__ == "__main__":
    main()
