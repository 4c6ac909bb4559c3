import io
import time
import zipfile

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.docx import DocxCheck, docx_text
from clawgym_bench.sandbox.snapshot import Snapshot


def document(build) -> bytes:
    made = docx.Document()
    build(made)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def _report(made) -> None:
    made.add_heading("Quarterly report", 0)
    made.add_heading("1. Summary", 1)
    paragraph = made.add_paragraph("Revenue was ")
    paragraph.add_run("$1,2").bold = True
    paragraph.add_run("34.50").bold = True
    paragraph.add_run(" in March.")
    made.add_paragraph("First point", style="List Bullet")
    made.add_paragraph("Second point", style="List Number")
    made.add_heading("Figures", 2)
    table = made.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Vendor", "Total"
    for vendor, total in (("Acme", "12.00"), ("Beta", "7")):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = vendor, total
    made.add_heading("Next steps", 1)
    made.add_paragraph("Call Acme.")
    other = made.add_table(rows=2, cols=1)
    other.rows[0].cells[0].text, other.rows[1].cells[0].text = "Owner", "Ann"


REPORT = document(_report)


def run(content: bytes, **fields) -> list[Finding]:
    check = DocxCheck.model_validate({"path": "r.docx", **fields})
    return check.run(Evidence(Snapshot({"r.docx": content})))


