import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence
from clawgym_bench.checks.files import FilesCheck
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot

FILES = {
    "in/a.csv": b"a",
    "out/a.csv": b"a",
    "out/deep/b.txt": b"b",
    "AGENTS.md": b"",
    "memory/2026-01-01.md": b"",
}


def run(files=FILES, **fields):
    refused = {"out/link": "a link"} if fields.pop("link", False) else {}
    snapshot = Snapshot(files, frozenset({"empty"}), refused, fields.pop("cut", ""))
    return FilesCheck.model_validate(fields).run(Evidence(snapshot, inputs={"in/a.csv": b"a"}))


def holds(files=FILES, **fields) -> bool:
    return all(finding.ok for finding in run(files, **fields))


@pytest.mark.parametrize(
    "path", ["out/a.csv", "./out/a.csv", "out/*.csv", "**/b.txt", "out/**", "out/", "empty/", "*/"]
)
def test_what_exists(path):
    (finding,) = run(exists=[path])
    assert (finding.ok, finding.required) == (True, True)
    assert not holds(absent=[path])


@pytest.mark.parametrize(
    "path",
    ["a.csv", "*.csv", "out/*.txt", "out/b.txt", "Out/a.csv", "out/[bc].csv", "none/", "out"],
)
def test_what_does_not_exist(path):
    assert not holds(exists=[path])
    assert holds(absent=[path]) or path == "out"


def test_a_link_is_neither_a_file_nor_absent():
    (finding,) = run(exists=["out/link"], link=True)
    assert finding.reason == "out/link was not accepted: a link"
    assert not holds(absent=["out/link"], link=True)


def test_a_folder_has_exactly_these_files():
    assert holds(exactly={"out": ["a.csv", "deep/b.txt"]})
    assert holds(exactly={"out/": ["./deep/b.txt", "a.csv"], "none": []})
    (finding,) = run(exactly={"out": ["a.csv", "c.csv"]})
    assert finding.reason == "out lacks c.csv; also has deep/b.txt"
    assert not holds(exactly={"out": ["a.csv", "deep/b.txt"]}, link=True)


def test_the_agents_scaffold_is_left_out_of_account():
    every = ["in/a.csv", "out/a.csv", "out/deep/b.txt"]
    assert holds(exactly={".": every})
    assert holds(exactly={".": [*every, "AGENTS.md"]})
    assert not holds({**FILES, "sub/AGENTS.md": b""}, exactly={".": every})


def test_a_copy_has_the_bytes_of_its_input():
    assert holds(copies={"out/a.csv": "in/a.csv"})
    assert not holds(copies={"out/deep/b.txt": "in/a.csv"})
    assert not holds(copies={"out/none": "in/a.csv"})
    with pytest.raises(TaskFault, match="no input file in/none"):
        run(copies={"out/a.csv": "in/none"})


def test_a_cut_export_proves_no_absence():
    assert not holds(absent=["x"], cut="too many files")
    assert not holds(exactly={"out": ["a.csv", "deep/b.txt"]}, cut="too many files")
    assert holds(exists=["out/a.csv"], cut="too many files")


@pytest.mark.parametrize(
    ("fields", "affirms"),
    [
        ({"exists": ["a"]}, False),
        ({"absent": ["a"]}, False),
        ({"exactly": {"a": []}}, False),
        ({"exactly": {"a": ["b"]}}, True),
        ({"copies": {"a": "b"}}, True),
    ],
)
def test_only_contents_and_listings_affirm(fields, affirms):
    assert FilesCheck(**fields).affirms() is affirms


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing is asserted"),
        ({"exists": []}, "nothing is asserted"),
        ({"exists": ["../a"]}, "not a relative path"),
        ({"exists": ["/a"]}, "not a relative path"),
        ({"absent": [""]}, "not a relative path"),
        ({"absent": ["[z-a]"]}, "not a usable pattern"),
        ({"copies": {"*.csv": "a"}}, "is a pattern; name a file"),
        ({"exactly": {"out": ["*.csv"]}}, "is a pattern; name a file"),
        ({"exists": ["out/a"], "absent": ["out/*"]}, "both wanted and `absent`"),
        ({"exits": ["a"]}, "Extra inputs"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(fields, message):
    with pytest.raises(ValidationError, match=message):
        FilesCheck.model_validate(fields)


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_names_are_handled(path, pattern):
    try:
        check = FilesCheck(exists=[pattern], absent=[pattern + "x"])
    except ValidationError:
        return
    check.run(Evidence(Snapshot({path: b""})))
