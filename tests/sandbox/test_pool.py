"""The pool: what is kept ready, for whom, and that nothing is lost or handed out twice."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from clawgym_bench.errors import InputError, SandboxUnavailable
from clawgym_bench.sandbox import Resources, SandboxSpec
from clawgym_bench.sandbox.docker import DockerBackend
from clawgym_bench.sandbox.pool import KINDS, Pool
from tests.sandbox.conftest import require


class Workshop:
    """Makes numbered things and keeps account of them."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds, self.made, self.destroyed = seconds, [], []
        self.spoilt: set[str] = set()
        self.failures = 0
        self.lock = threading.Lock()

    def make(self, kind: str) -> str:
        time.sleep(self.seconds)
        with self.lock:
            if self.failures:
                self.failures -= 1
                raise SandboxUnavailable("broken")
            thing = f"{kind}{len(self.made)}"
            self.made.append(thing)
            return thing

    def destroy(self, thing: str) -> None:
        self.destroyed.append(thing)

    def pool(self, size: int) -> Pool[str, str]:
        return Pool(
            self.make, self.destroy, lambda thing: thing not in self.spoilt, size=size, makers=4
        )


async def settled(pool: Pool[str, str], count: int) -> None:
    for _ in range(200):
        if pool.waits() == count:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{pool.waits()} ready, not {count}")


async def test_nothing_is_kept_with_size_0() -> None:
    shop = Workshop()
    pool = shop.pool(0)
    assert await pool.take("a") == "a0"
    await asyncio.sleep(0.05)
    assert shop.made == ["a0"]


async def test_half_of_what_is_in_use_is_kept_ready() -> None:
    shop = Workshop()
    pool = shop.pool(3)
    taken = [await pool.take("a") for _ in range(4)]
    assert len(set(taken)) == 4
    await settled(pool, 2)
    for _ in range(6):
        await pool.take("a")
    await settled(pool, 3)  # never more than its size
    for _ in range(10):
        pool.over("a")
    taken = [await pool.take("a") for _ in range(3)]
    assert not set(taken) & set(shop.destroyed)


async def test_every_thing_is_handed_out_once() -> None:
    shop = Workshop(0.01)
    pool = shop.pool(8)
    taken = await asyncio.gather(*(pool.take("a") for _ in range(40)))
    assert len(set(taken)) == 40
    pool.drain()
    assert sorted(shop.made) == sorted([*taken, *shop.destroyed])


async def test_kinds_are_kept_apart_and_old_ones_give_way() -> None:
    shop = Workshop()
    pool = shop.pool(1)
    kinds = "abcdefgh"
    for kind in kinds:
        assert (await pool.take(kind))[0] == kind
        await asyncio.sleep(0.02)
    await settled(pool, KINDS)
    assert {thing[0] for thing in shop.destroyed} == set(kinds[:-KINDS])


async def test_what_a_cancelled_call_waited_for_goes_to_the_next() -> None:
    shop = Workshop(0.1)
    pool = shop.pool(0)
    call = asyncio.create_task(pool.take("a"))
    await asyncio.sleep(0.02)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await pool.take("a") == "a0"
    pool.drain()
    assert sorted([*shop.destroyed, "a0"]) == sorted(shop.made)


async def test_a_failure_reaches_who_asked_and_the_next_call_tries_again() -> None:
    shop = Workshop()
    pool = shop.pool(0)
    shop.failures = 1
    with pytest.raises(SandboxUnavailable):
        await pool.take("a")
    assert await pool.take("a") == "a0"


async def test_what_has_gone_bad_is_not_handed_out() -> None:
    shop = Workshop()
    pool = shop.pool(1)
    await pool.take("a")
    await settled(pool, 1)
    shop.spoilt.add("a1")
    assert await pool.take("a") == "a2"
    await asyncio.sleep(0.05)
    assert shop.destroyed == ["a1"]


def test_it_serves_one_event_loop_after_another() -> None:
    shop = Workshop()
    pool = shop.pool(2)
    first = asyncio.run(pool.take("a"))
    second = asyncio.run(pool.take("a"))
    pool.drain()
    assert {first, second} <= set(shop.made)
    assert set(shop.destroyed) == set(shop.made) - {first, second}


@pytest.fixture
def docker() -> Iterator[DockerBackend]:
    require("docker")
    backend = DockerBackend(pool=2)
    yield backend
    asyncio.run(backend.close())


def containers(backend: DockerBackend) -> set[str]:
    """Ids of the containers of this process."""
    from clawgym_bench.sandbox.labels import this_run

    client = backend._connect()
    found = client.api.containers(all=True, filters={"label": f"clawgym.run={this_run()}"})
    return {entry["Id"][:12] for entry in found}


@pytest.mark.docker
async def test_containers_are_ready_are_used_once_and_keep_their_limits(
    docker: DockerBackend,
) -> None:
    others = containers(docker)
    small = SandboxSpec(resources=Resources(memory_mb=128, open_files=100))
    first = await docker.create(small)
    for _ in range(300):
        if docker._pool.waits() == 1:
            break
        await asyncio.sleep(0.02)
    await first.exec(["touch", "mark"])
    await first.close()
    start = time.monotonic()
    second = await docker.create(small)
    assert time.monotonic() - start < 1.0
    assert second.facts["container"] != first.facts["container"]
    assert not (await second.snapshot()).files
    other = await docker.create(SandboxSpec(resources=Resources(memory_mb=256, open_files=200)))
    limits = [(await box.exec(["bash", "-c", "ulimit -n"])).stdout for box in (second, other)]
    assert limits == [b"100\n", b"200\n"]
    await docker.close()
    assert containers(docker) <= others


@pytest.mark.docker
async def test_a_cancelled_creation_leaves_nothing(docker: DockerBackend) -> None:
    others = containers(docker)
    call = asyncio.create_task(docker.create())
    await asyncio.sleep(0.1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await docker.close()
    assert containers(docker) <= others


@pytest.mark.docker
def test_a_sandbox_whose_event_loop_is_gone_is_removed(docker: DockerBackend) -> None:
    others = containers(docker)
    lost = asyncio.run(docker.create())
    assert lost.facts["container"] in containers(docker)
    asyncio.run(docker.close())
    assert containers(docker) <= others


@pytest.mark.docker
async def test_a_container_that_died_in_the_pool_is_replaced(docker: DockerBackend) -> None:
    first = await docker.create()
    for _ in range(300):
        if docker._pool.waits() == 1:
            break
        await asyncio.sleep(0.02)
    [shelf] = docker._pool._shelves.values()
    docker._connect().api.kill(shelf.ready[0].id)
    await asyncio.sleep(0.5)
    second = await docker.create()
    assert (await second.exec(["true"])).ok
    await first.close()


@pytest.mark.parametrize("pool", [-1, "many", 1.5, True])
def test_a_pool_is_a_number(pool: object) -> None:
    with pytest.raises(InputError, match="pool"):
        DockerBackend(pool=pool)  # type: ignore[arg-type]
