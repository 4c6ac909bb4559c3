import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.markdown import MarkdownCheck
from clawgym_bench.sandbox.snapshot import Snapshot

REPORT = """---
title: Weekly report
tags: [sales, "2026"]
week: 12
owner: {name: Ann}
---

# Weekly report

See [the data](./data/sales.csv) and <https://example.org/a/>.

## 1. Summary

Alpha sold 12 units. Old numbers are in ![chart](chart%201.png).

## 2) Next steps:

- [x] Call **Ann**
- [ ] Call Bob
- [X] Send the [offer](https://example.org/offer)

### Notes

None.

## Numbers

| Region | Units |
|:-------|------:|
| Alpha  | **12** |
| Beta   | 1,030 |

## Risks & issues

Nothing.
"""


def run(content: str, **fields) -> list[Finding]:
    evidence = Evidence(
        Snapshot({"r.md": content.encode()}), hidden={"e.csv": b"region,units\nAlpha,12\n"}
    )
    return MarkdownCheck.model_validate({"path": "r.md", **fields}).run(evidence)


def holds(content: str, **fields) -> bool:
    return all(finding.ok for finding in run(content, **fields))


# --- headings and sections -------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "## Key Risks\n\ntext",
        "# key risks #\ntext",
        "Key Risks\n=========\ntext",
        "Key risks\n---\ntext",
        "**Key Risks**\n\ntext",
        "**Key Risks:**\ntext",
        "__Key risks__:\ntext",
        "Key Risks:\n\ntext",
        "Key risks\n\ntext",
        "## 3. Key Risks\ntext",
        "### 3.1 Key Risks\ntext",
        "## 3) **Key risks**:\ntext",
        "## III. Key Risks\ntext",
        "## Step 2: Key Risks\ntext",
        "## ⚠️ Key Risks\ntext",
        "1. **Key Risks**\n\ntext",
        "```markdown\n## Key Risks\ntext\n```",
    ],
)
def test_a_heading_is_recognised_in_all_its_forms(written):
    assert holds(written, headings=["Key Risks"])
    assert holds(written, sections=[{"heading": "key risks", "contains": ["text"]}])


@pytest.mark.parametrize(
    "written",
    [
        "## Other\n\nKey risks are few.",
        "- Key Risks\n- more",
        "```\n## Key Risks\n```\nmore",
        "## Key Risk",
        "## No key risks",
        "| Key Risks | x |\n|---|---|",
        "text of a paragraph\nKey Risks\nmore text",
    ],
)
def test_what_is_no_such_heading(written):
    assert not holds(written, headings=["Key Risks"])


def test_headings_in_order():
    titles = ["weekly report", ["Overview", "Summary"], "Next steps", "Numbers", "Risks and issues"]
    assert holds(REPORT, headings=titles, ordered=True)
    found = run(REPORT, headings=["Numbers", "Summary"], ordered=True)
    assert [finding.ok for finding in found] == [True, True, False]
    assert "'Summary' does not come after 'Numbers'" in found[-1].reason
    assert holds(REPORT, headings=["Numbers", "Summary"])


def test_headings_never_earn():
    found = run(REPORT, headings=["Summary", "Missing"])
    assert [(finding.ok, finding.required) for finding in found] == [(True, True), (False, False)]


def test_headings_may_be_counted_instead():
    assert holds(REPORT, headings={"min": 6, "max": 6})
    assert not holds(REPORT, headings={"max": 5})


def test_a_section_ends_at_the_next_heading_of_its_level():
    assert holds(
        REPORT, sections=[{"heading": "Next steps", "contains": ["none"], "bullets": {"max": 3}}]
    )
    assert not holds(REPORT, sections=[{"heading": "Summary", "contains": ["Ann"]}])
    assert not holds(REPORT, sections=[{"heading": "Notes", "contains": ["Alpha"]}])
    weak = "**One**\n\na\n\n**Two**\n\nb"
    assert holds(weak, sections=[{"heading": "One", "contains": ["a"], "lacks": ["b"]}])
    labels = "One:\na\nis:\nx\n\nTwo:\nb"
    one = {"heading": "One", "contains": ["a", "x"], "lacks": ["b"]}
    assert holds(labels, sections=[one, {"heading": "Two", "contains": ["b"], "lacks": ["a"]}])


