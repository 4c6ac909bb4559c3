import gzip
import io
import lzma
import tarfile
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.archive import ArchiveCheck
from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot

INPUTS = {"a.txt": b"alpha", "b/c.txt": b"charlie"}


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def tarred(files: dict[str, bytes], mode: str = "w:gz", links: dict[str, str] | None = None):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return stream.getvalue()


def run(content: bytes, *, path: str = "x.zip", **fields) -> list[Finding]:
    evidence = Evidence(Snapshot({path: content}), inputs=INPUTS)
    return ArchiveCheck.model_validate({"path": path, **fields}).run(evidence)


def failures(content: bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


COPIES = {"a.txt": "a.txt", "b/c.txt": "b/c.txt"}


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (zipped(INPUTS), "x.zip"),
        (zipped({"b/": b"", **INPUTS}), "x.zip"),
        (tarred(INPUTS), "x.tar.gz"),
        (tarred({f"./{name}": data for name, data in INPUTS.items()}), "x.tgz"),
        (tarred(INPUTS, "w"), "x.tar"),
        (tarred(INPUTS, "w:bz2"), "x.tar.bz2"),
        (tarred(INPUTS, "w:xz"), "x.tar.xz"),
        (tarred(INPUTS, "w"), "x.tar.gz"),
    ],
)
def test_true_copies_in_every_format(content, path):
    fields = {"exactly": list(INPUTS), "members": ["b/"], "lacks": ["*.log"], "copies": COPIES}
    assert failures(content, path=path, **fields) == []


def test_what_is_wrong_is_said():
    assert failures(zipped(INPUTS | {"a.txt": b"Alpha"}), copies=COPIES) == [
        "x.zip/a.txt differs from a.txt"
    ]
    assert failures(zipped({"a.txt": b"alpha"}), exactly=list(INPUTS), copies=COPIES) == [
        "x.zip lacks b/c.txt",
        "x.zip/b/c.txt is not there",
    ]
    assert failures(zipped(INPUTS | {"d.log": b""}), exactly=list(INPUTS)) == [
        "x.zip holds also d.log"
    ]
    assert failures(zipped({"d.log": b""}), lacks=["*.log"]) == [
        "x.zip: no *.log wanted, it holds d.log"
    ]
    assert failures(zipped(INPUTS), members=["c/"]) == ["x.zip lacks c/"]


def test_the_text_of_members():
    assert failures(zipped(INPUTS), text={"a.txt": {"contains": ["ALPHA"]}}) == []
    assert failures(zipped(INPUTS), text={"a.txt": {"contains": ["beta"]}})
    assert failures(zipped({"a.txt": b"\xff\xfa"}), text={"a.txt": {"contains": ["beta"]}})


def test_a_link_is_no_copy():
    content = tarred({"b/c.txt": b"charlie"}, links={"a.txt": "/etc/passwd"})
    assert failures(content, path="x.tar.gz", copies=COPIES) == [
        "x.tar.gz/a.txt is a link, not a file"
    ]


def test_zipping_everything_earns_nothing():
    flood = zipped(INPUTS | {f"{n}.txt": b"" for n in range(9)})
    findings = run(flood, exactly=list(INPUTS), copies=COPIES)
    assert any(finding.required and not finding.ok for finding in findings)


@pytest.mark.parametrize("name", ["../a", "/etc/x", "a/../../b", "C:\\x", "..\\x"])
def test_escaping_members_are_reported(name):
    for content, path in ((zipped({name: b"", **INPUTS}), "x.zip"), (tarred({name: b""}), "x.tgz")):
        (reason,) = failures(content, path=path, copies=COPIES)
        assert "escapes its folder" in reason


def _many() -> bytes:
    return zipped({f"{number}": b"" for number in range(11_000)})


def _lying_zip() -> bytes:
    """Declares a small size for a member that expands to a large one."""
    content = bytearray(zipped({"a.txt": b"\0" * (40 << 20)}))
    size = (40 << 20).to_bytes(4, "little")
    return bytes(content).replace(size, (10).to_bytes(4, "little"))


def _encrypted() -> bytes:
    content = bytearray(zipped({"a.txt": b"alpha"}))
    content[6] |= 1
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1
    return bytes(content)


def _lzma() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", b"alpha")
    return stream.getvalue()


def _corrupt() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.txt", b"alpha" * 20)
    return stream.getvalue().replace(b"alphaalpha", b"alphaALPHA", 1)


def _sparse() -> bytes:
    header = bytearray(tarfile.TarInfo("a.txt").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\x80" + (1 << 45).to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + b"\0" * 1024


def _long_pax() -> bytes:
    info = tarfile.TarInfo("a.txt")
    info.pax_headers = {"comment": "1 " * 200_000}
    return info.tobuf(tarfile.PAX_FORMAT) + b"\0" * 1024


HOSTILE = {
    "bomb.zip": zipped({"a.txt": b"\0" * (140 << 20)}),
    "ratio.zip": zipped({"a.txt": b"\0" * (20 << 20)}),
    "many.zip": _many(),
    "lying.zip": _lying_zip(),
    "encrypted.zip": _encrypted(),
    "lzma.zip": _lzma(),
    "empty.zip": b"",
    "text.zip": b"not a zip",
    "cut.zip": zipped(INPUTS)[:-30],
    "corrupt.zip": _corrupt(),
    "tar.zip": tarred(INPUTS),
    "zip.tar.gz": zipped(INPUTS),
    "bomb.tar.gz": gzip.compress(b"\0" * (140 << 20)),
    "bomb.tar.xz": lzma.compress(b"\0" * (140 << 20), preset=0),
    "cut.tar.gz": tarred(INPUTS)[:60],
    "empty.tar": b"",
    "text.tar": b"x" * 5_000,
    "sparse.tar": _sparse(),
    "pax.tar": _long_pax(),
    "zstd.tar.gz": b"\x28\xb5\x2f\xfd" + b"\0" * 100,
}


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_archives_fail_with_a_reason_in_time(path):
    started = time.monotonic()
    findings = run(HOSTILE[path], path=path, copies=COPIES, exactly=list(INPUTS))
    assert time.monotonic() - started < 10
    assert not any(finding.ok for finding in findings if not finding.required)
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"path": "x.rar", "members": ["a"]}, "format"),
        ({"exactly": ["a"], "members": ["b"]}, "not in `exactly`"),
        ({"members": ["a.log"], "lacks": ["*.log"]}, "both asked for and forbidden"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        ArchiveCheck.model_validate({"path": "x.zip", **fields})


def test_a_listing_does_not_affirm():
    assert not ArchiveCheck(path="x.zip", exactly=["a"], members=["a"]).affirms()
    assert ArchiveCheck(path="x.zip", copies={"a": "a"}).affirms()


def test_a_copy_of_nothing_is_the_tasks_fault():
    with pytest.raises(TaskFault):
        run(zipped(INPUTS), copies={"a.txt": "nowhere.txt"})


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600), st.sampled_from(["x.zip", "x.tar", "x.tar.gz"]))
def test_no_bytes_make_it_raise(content, path):
    run(content, path=path, copies=COPIES)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_makes_it_raise(data):
    path = data.draw(st.sampled_from(["x.zip", "x.tar", "x.tar.xz"]))
    whole = {
        "x.zip": zipped(INPUTS),
        "x.tar": tarred(INPUTS, "w"),
        "x.tar.xz": tarred(INPUTS, "w:xz"),
    }
    content = bytearray(whole[path])
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, min(len(content), 2_000) - 1))] = data.draw(
            st.integers(0, 255)
        )
    run(bytes(content), path=path, copies=COPIES, exactly=list(INPUTS))
