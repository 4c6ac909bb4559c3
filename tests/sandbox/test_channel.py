"""A supervisor that lies: the host believes nothing and never hangs."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from clawgym_bench.errors import ClawGymError, SandboxLost
from clawgym_bench.sandbox.channel import Channel
from clawgym_bench.sandbox.snapshot import SnapshotLimits
from clawgym_bench.sandbox.wire import MAX_PAYLOAD, encode, pack


class Pair:
    """A channel whose other end is played by the test."""

    def __init__(self, channel: Channel, peer: asyncio.StreamWriter) -> None:
        self.channel, self.peer = channel, peer

    def say(self, *frames: bytes) -> None:
        self.peer.write(b"".join(frames))


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    peers: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await peers.put(writer)

    async def explain() -> ClawGymError:
        return SandboxLost("it died")

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    peer = await peers.get()
    channel = Channel(reader, writer, explain)
    yield Pair(channel, peer)
    await channel.close()
    peer.close()
    server.close()


async def test_end_of_stream_fails_every_call(pair: Pair) -> None:
    calls = [asyncio.create_task(pair.channel.read(f"f{n}", 10)) for n in range(3)]
    await asyncio.sleep(0.05)
    pair.peer.close()
    for call in calls:
        with pytest.raises(SandboxLost, match="it died"):
            await call
    with pytest.raises(SandboxLost, match="it died"):
        await pair.channel.stop()


async def test_an_end_that_cannot_be_explained_is_still_an_end(pair: Pair) -> None:
    async def explain() -> ClawGymError:
        raise RuntimeError("no idea")

    pair.channel._explain = explain
    call = asyncio.create_task(pair.channel.read("f", 10))
    await asyncio.sleep(0.02)
    pair.peer.close()
    with pytest.raises(SandboxLost, match="no idea"):
        await asyncio.wait_for(call, 5)


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param([b"d" + bytes(4) + (MAX_PAYLOAD + 1).to_bytes(4, "big")], id="oversized"),
        pytest.param([encode(b"d", 1, b"x" * 11)], id="more than asked for"),
        pytest.param([encode(b"x", 1, b"")], id="an exec's end"),
        pytest.param([encode(b".", 1, pack(["nonsense"]))], id="not a number"),
        pytest.param([encode(b".", 1, b"\xff\xff\xff\xff")], id="a field beyond its frame"),
        pytest.param([encode(b"\x00", 1, b"")], id="no such kind"),
    ],
)
async def test_lies_in_a_read(pair: Pair, frames: list[bytes]) -> None:
    call = asyncio.create_task(pair.channel.read("f", 10))
    await asyncio.sleep(0.02)
    pair.say(*frames)
    with pytest.raises(SandboxLost, match="broke the protocol"):
        await asyncio.wait_for(call, 5)


LIMITS = SnapshotLimits(files=3, file_size=10, total_size=25, path_length=50, depth=3)


def a_file(path: bytes, content: bytes = b"x") -> bytes:
    return encode(b"f", 1, path) + encode(b"d", 1, content) + encode(b"c", 1)


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param([a_file(b"../etc/passwd")], id="climbs out"),
        pytest.param([a_file(b"/etc/passwd")], id="absolute"),
        pytest.param([a_file(b"a//b")], id="empty part"),
        pytest.param([a_file(b"")], id="no name"),
        pytest.param([a_file(b"a/b/c/d/e/f")], id="too deep"),
        pytest.param([a_file(b"big", b"x" * 11)], id="too big"),
        pytest.param([a_file(b"f%d" % n, b"x" * 10) for n in range(3)], id="too much"),
        pytest.param([a_file(b"f%d" % n) for n in range(4)], id="too many"),
        pytest.param([encode(b"d", 1, b"x")], id="content of nothing"),
        pytest.param([encode(b"c", 1)], id="end of nothing"),
        pytest.param([encode(b"f", 1, b"a"), encode(b"f", 1, b"b")], id="file in a file"),
        pytest.param([encode(b"n", 1, b"d%d" % n) for n in range(4)], id="too many folders"),
        pytest.param(
            [encode(b"r", 1, pack([b"r%d" % n, "no"])) for n in range(20)], id="too many refusals"
        ),
    ],
)
async def test_lies_in_a_snapshot(pair: Pair, frames: list[bytes]) -> None:
    call = asyncio.create_task(pair.channel.snapshot("/workspace", LIMITS))
    await asyncio.sleep(0.02)
    pair.say(*frames)
    with pytest.raises(SandboxLost, match="broke the protocol"):
        await asyncio.wait_for(call, 5)


async def test_unprintable_names_are_escaped(pair: Pair) -> None:
    call = asyncio.create_task(pair.channel.snapshot("/workspace", LIMITS))
    await asyncio.sleep(0.02)
    refusal = encode(b"r", 1, pack(["a\x1b[2J\u202e".encode(), "x" * 5000]))
    pair.say(a_file(b"ok"), refusal, encode(b".", 1))
    snapshot = await call
    assert snapshot.files == {"ok": b"x"}
    [(name, reason)] = snapshot.refused.items()
    assert name == "a\\x1b[2J\\x202e"
    assert len(reason) == 200


async def test_frames_for_unknown_calls_are_ignored(pair: Pair) -> None:
    call = asyncio.create_task(pair.channel.read("f", 10))
    await asyncio.sleep(0.02)
    pair.say(encode(b"d", 99, b"junk"), encode(b"d", 1, b"real"), encode(b".", 1))
    assert await call == b"real"


async def test_output_beyond_the_limit_is_a_lie(pair: Pair) -> None:
    call = asyncio.create_task(pair.channel.exec(["x"], "/", {}, stdin=b"", timeout=5, limit=1000))
    await asyncio.sleep(0.02)
    pair.say(*[encode(b"o", 1, b"x" * 1000) for _ in range(3)])
    with pytest.raises(SandboxLost, match="broke the protocol"):
        await asyncio.wait_for(call, 5)


async def test_errors_name_only_paths_that_were_asked_for(pair: Pair) -> None:
    from clawgym_bench.sandbox import File

    call = asyncio.create_task(pair.channel.write({"/w/a": File(b"")}))
    await asyncio.sleep(0.02)
    pair.say(encode(b".", 1, pack([13, "/etc/other", "text"])))
    with pytest.raises(PermissionError) as caught:
        await call
    assert caught.value.filename is None