def test_all_of_a_missing_section_is_lost():
    section = {"heading": "Costs", "contains": ["a", "b"], "lacks": ["c"]}
    found = run(REPORT, sections=[section])
    assert [finding.ok for finding in found] == [False, False, False]
    assert found[0].reason == "r.md lacks the heading 'Costs'"


def test_facts_in_a_section():
    fact = {"label": "Alpha", "value": 12}
    assert holds(REPORT, sections=[{"heading": "Summary", "facts": [fact]}])
    assert not holds(REPORT, sections=[{"heading": "Summary", "facts": [{**fact, "value": 13}]}])


# --- lists and links -------------------------------------------------------------------------


def test_checklists():
    assert holds(REPORT, checklists={"checked": ["call ann", "offer"], "unchecked": ["Bob"]})
    assert not holds(REPORT, checklists={"checked": ["Bob"]})
    assert not holds(REPORT, checklists={"unchecked": ["Ann"]})
    assert not holds(REPORT, checklists={"checked": ["Carl"]})
    assert not holds("- [x] Bob\n- [ ] Bob", checklists={"checked": ["Bob"]})
    assert holds("1. [X] a\n* ☐ b\n☑ c", checklists={"checked": ["a", "c"], "unchecked": ["b"]})
    assert not holds("```\n- [x] a\n```\ntext", checklists={"checked": ["a"]})


@pytest.mark.parametrize(
    "target",
    [
        "data/sales.csv",
        "/workspace/data/sales.csv",
        "chart 1.png",
        "https://example.org/offer",
        "https://example.org/a",
        "http://EXAMPLE.org/a/",
    ],
)
def test_links(target):
    assert holds(REPORT, links=[target])


@pytest.mark.parametrize("target", ["sales.csv", "https://example.org/A", "https://example.org"])
def test_other_links(target):
    assert not holds(REPORT, links=[target])


def test_bare_and_referenced_addresses_are_links():
    text = "See https://a.org/x(1). and [b][r]\n\n[r]: https://b.org/?q=1\n\n`https://c.org/`"
    assert holds(text, links=["https://a.org/x(1)", "https://b.org/?q=1", "https://c.org"])
    assert not holds(text, links=["https://b.org/?q=2"])


# --- tables ----------------------------------------------------------------------------------

ROWS = [{"region": "Alpha", "units": 12}, {"region": "Beta", "units": 1030}]


def test_a_table_is_found_and_compared():
    assert holds(REPORT, tables=[{"rows": ROWS, "key": "region"}])
    assert holds(REPORT, tables=[{"heading": "Numbers", "rows": ROWS}])
    assert holds(REPORT, tables=[{"equals": "e.csv", "subset": True}])
    assert not holds(REPORT, tables=[{"heading": "Summary", "rows": ROWS}])
    assert not holds(REPORT, tables=[{"heading": "None such", "rows": ROWS}])
    wrong = [{"region": "Alpha", "units": 13}, ROWS[1]]
    assert not holds(REPORT, tables=[{"rows": wrong, "key": "region"}])


def test_of_several_tables_the_best_is_graded():
    other = "| a |\n|---|\n| 1 |\n\n" + REPORT
    assert holds(other, tables=[{"rows": ROWS}, {"columns": ["a"], "row_count": 1}])


def test_no_table_fails():
    assert not holds("| Region | Units |\n", tables=[{"rows": ROWS}])


# --- front matter ----------------------------------------------------------------------------


def test_front_matter():
    wanted = {"title": "weekly report", "week": "12", "tags": ["sales", 2026], "owner.name": "ANN"}
    assert holds(REPORT, front_matter={**wanted, "owner": {"name": "Ann"}})
    for key, value in {"title": "Daily", "week": 13, "tags": ["sales"], "none": 1}.items():
        assert not holds(REPORT, front_matter={key: value})
    assert not holds("# No matter", front_matter={"title": "x"})
    assert not holds("---\n[: {\n---\n", front_matter={"title": "x"})
    assert holds("---\ntags: a, b\n---\n", front_matter={"tags": ["a", "b"]})


def test_front_matter_is_not_part_of_the_text():
    assert not holds(REPORT, contains=["owner"])
    assert holds(REPORT, words={"max": 60}, contains=["weekly report"])


