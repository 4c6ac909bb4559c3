"""The reader of archives that an agent may have written."""

import io
import random
import tarfile

import pytest

from clawgym_bench.sandbox.archive import DAMAGED, snapshot_of_archive
from clawgym_bench.sandbox.snapshot import SnapshotLimits

LIMITS = SnapshotLimits(files=10, file_size=1_000, total_size=3_000, path_length=150, depth=4)


def archive(*members: tuple[str, bytes | bytes, bytes, str], format: int) -> bytes:
    """From (name, type, content, link target)."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as out:
        for name, kind, content, target in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(content), target
            out.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def one(name: str, content: bytes = b"x", kind: bytes = tarfile.REGTYPE, target: str = "") -> bytes:
    return archive((name, kind, content, target), format=tarfile.PAX_FORMAT)


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_what_tar_writes(format: int) -> None:
    long = "d/" + "x" * 90 + "/" + "y" * 40
    read = snapshot_of_archive(
        archive(
            (".", tarfile.DIRTYPE, b"", ""),
            ("./d", tarfile.DIRTYPE, b"", ""),
            ("./a ü.txt", tarfile.REGTYPE, b"content", ""),
            ("./empty", tarfile.REGTYPE, b"", ""),
            ("./" + long, tarfile.REGTYPE, b"deep", ""),
            ("./hard", tarfile.LNKTYPE, b"", "./a ü.txt"),
            ("./link", tarfile.SYMTYPE, b"", "/etc/passwd"),
            ("./pipe", tarfile.FIFOTYPE, b"", ""),
            ("./disk", tarfile.BLKTYPE, b"", ""),
            format=format,
        ),
        LIMITS,
    )
    assert read.files == {"a ü.txt": b"content", "empty": b"", long: b"deep", "hard": b"content"}
    assert read.directories == {"d"}
    assert read.refused == {"link": "symbolic link", "pipe": "FIFO", "disk": "block device"}
    assert read.cut == ""


@pytest.mark.parametrize("name", ["../up", "a/../../up", "/etc/passwd", "./../x", "a//b"])
def test_names_that_lead_out(name: str) -> None:
    read = snapshot_of_archive(one(name), LIMITS)
    assert not read.files
    assert list(read.refused.values()) == ["a path that leads out"]


@pytest.mark.parametrize("target", ["/etc/passwd", "../x", "missing", "link"])
def test_hard_links_lead_nowhere_but_to_files_of_the_archive(target: str) -> None:
    read = snapshot_of_archive(one("hard", b"", tarfile.LNKTYPE, target), LIMITS)
    assert not read.files
    assert "hard link" in read.refused["hard"]


def test_limits() -> None:
    def read(*members: tuple[str, bytes]) -> object:
        files = [(name, tarfile.REGTYPE, body, "") for name, body in members]
        return snapshot_of_archive(archive(*files, format=tarfile.GNU_FORMAT), LIMITS)

    assert read(("big", b"x" * 1_001)).refused == {"big": "file too large"}
    assert read(*[(f"f{n}", b"x" * 900) for n in range(4)]).cut == "too many bytes"
    assert read(*[(f"f{n}", b"") for n in range(12)]).cut == "too many files"
    assert list(read(("a/b/c/d/e/f/g", b"")).refused.values()) == ["a path that leads out"]
    assert read(("n" * 151, b"")).refused["n" * 150] == "path too long"
    bomb = [("f", tarfile.REGTYPE, b"x" * 1_000, "")]
    bomb += [(f"l{n}", tarfile.LNKTYPE, b"", "f") for n in range(9)]
    assert snapshot_of_archive(archive(*bomb, format=tarfile.GNU_FORMAT), LIMITS).cut


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x" * 100,
        b"\xff" * 2_000,
        one("f")[:600],
        one("f", b"x" * 900)[:-9_000],
        one("f").replace(b"ustar", b"uster"),
    ],
)
def test_damage_is_no_error(content: bytes) -> None:
    read = snapshot_of_archive(content, LIMITS)
    assert read.cut in ("", DAMAGED)


def test_what_came_before_the_damage_is_kept() -> None:
    whole = archive(
        *[(f"f{n}", tarfile.REGTYPE, b"x" * 600, "") for n in range(3)], format=tarfile.GNU_FORMAT
    )
    read = snapshot_of_archive(whole[:3_900], LIMITS)
    assert set(read.files) == {"f0", "f1"}
    assert read.cut == DAMAGED


def test_negative_and_immense_sizes() -> None:
    header = bytearray(one("f")[:512])
    for field in (b"\xff" * 12, b"\x80" + b"\xff" * 11, b"-0000000001\0"):
        header[124:136] = field
        header[148:156] = b" " * 8
        header[148:156] = f"{sum(header):06o}\0 ".encode()
        assert snapshot_of_archive(bytes(header) + bytes(1_024), LIMITS).cut == DAMAGED


def test_noise_never_raises() -> None:
    chance = random.Random(1)
    whole = one("./some/" + "long" * 40, b"content")
    for _ in range(3_000):
        spoilt = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        snapshot_of_archive(bytes(spoilt), LIMITS)
