import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks import Check, text
from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.text import Range, TextAssertions, TextCheck
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot


def run(content: str | bytes, hidden: bytes = b"", **fields) -> list[Finding]:
    data = content.encode() if isinstance(content, str) else content
    evidence = Evidence(Snapshot({"a.md": data}), hidden={"expected.txt": hidden})
    return TextCheck.model_validate({"path": "a.md", **fields}).run(evidence)


def holds(content: str | bytes, hidden: bytes = b"", **fields) -> bool:
    return all(finding.ok for finding in run(content, hidden, **fields))


# --- the file --------------------------------------------------------------------------------


def test_a_missing_file_is_one_required_failure():
    found = TextCheck(path="b.md", contains=["x", "y"]).run(Evidence(Snapshot({"B.md": b"x y"})))
    assert [(finding.ok, finding.required) for finding in found] == [(False, True)]
    assert "does not exist (there is B.md)" in found[0].reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe\xff", "not UTF-8 text"),
        (b"abc \xe9", "not UTF-8 text (byte 4)"),
        (b"a\0b", "NUL"),
        (b"\n" * 100_001, "more than 100,000 lines"),
        (b"a" * (2 * 2**20 + 1), "bytes, more than 2,097,152"),
    ],
)
def test_what_is_not_text_is_one_required_failure(content, reason):
    found = run(content, contains=["a"], words={"min": 1})
    assert [(finding.ok, finding.required) for finding in found] == [(False, True)]
    assert reason in found[0].reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_with_a_mark_are_read(encoding):
    assert holds("Café\r\n".encode(encoding), equals="café", contains=["CAFÉ"])


def many(path: str, files: dict[str, bytes], **fields) -> list[Finding]:
    check = TextCheck.model_validate({"path": path, "contains": ["alpha"], **fields})
    return check.run(Evidence(Snapshot(files)))


def test_each_file_that_fits_a_pattern_must_hold():
    files = {"notes/a.md": b"alpha", "notes/b.md": b"Alpha 2", "notes/deep/c.md": b"beta"}
    assert all(finding.ok for finding in many("notes/*.md", files))
    (bad,) = [finding for finding in many("notes/**/*.md", files) if not finding.ok]
    assert bad.reason == "notes/deep/c.md does not say 'alpha'"
    (none,) = many("other/*.md", files)
    assert (none.ok, none.required) == (False, True)
    assert none.reason == "no file is called other/*.md"


def test_a_pattern_leaves_the_scaffold_and_refused_files_aside():
    assert all(f.ok for f in many("*.md", {"a.md": b"alpha", "AGENTS.md": b"", "MEMORY.md": b""}))
    check = TextCheck(path="*.md", contains=["alpha"])
    refused = Snapshot({"a.md": b"alpha"}, refused={"b.md": "too big"})
    assert [finding.ok for finding in check.run(Evidence(refused))] == [True, False]


def test_a_flood_of_files_is_refused():
    files = {f"notes/{number}.md": b"alpha" for number in range(1_001)}
    (finding,) = many("notes/*.md", files)
    assert (finding.ok, finding.required) == (False, True)


def test_a_pattern_earns_no_share_of_files():
    fields = {"id": "a", "cites": "a", "text": {"path": "*.md", "contains": ["a"]}}
    assert not Check.model_validate(fields).partial
    with pytest.raises(ValidationError, match="a check for each file"):
        Check.model_validate({**fields, "partial": True})


def test_a_bracket_in_a_path_is_a_bracket():
    assert all(f.ok for f in many("[a].md", {"[a].md": b"alpha"}))


# --- equals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written", ["One\nTwo\n", "one\r\ntwo", "ONE  \ntwo\t\n\n\n", "\ufeffOne\nTwo"]
)
def test_equality_sets_line_ends_and_trailing_space_aside(written):
    assert holds(written, equals="One\nTwo\n")
    assert holds(written, b"One\r\nTwo", equals_file="expected.txt")


@pytest.mark.parametrize(
    "written", ["One\n\nTwo", " One\nTwo", "One\nTwo\nThree", "One", "Two\nOne"]
)
def test_equality_keeps_lines_and_indents(written):
    assert not holds(written, equals="One\nTwo\n")


def test_case_counts_when_asked():
    assert holds("One", equals="One", case=True)
    assert not holds("one", equals="One", case=True)