# --- affirming and validity ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "affirms"),
    [
        ({"headings": ["a", "b"], "ordered": True}, False),
        ({"headings": {"max": 3}, "lacks": ["x"]}, False),
        ({"sections": [{"heading": "a", "words": {"max": 5}}]}, False),
        ({"sections": [{"heading": "a", "contains": ["x"]}]}, True),
        ({"checklists": {"checked": ["a"]}}, True),
        ({"links": ["a"]}, True),
        ({"tables": [{"columns": ["a"]}]}, False),
        ({"tables": [{"rows": ROWS}]}, True),
        ({"front_matter": {"a": 1}}, True),
    ],
)
def test_structure_alone_does_not_affirm(fields, affirms):
    assert MarkdownCheck(path="a", **fields).affirms() is affirms


def test_names_and_hidden_files_are_declared():
    check = MarkdownCheck(
        path="a",
        headings=["One"],
        sections=[{"heading": ["Two", "2"], "equals_file": "x.txt"}],
        tables=[{"equals": "e.csv", "columns": ["Col"]}],
        checklists={"checked": ["Box"]},
    )
    assert check.hidden_files() == {"x.txt", "e.csv"}
    assert {"One", "Two", "Col", "Box"} <= set(check.literals())


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing is asserted about r.md"),
        ({"ordered": True, "headings": ["a"]}, "two titles or more"),
        ({"ordered": True, "contains": ["a"]}, "`ordered` needs"),
        ({"headings": ["**"]}, "nothing a heading could be recognised by"),
        ({"sections": [{"heading": "a"}]}, "nothing is asserted about the section 'a'"),
        ({"checklists": {}}, "needs `checked` or `unchecked`"),
        ({"tables": [{}]}, "nothing is asserted"),
        ({"sections": [{"heading": "a", "patterns": ["("]}]}, "not a regular expression"),
        ({"section": []}, "Extra inputs"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(fields, message):
    with pytest.raises(ValidationError, match=message):
        MarkdownCheck.model_validate({"path": "r.md", **fields})


# --- hostile input ---------------------------------------------------------------------------

EVERYTHING = {
    "headings": ["a", "b"],
    "ordered": True,
    "sections": [{"heading": "a", "contains": ["x"], "tables": [{"rows": ROWS}]}],
    "checklists": {"checked": ["a"]},
    "links": ["a"],
    "tables": [{"rows": ROWS}],
    "front_matter": {"a.b": 1},
}


@given(st.text(alphabet="ab|-#*[]()`:\n >1.x=_~", max_size=200) | st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_any_text_gives_findings(text):
    assert run(text.encode(errors="replace").decode().replace("\0", ""), **EVERYTHING)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "[a](",
        "> ",
        "- ",
        "  - a\n",
        "`a",
        "*a ",
        "|a|",
        "| a |\n|---|\n| b |\n\n",
        "# a\n",
        "a\n===\n",
        "<!--",
        "---\n",
        "- [x] a\n",
        "http://a",
        "http:(",
        "a: *a\n",
        "\\",
        "1. ",
    ],
)
def test_a_big_file_takes_time_in_proportion(piece):
    begin = time.process_time()
    run(piece * (30_000 // len(piece)), **EVERYTHING)
    run("---\n" + piece * (15_000 // len(piece)) + "\n---\n", **EVERYTHING)
    assert time.process_time() - begin < 2


def test_too_long_for_the_parser_is_a_failure_with_a_reason():
    found = run("a long line of text\n" * 60_000, links=["x"], tables=[{"rows": ROWS}])
    assert [finding.ok for finding in found] == [False, False]
    assert "too long to be parsed" in found[0].reason


def test_a_question_mark_after_a_title_does_not_matter():
    for title, written in (("Which one for you", "Which one for you?"), ("Why now?", "Why now")):
        assert holds(f"# {written}\n\ntext", headings=[title], contains=["text"])
    assert not holds("# Which one\n\ntext", headings=["Which one for you?"], contains=["text"])


def test_each_file_that_fits_a_pattern_must_hold():
    check = MarkdownCheck(path="notes/*.md", headings=["A"], contains=["x"])
    files = {"notes/a.md": b"# A\n\nx", "notes/b.md": b"# B\n\nx"}
    found = check.run(Evidence(Snapshot(files)))
    assert [f.reason for f in found if not f.ok] == ["notes/b.md lacks the heading 'A'"]
    files["notes/b.md"] = b"# A\n\nx"
    assert all(finding.ok for finding in check.run(Evidence(Snapshot(files))))