def failures(content: bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


def test_titles_text_and_counts():
    assert (
        failures(
            REPORT,
            titles=["Quarterly Report", "Summary", ["Figures", "Numbers"], "next steps"],
            ordered=True,
            contains=["1234.50", "call acme"],
            facts=[{"label": "Beta", "value": 7}],
            bullets={"min": 2, "max": 2},
            headings={"min": 4, "max": 4},
            lacks=["Gamma"],
        )
        == []
    )


def test_what_is_wrong_is_said():
    assert failures(REPORT, titles=["Risks"]) == ["r.docx has no heading 'Risks'"]
    assert failures(REPORT, titles=["Next steps", "Summary"], ordered=True) == [
        "r.docx: headings are not in the order wanted"
    ]
    assert failures(REPORT, titles=["Call Acme."])
    assert failures(REPORT, contains=["1235.50"])
    assert failures(REPORT, facts=[{"label": "Beta", "value": 12}])


def test_tables_by_columns_by_place_and_by_heading():
    rows = [{"vendor": "Acme", "total": 12}, {"vendor": "Beta", "total": 7}]
    for place in ({}, {"index": 1}, {"heading": "Figures"}):
        assert failures(REPORT, tables=[{"rows": rows, "key": "vendor", **place}]) == []
    assert failures(REPORT, tables=[{"rows": [{"owner": "Ann"}]}]) == []
    assert failures(REPORT, tables=[{"rows": [{"owner": "Ann"}], "index": 1}])
    assert failures(REPORT, tables=[{"rows": rows, "index": 3}]) == ["r.docx: no table 3"]
    assert failures(REPORT, tables=[{"rows": rows, "heading": "Nowhere"}])
    wrong = [{"vendor": "Acme", "total": 12.5}]
    assert failures(REPORT, tables=[{"rows": wrong, "key": "vendor", "subset": True}])
    assert failures(document(lambda made: None), tables=[{"rows": rows}]) == [
        "r.docx: no table at all"
    ]


def test_sections_hold_what_stands_below_their_heading():
    revenue = {"label": "Revenue", "value": 1234.5}
    acme = {"label": "Acme", "value": 12}
    for section in (
        {"heading": "Summary", "facts": [revenue], "bullets": {"min": 2, "max": 2}},
        {"heading": "Summary", "facts": [acme]},  # "Figures" is a part of it
        {"heading": ["Numbers", "Figures"], "facts": [acme]},
        {"heading": "Next steps", "contains": ["call acme"], "lacks": ["revenue"]},
    ):
        assert failures(REPORT, sections=[section]) == [], section
    assert failures(REPORT, sections=[{"heading": "Next steps", "facts": [acme]}]) == [
        "r.docx § Next steps: not that 'Acme' is 12; found: call acme."
    ]
    missing = {"heading": "Risks", "contains": ["a", "b"], "lacks": ["c"]}
    assert failures(REPORT, sections=[missing]) == [
        "r.docx has no heading 'Risks'",
        "r.docx § Risks does not say 'a'",
        "r.docx § Risks does not say 'b'",
    ]
    twice = document(lambda made: (made.add_heading("A", 1), made.add_heading("A", 1),
                                   made.add_paragraph("text")))  # fmt: skip
    assert failures(twice, sections=[{"heading": "A", "contains": ["text"]}]) == []


def test_sections_declare_what_they_need():
    check = DocxCheck.model_validate(
        {"path": "r.docx", "sections": [{"heading": ["A", "B"], "contains": ["c"]}]}
    )
    assert check.affirms()
    assert list(check.literals()) == ["A", "c"]
    weak = {"path": "r.docx", "sections": [{"heading": "A", "lacks": ["c"]}]}
    assert not DocxCheck.model_validate(weak).affirms()
    own = {"path": "r.docx", "sections": [{"heading": "A", "equals_file": "hidden.txt"}]}
    assert DocxCheck.model_validate(own).hidden_files() == {"hidden.txt"}


def test_headings_of_own_styles_count_and_bold_lines_do_not():
    def build(made) -> None:
        style = made.styles.add_style("Chapter", 1)
        style.base_style = made.styles["Heading 1"]
        made.add_paragraph("One", style="Chapter")
        made.add_paragraph().add_run("Two").bold = True

    content = document(build)
    assert failures(content, titles=["One"]) == []
    assert failures(content, titles=["Two"])
    assert "# One" in docx_text(content)


def test_text_in_links_boxes_and_nested_tables_is_read_and_deleted_text_is_not():
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = (
        f"<w:document {space}><w:body><w:p><w:hyperlink><w:r><w:t>linked</w:t></w:r></w:hyperlink>"
        "<w:ins><w:r><w:t> added</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r>"
        "</w:del></w:p><w:sdt><w:sdtContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:sdtContent>"
        "</w:sdt><w:tbl><w:tr><w:tc><w:p><w:r><w:t>outer</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p>"
        "<w:r><w:t>inner</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>"
        "</w:body></w:document>"
    )
    text = docx_text(replaced({"word/document.xml": body.encode()}))
    assert "linked added" in text
    assert "boxed" in text
    assert text.count("inner") == 1
    assert "gone" not in text


def replaced(parts: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(REPORT)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, parts.get(name, old.read(name)))
    return stream.getvalue()


SPACE = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def with_body(body: bytes) -> bytes:
    return replaced(
        {"word/document.xml": b"<w:document %s><w:body>%s</w:body></w:document>" % (SPACE, body)}
    )


LAUGHS = b'<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
HOSTILE = {
    "empty": b"",
    "text": b"# Not a docx",
    "old doc": b"\xd0\xcf\x11\xe0" + b"\0" * 600,
    "cut": REPORT[:2_000],
    "laughs": replaced({"word/document.xml": LAUGHS + b"<x>&b;</x>"}),
    "laughs in utf-16": replaced(
        {"word/document.xml": (LAUGHS + b"<x>&b;</x>").decode().encode("utf-16")}
    ),
    "bomb": with_body(b" " * (60 << 20)),
    "deep": with_body(b"<w:sdt>" * 5_000 + b"</w:sdt>" * 5_000),
    "deep tables": with_body(b"<w:tbl><w:tr><w:tc>" * 200 + b"</w:tc></w:tr></w:tbl>" * 200),
    "many marks": with_body(b"<w:p/>" * 1_200_000),
    "many paragraphs": with_body(b"<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 100_000),
    "huge span": with_body(
        b"<w:tbl><w:tr>"
        + b'<w:tc><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr><w:p/></w:tc>' * 1_000
        + b"</w:tr></w:tbl>"
    ),
    "not xml": replaced({"word/document.xml": b"<w:document"}),
    "no styles": replaced({"word/styles.xml": b"<x/>"}),
    "no body": replaced({"word/document.xml": b"<w:document %s/>" % SPACE}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_fail_with_a_reason_in_time(name):
    started = time.monotonic()
    findings = run(
        HOSTILE[name],
        contains=["secret"],
        titles=["Secret"],
        tables=[{"rows": [{"a": 1}]}, {"rows": [{"a": 1}], "index": 1}],
    )
    assert time.monotonic() - started < 15
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"titles": ["a"], "ordered": True}, "two titles"),
        ({"titles": ["  "]}, "blank"),
        ({"sections": [{"heading": "A"}]}, "nothing is asserted about the section 'A'"),
        ({"sections": [{"heading": " ", "contains": ["a"]}]}, "blank"),
        ({"tables": [{}]}, "nothing is asserted"),
        ({"tables": [{"rows": [{"a": 1}], "index": 1, "heading": "x"}]}, "either index or heading"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        DocxCheck.model_validate({"path": "r.docx", **fields})


def test_titles_alone_do_not_affirm():
    assert not DocxCheck(path="r.docx", titles=["a"]).affirms()
    assert not DocxCheck.model_validate({"path": "r.docx", "lacks": ["a"]}).affirms()
    assert DocxCheck.model_validate({"path": "r.docx", "tables": [{"rows": [{"a": 1}]}]}).affirms()
    assert DocxCheck.model_validate({"path": "r.docx", "contains": ["a"]}).affirms()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_makes_it_raise(data):
    content = bytearray(REPORT)
    for _ in range(data.draw(st.integers(1, 20))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    run(bytes(content), contains=["a"], tables=[{"rows": [{"a": 1}]}])