def test_the_first_different_line_is_named():
    (finding,) = run("a\nb\nx\n", equals="a\nb\nc\n")
    assert finding.reason == "a.md: line 3 is 'x', wanted 'c'"


def test_a_hidden_file_that_is_no_text_is_the_tasks_fault():
    with pytest.raises(TaskFault, match=r"expected\.txt"):
        run("a", b"\xff", equals_file="expected.txt")


# --- phrases and patterns --------------------------------------------------------------------


def test_phrases_and_alternatives():
    text = "The **Total** is $1,234.50 — paid."
    assert holds(text, contains=["total is", ["nothing", "1234.5"]], in_order=["total", "paid"])
    assert not holds(text, contains=["total was"])
    assert not holds(text, contains=[["nothing", "123"]])
    assert not holds(text, lacks=["paid"], contains=["total"])


def test_order_of_phrases():
    assert holds("b a b c", in_order=["a", ["x", "b"], "c"])
    (finding,) = run("b c a", in_order=["a", "b"])
    assert not finding.ok
    assert "'b' does not come after 'a'" in finding.reason


def test_patterns_see_lines_and_no_case_and_plain_typography():
    assert holds("x\nStatus: “done”\r\n", patterns=[r'^status: "done"$'])
    assert holds("Status: “done”", patterns=["“done”"])
    assert not holds("Status: done", contains=["done"], lacks_patterns=[r"^status"])


def test_a_pattern_that_explodes_fails_within_its_time(monkeypatch):
    monkeypatch.setattr(text, "PATTERN_SECONDS", 0.3)
    begin = time.process_time()
    found = run("a" * 5000 + "b", patterns=["(a+)+$"], lacks_patterns=["(a|aa)+$"])
    assert [finding.ok for finding in found] == [False, False]
    assert "took over 0.3 s" in found[0].reason
    assert time.process_time() - begin < 5


# --- counts ----------------------------------------------------------------------------------

REPORT = """---
title: no words of the text
---

# Report on sales

First paragraph with a [link](https://example.org/very/long) and `code`.

<!-- not seen -->
## Items

- one **two**
- [x] three
  1. four

| a | b |
|---|---|
| 1 | 2 |

```
not counted, as it is code
```

Last paragraph.
"""


def test_counts_go_by_what_a_reader_sees():
    from clawgym_bench.checks.prose import front_matter

    _, body = front_matter(REPORT)
    exact = {"words": 21, "bullets": 3, "headings": 2, "paragraphs": 2}
    for name, number in exact.items():
        found = run(body, **{name: {"min": number, "max": number}})
        assert found[0].ok, found[0].reason
        assert not holds(body, **{name: {"min": number + 1}})
        assert not holds(body, **{name: {"max": number - 1}})


@pytest.mark.parametrize(
    ("text", "bullets"),
    [
        ("* a\n+ b\n• c\n– d\n1) e\n2. f\n", 6),
        ("**Bold line**\n- a\n", 1),
        ("a - b\n-5 degrees\n*emphasis*\n---\n1.5 x", 0),
        ("It was in\n2019. Then more.\n", 0),
        ("```markdown\n- a\n- b\n```", 2),
    ],
)
def test_list_items_of_any_kind_are_bullets(text, bullets):
    assert holds(text, bullets={"min": bullets, "max": bullets}), run(text, bullets={"min": 99})


def test_bold_lines_are_headings_only_where_there_are_no_real_ones():
    assert holds("**A**\n\nx\n\n**B**\n\ny", headings={"min": 2, "max": 2})
    assert holds("# A\n\nx\n\n**B**\n\ny", headings={"min": 1, "max": 1})
    assert holds("A\n=\n\nx\n\nB\n---\ny", headings={"min": 2, "max": 2})


ALPHA = {"label": "Alpha", "value": 12}
BETA = {"label": "Beta", "value": 30}

# --- what earns ------------------------------------------------------------------------------


def test_absences_and_lengths_never_earn_beside_content():
    found = run(
        "zzz", contains=["x"], lacks=["y"], lacks_patterns=["q"], words={"min": 1, "max": 9}
    )
    assert [finding.ok for finding in found] == [False, True, True, True]
    assert [finding.required for finding in found] == [False, True, True, True]


