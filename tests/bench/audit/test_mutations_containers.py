"""Errors in TOML and in archives, and files that only a pattern names."""

import io
import tarfile
import tomllib
import zipfile
from dataclasses import replace
from random import Random

import pytest

from clawgym_bench.audit.lint_checks import paths_read
from clawgym_bench.audit.lint_reading import Reading
from clawgym_bench.audit.mutations import Mutant, Mutations, Rules, format_of
from clawgym_bench.audit.mutations_detect import Detector
from clawgym_bench.audit.mutations_subjects import MAKERS, subjects
from clawgym_bench.checks import Check
from clawgym_bench.checks.limits import Refused
from clawgym_bench.grading import grade, untouched_evidence
from clawgym_bench.sandbox import Snapshot, open_backend
from clawgym_bench.task import Output, Session, Task
from clawgym_bench.taskset import load_bench

TOML = b"""title = "Relay"
since = 2026-05-01

[server]
port = 8080
hosts = ["north", "south"]

[client]
port = 9090
"""
MEMBERS = {"a/one.csv": b"id,total\nA1,10\nB2,20\n", "a/two.txt": b"The total is 30 euros.\n"}


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a/", b"")
        for name, body in MEMBERS.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def tarred(mode: str = "w:gz", link: bool = False) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, body in MEMBERS.items():
            info = tarfile.TarInfo(f"./{name}")
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
        if link:
            info = tarfile.TarInfo("link")
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info)
    return buffer.getvalue()


def read(format: str, content: bytes) -> dict[str, bytes]:
    if format == "zip":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = [name for name in packed.namelist() if not name.endswith("/")]
            return {name: packed.read(name) for name in names}
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = [info for info in archive if info.isfile()]
        return {info.name: archive.extractfile(info).read() for info in files}  # type: ignore[union-attr]


def made(format: str, content: bytes) -> Mutations:
    return MAKERS[format](content, Rules(), Random(1))


def of_kind(mutations: Mutations, kind: str) -> list[Mutant]:
    return [one for one in mutations.mutants if one.kind == kind]


def test_toml_is_spoilt_value_by_value_and_key_by_key() -> None:
    mutations = made("toml", TOML)
    assert mutations.same is not None
    same = tomllib.loads(mutations.same().decode())
    assert same == {**tomllib.loads(TOML.decode()), "since": "2026-05-01"}
    kinds = {one.kind for one in mutations.mutants}
    assert {"number digit", "date shifted", "field renamed", "row dropped"} <= kinds
    for mutant in mutations.mutants:
        assert tomllib.loads(mutant.make().decode()) != same, mutant


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(Refused):
        made("toml", b"= no key")


@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("zip", zipped()),
        ("tar", tarred()),
        ("tar", tarred("w")),
        ("tar", tarred("w:bz2")),
        ("tar", tarred("w:xz")),
    ],
)
def test_members_are_dropped_renamed_emptied_exchanged_and_spoilt(
    format: str, content: bytes
) -> None:
    mutations = made(format, content)
    assert mutations.same is not None
    assert read(format, mutations.same()) == MEMBERS
    assert mutations.same()[:2] == content[:2].replace(b"./", b"a/")
    for mutant in mutations.mutants:
        assert read(format, mutant.make()) != MEMBERS, mutant
    (swapped,) = [one for one in of_kind(mutations, "values swapped") if "one.csv; " in one.before]
    assert list(read(format, swapped.make()).values()) == list(MEMBERS.values())[::-1]
    dropped = [read(format, one.make()) for one in of_kind(mutations, "row dropped")]
    assert {"a/two.txt": MEMBERS["a/two.txt"]} in dropped
    inside = of_kind(mutations, "number digit")
    assert any(b"A1,11" in read(format, one.make())["a/one.csv"] for one in inside)
    facts = [one for one in mutations.mutants if one.group == "fact"]
    assert any(b"30" not in read(format, one.make())["a/two.txt"] for one in facts)


def test_an_archive_with_a_link_or_of_another_kind_is_refused() -> None:
    for content in (tarred(link=True), zipped(), b"no archive"):
        with pytest.raises(Refused):
            made("tar", content)


def test_names_of_archives() -> None:
    names = ["x.zip", "x.tar.gz", "x.TGZ", "x.tar", "x.tar.xz", "x.toml"]
    assert [format_of(name) for name in names] == ["zip", "tar", "tar", "tar", "tar", "toml"]


def patterned(request: str, *outputs: Output) -> Task:
    """A task whose one check reads every file that a pattern fits."""
    task = next(iter(load_bench()))
    check = Check.model_validate(
        {
            "id": "notes",
            "cites": "total",
            "text": {"path": "notes/*.md", "contains": ["total is 30"]},
        }
    )
    copy = task.model_copy(
        update={
            "sessions": [Session(instruction=request)],
            "outputs": list(outputs),
            "checks": [check],
            "rubric": [],
            "weights": None,
        }
    )
    copy._untouched = None
    return copy


async def test_files_that_only_a_pattern_names_are_mutated_and_the_error_is_noticed() -> None:
    task = patterned("Write the total into a note for each shop.")
    evidence = untouched_evidence(task)
    notes = {f"notes/{name}.md": b"The total is 30 euros.\n" for name in ("north", "south")}
    left = Snapshot({**evidence.snapshot.files, **notes, "other.md": b"The sum is 4.\n"})
    evidence = type(evidence)(left, evidence.inputs, evidence.hidden, evidence.messages)
    found = {one.path: one for one in subjects(task, evidence)}
    assert {path: found[path].group for path in notes} == dict.fromkeys(notes)
    assert found["other.md"].group == "edited"
    detector = Detector(task, open_backend("bwrap"), grade(task, evidence))
    assert detector.declared("notes/north.md")
    assert not detector.declared("other.md")
    wrong = {**left.files, "notes/south.md": b"The total is 31 euros.\n"}
    spoilt = replace(evidence, snapshot=Snapshot(wrong))
    assert await detector.loses(spoilt, "notes/south.md") == (True, 0)


@pytest.mark.parametrize(
    ("request_text", "outputs", "known"),
    [
        ("Write the total into a note for each shop.", [], False),
        ("Write the total into a note for each shop, in notes/.", [], True),
        ("Write the total.", [Output(path="notes/north.md", format="markdown")], True),
        ("Write the total.", [Output(path="north.md", format="markdown")], False),
    ],
)
def test_lint_knows_the_files_that_a_pattern_is_for(
    request_text: str, outputs: list[Output], known: bool
) -> None:
    found = list(paths_read(Reading(patterned(request_text, *outputs))))
    assert any("reads notes/*.md" in one.evidence for one in found) is not known
    if outputs:
        unread = any("nothing looks at" in one.evidence for one in found)
        assert unread is not known