@pytest.mark.parametrize(
    ("fields", "affirms"),
    [
        ({"contains": ["x"]}, True),
        ({"equals": "x"}, True),
        ({"facts": [ALPHA]}, True),
        ({"words": {"min": 1}}, True),
        ({"words": {"max": 5}}, False),
        ({"words": {"min": 0, "max": 5}}, False),
        ({"lacks": ["x"], "lacks_patterns": ["y"]}, False),
    ],
)
def test_only_what_must_be_there_affirms(fields, affirms):
    assert TextCheck(path="a", **fields).affirms() is affirms


def test_names_and_hidden_files_are_declared():
    check = TextCheck(path="a", equals_file="x.txt", contains=["p", ["q", "r"]], facts=[ALPHA])
    assert check.hidden_files() == {"x.txt"}
    assert list(check.literals()) == ["p", "q", "Alpha"]


# --- wrong checks ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing is asserted about a.md: give one of equals"),
        ({"contains": []}, "nothing is asserted"),
        ({"patterns": ["("]}, r"is not a regular expression: missing \)"),
        ({"patterns": [""]}, "may not be empty"),
        ({"contains": ["  "]}, "is blank"),
        ({"contains": [[]]}, "alternatives may not be empty"),
        ({"words": {"min": 3, "max": 2}}, "no number is at least 3 and at most 2"),
        ({"words": {}}, "a range needs"),
        ({"words": {"min": -1}}, "greater than or equal to 0"),
        ({"equals": "a", "equals_file": "b"}, "not both"),
        ({"equals": " \n"}, "is blank"),
        ({"contains": ["a"], "case": True}, "`case` is for"),
        ({"contains": ["alpha beta"], "lacks": ["beta"]}, "`contains` asks for it"),
        ({"in_order": ["a"]}, "two phrases or more"),
        ({"facts": [{"label": "a", "value": True}]}, "a number, a date or a phrase"),
        ({"facts": [{"label": " ", "value": 1}]}, "no label may be blank"),
        ({"facts": [{"label": [], "value": 1}]}, "needs a label"),
        ({"facts": [{"label": "a", "value": "x", "decimals": 2}]}, "is for numbers"),
        ({"facts": [{"label": "a", "value": float("nan")}]}, "not a finite number"),
        ({"contians": ["a"]}, "Extra inputs are not permitted"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(fields, message):
    with pytest.raises(ValidationError, match=message):
        TextCheck.model_validate({"path": "a.md", **fields})


def test_assertions_alone_must_assert_too():
    with pytest.raises(ValidationError, match="nothing is asserted"):
        TextAssertions()
    assert str(Range(min=2, max=2)) == "2"


# --- hostile input ---------------------------------------------------------------------------

EVERYTHING = {
    "equals": "x",
    "contains": ["alpha"],
    "lacks": ["q"],
    "facts": [
        ALPHA,
        {**BETA, "near": "sentence"},
        {"label": "a", "value": "b", "near": "paragraph"},
    ],
    "in_order": ["a", "b"],
    "words": {"max": 5},
    "lines": {"max": 5},
    "bullets": {"max": 5},
    "headings": {"max": 5},
    "paragraphs": {"max": 5},
}


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_findings(text):
    found = run(text.encode(errors="replace").replace(b"\0", b""), **EVERYTHING)
    assert len(found) == 12
    assert all(len(finding.reason) <= 200 for finding in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a\n",
        "- a\n",
        "#",
        "# a\n",
        "<!--",
        "<a ",
        "[a](",
        "[",
        "| a ",
        "|a|b|\n",
        "```\n",
        "a. ",
        "> ",
        "alpha 12, ",
        "alpha\n",
        "12 ",
        "**a**\n",
        "a:\n",
        "---\n",
        "\u2028",
        "\r",
        "alpha is 12. ",
        "- alpha 12. Beta 30. A b.\n",
    ],
)
def test_a_big_file_takes_time_in_proportion(piece):
    begin = time.process_time()
    run(piece * (50_000 // len(piece)), **EVERYTHING)
    assert time.process_time() - begin < 2


def test_a_check_is_the_same_after_a_trip_through_json():
    fact = {"label": "a", "value": date(2026, 3, 3)}
    check = TextCheck(path="a.md", facts=[fact, ALPHA], words={"max": 3})
    assert check.facts[0].kind == "date"
    assert TextCheck.model_validate_json(check.model_dump_json()) == check
