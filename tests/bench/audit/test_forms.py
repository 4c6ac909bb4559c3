"""Forms say the same as what they were made from, and are tried only where they are right."""

import csv
import io
import json
from random import Random
from typing import Any

import docx
import openpyxl
import pytest

from clawgym_bench.audit.forms import composite, forms_of, kind_of, message_forms
from clawgym_bench.audit.forms_terms import Terms, terms_of
from clawgym_bench.audit.forms_values import (
    days_in_words,
    grouped,
    numbers_regrouped,
    other_day,
    other_path,
    padded,
    short,
)
from clawgym_bench.checks.calendar import read_calendar
from clawgym_bench.checks.compare import equal
from clawgym_bench.checks.documents import load
from clawgym_bench.checks.docx import docx_text
from clawgym_bench.checks.prose import headings, item_count
from clawgym_bench.checks.table_files import read_table
from clawgym_bench.checks.text import Range
from clawgym_bench.grading import untouched_evidence
from clawgym_bench.task import Task
from tests.conftest import FIELDS, MakeTask

TABLE = b"vendor,total,day,file\nAster,1234.50,2026-10-09,data/a.csv\nBirch,3.00,2026-10-10,b\n"
DOCUMENT = {"vendor": "Aster", "total": 12, "rows": [{"a": 1.5, "b": "2026-10-09"}, {"a": 2}]}
REPORT = """# Report

## Costs

It's 1,234.50 in all (`1,234.50`), due 2026-10-09, for the people who came to the meeting.

- first
- second

## Next

1. do it
2. see data/a.csv
"""
CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n"
    "BEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20261009T090000Z\r\n"
    "SUMMARY:A rather long title that goes on and on until it has to be folded\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:2\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20261010T090000Z\r\n"
    "SUMMARY:Short\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
TERMS = Terms(paths=frozenset({"data/a.csv"}))


def terms(**fields: Any) -> Terms:
    return Terms(**{"paths": frozenset({"data/a.csv"}), **fields})


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


# --- values ----------------------------------------------------------------------------------


def test_a_number_keeps_its_value() -> None:
    assert grouped("1234567.50") == "1,234,567.50"
    assert grouped("-1234.5") == "-1,234.5"
    assert [short("1234.50"), short("3.00"), short("100")] == ["1234.5", "3", "100"]
    assert [padded("1234.5", 2), padded("7", 2)] == ["1234.50", "7.00"]
    for written in (grouped("1234.50"), short("1234.50"), padded("1234.5", 3)):
        assert equal(written, 1234.5)


def test_a_day_gains_or_loses_midnight() -> None:
    assert other_day("2026-10-09") == "2026-10-09T00:00"
    assert other_day("2026-10-09", seconds=True) == "2026-10-09T00:00:00"
    assert other_day("2026-10-09T00:00:00") == "2026-10-09"
    assert other_day("2026-10-09T10:00") is None
    assert other_day("A-2026-10-09") is None


def test_a_path_is_changed_only_where_it_is_a_file() -> None:
    assert other_path("data/a.csv", TERMS) == "/workspace/data/a.csv"
    assert other_path("/workspace/data/a.csv", TERMS) == "data/a.csv"
    assert other_path("data/b.csv", TERMS) is None


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("It costs 1,234.50 today", "It costs 1234.50 today"),
        ("It costs 1234.50 today", "It costs 1,234.50 today"),
        ("€1613 and 2000 EUR", "€1,613 and 2,000 EUR"),
        ("in 2026 for order 20341", "in 2026 for order 20341"),
        ("version 1234.5.6, A-1234, 10.1234", "version 1234.5.6, A-1234, 10.1234"),
    ],
)
def test_only_amounts_are_regrouped(text: str, changed: str) -> None:
    assert numbers_regrouped(text) == changed


def test_days_in_paths_and_identifiers_stay() -> None:
    assert days_in_words("due 2026-10-09.") == "due 9 October 2026."
    for text in ("log-2026-10-09", "2026-10-09/2", "a/2026-10-09.csv", "2026-10-09T10:00"):
        assert days_in_words(text) == text


# --- tables ----------------------------------------------------------------------------------


def test_forms_of_a_table_hold_the_same_rows() -> None:
    found = forms_of("csv", TABLE, TERMS)
    assert set(found) == {
        "other line ends",
        "no newline at the end",
        "blank line at the end",
        "byte order mark",
        "all cells quoted",
        "rows in another order",
        "numbers 1,234.50",
        "numbers 1234.5",
        "dates with a time",
        "paths absolute",
        "blank row at the end",
    }
    expected = sorted(map(tuple, read_table(TABLE, "csv").rows))
    for name, body in found.items():
        table = read_table(body, "csv")
        assert table.columns == ["vendor", "total", "day", "file"], name
        for row, wanted in zip(sorted(map(tuple, table.rows)), expected, strict=True):
            for cell, value in zip(row, wanted, strict=True):
                assert equal(cell, value) or cell == f"/workspace/{value}", name


def test_numbers_of_a_table_are_written_as_said() -> None:
    found = forms_of("csv", TABLE, TERMS)
    assert rows(found["numbers 1,234.50"])[1][1] == "1,234.50"
    assert rows(found["numbers 1234.5"])[2][1] == "3"
    short_ones = forms_of("csv", b"id,total\n1,1234.5\n2,3.25\n", TERMS)
    assert rows(short_ones["numbers 1234.50"]) == [["id", "total"], ["1", "1234.50"], ["2", "3.25"]]


def test_whole_numbers_and_identifiers_stay() -> None:
    found = forms_of("csv", b"id,year,code\n1001,2026,0071.50\n1002,2027,0081.25\n", TERMS)
    assert not [name for name in found if name.startswith("numbers")]


@pytest.mark.parametrize(
    ("fixed", "form"),
    [
        ({"ordered": True}, "rows in another order"),
        ({"plain_numbers": True}, "numbers 1,234.50"),
        ({"iso_dates": True}, "dates with a time"),
        ({"relative": True}, "paths absolute"),
        ({"exact": True}, "all cells quoted"),
    ],
)
def test_a_form_that_the_contract_rules_out_is_not_tried(fixed: Any, form: str) -> None:
    assert form in forms_of("csv", TABLE, TERMS)
    assert form not in forms_of("csv", TABLE, terms(**fixed))


# --- documents -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_forms_of_a_document_hold_the_same_values(kind: Any) -> None:
    content = json.dumps(DOCUMENT, indent=2).encode()
    found = forms_of(kind, content, TERMS)
    layouts = {"layout compact", "layout indented, ASCII", "other line ends"}
    for name in layouts | {"no newline at the end", "keys in another order"}:
        if name in found:
            assert load(found[name], kind) == DOCUMENT, name
    assert list(load(found["keys in another order"], kind)) == ["rows", "total", "vendor"]  # type: ignore[call-overload]
    assert load(found["records in another order"], kind)["rows"] == DOCUMENT["rows"][::-1]  # type: ignore[index]
    assert load(found["numbers as text"], kind)["total"] == "12"  # type: ignore[index]
    assert load(found["dates with a time"], kind)["rows"][0]["b"] == "2026-10-09T00:00:00"  # type: ignore[index]
    assert "byte order mark" not in found


def test_json_lines_stay_a_record_a_line() -> None:
    content = b'{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n'
    found = forms_of("jsonl", content, TERMS)
    assert load(found["keys in another order"], "jsonl") == load(content, "jsonl")
    assert load(found["records in another order"], "jsonl") == load(content, "jsonl")[::-1]  # type: ignore[index]


def test_types_stay_where_something_else_fixes_them() -> None:
    content = json.dumps(DOCUMENT).encode()
    for fixed in ({"typed": True}, {"listed": False}):
        assert "numbers as text" not in forms_of("json", content, terms(**fixed))
    assert b"12.0" in forms_of("json", content, terms(decimals=2))["numbers 12.0"]


def test_a_list_of_plain_values_keeps_its_order() -> None:
    assert "records in another order" not in forms_of("json", b'{"steps": [3, 1, 2]}', TERMS)


# --- prose -----------------------------------------------------------------------------------


def prose(text: str = REPORT, **fixed: Any) -> dict[str, str]:
    found = forms_of("markdown", text.encode(), terms(**fixed))
    return {name: body.decode("utf-8-sig") for name, body in found.items()}


def test_headings_keep_their_titles_in_every_form() -> None:
    found = prose()
    for name in ("deeper", "bold", "underlined", "plain", "with a colon"):
        titles = [one.title.strip() for one in headings(found[f"headings {name}"])]
        assert [one for one in titles if one in ("Costs", "Next")] == ["Costs", "Next"], name
    assert "### Costs" in found["headings deeper"]
    assert "**Costs**" in found["headings bold"]
    assert "\nCosts\n-----" in found["headings underlined"]
    assert "\nCosts\n" in found["headings plain"]
    assert "\nCosts:\n" in found["headings with a colon"]


def test_nested_headings_do_not_lose_their_levels() -> None:
    found = prose("# T\n\n## A\n\n### B\n\ntext\n\n## C\n\ntext\n")
    assert "headings deeper" in found
    assert not {"headings bold", "headings plain", "headings with a colon"} & set(found)


def test_counted_headings_stay_headings() -> None:
    assert "headings bold" not in prose(headings_counted=True)


def test_items_stay_items() -> None:
    found = prose()
    for name in ("bullets *", "bullets •", "numbered 1)"):
        assert item_count(found[name]) == item_count(REPORT) == 4, name
    assert "• first" in found["bullets •"]
    assert "1) do it" in found["numbered 1)"]


def test_code_links_and_matter_stay_as_they_are() -> None:
    text = (
        "---\ntitle: It's\n---\n\nIt's so. [x](a's.md) `it's` https://x.io/it's\n\n```\nit's\n```\n"
    )
    assert prose(text)["typographic quotes"] == text.replace("\nIt's so", "\nIt’s so")
    assert "(`1,234.50`)" in prose()["numbers regrouped"]
    assert "It's 1234.50" in prose()["numbers regrouped"]
    assert "due 9 October 2026" in prose()["dates in words"]
    assert "see /workspace/data/a.csv" in prose()["paths absolute"]


def test_wrapped_prose_has_the_same_words() -> None:
    found = prose()["lines wrapped"]
    assert found.split() == REPORT.split()
    assert max(map(len, found.split("\n"))) <= 76


def test_a_title_and_a_sign_off_are_added_only_with_room() -> None:
    text = "A short note that says what there is to say.\n"
    found = prose(text)
    assert found["title added"].endswith(text)
    assert found["sign-off added"].startswith(text.strip())
    tight = prose(text, bounds=[("words", Range(max=12))])
    assert not {"title added", "sign-off added"} & set(tight)
    assert "title added" not in prose(text, opening=True)


def test_plain_text_without_a_sentence_is_no_prose() -> None:
    found = forms_of("text", b"b@example.org\na@example.org\n", TERMS)
    assert set(found) == {
        "other line ends", "no newline at the end", "blank line at the end", "byte order mark",
    }  # fmt: skip


def test_a_text_that_is_compared_line_by_line_keeps_its_lines() -> None:
    found = forms_of("markdown", REPORT.encode(), terms(verbatim=True))
    assert set(found) == {
        "other line ends", "no newline at the end", "blank line at the end", "byte order mark",
    }  # fmt: skip


def test_messages_have_forms_too() -> None:
    found = message_forms("Done, and it took 1,234.50 in all:\n\n- one\n- two", TERMS)
    assert {"bullets *", "numbers regrouped", "title added", "sign-off added"} <= set(found)
    assert message_forms(" ", TERMS) == {}


# --- other formats ---------------------------------------------------------------------------


def test_forms_of_a_calendar_hold_the_same_events() -> None:
    found = forms_of("ics", CALENDAR.encode(), TERMS)
    assert set(found) == {
        "other line ends",
        "lines folded",
        "entries in another order",
        "properties in another order",
    }
    wanted = sorted(repr(event) for event in read_calendar(CALENDAR.encode())[0])
    for name, body in found.items():
        assert sorted(repr(event) for event in read_calendar(body)[0]) == wanted, name
    assert max(map(len, found["lines folded"].split(b"\r\n"))) <= 60


def test_forms_of_a_page_keep_its_text() -> None:
    page = "<html><body><h2>Café</h2><p>Text</p></body></html>"
    found = forms_of("html", page.encode(), TERMS)
    assert b"<h3>" in found["headings deeper"]
    assert b"<H2>" in found["tags in capitals"]
    assert b"Caf&#233;" in found["characters as references"]
    assert found["sign-off added"].endswith(b"</p>\n</body></html>")


def test_forms_of_a_workbook_hold_the_same_cells() -> None:
    book = openpyxl.Workbook()
    book.active.append(["vendor", "total", "day"])  # type: ignore[union-attr]
    book.active.append(["Aster", 12.5, "2026-10-09"])  # type: ignore[union-attr]
    buffer = io.BytesIO()
    book.save(buffer)
    found = forms_of("xlsx", buffer.getvalue(), TERMS)
    assert set(found) == {"numbers as text", "dates as cells of another type", "styled header"}
    for name, body in found.items():
        (row,) = read_table(body, "xlsx").rows
        assert all(map(equal, row, ["Aster", 12.5, "2026-10-09"])), name
    typed = openpyxl.load_workbook(io.BytesIO(found["numbers as text"]))
    assert typed.active["B2"].value == "12.5"  # type: ignore[index]


def test_forms_of_a_document_in_word_keep_its_text() -> None:
    document = docx.Document()
    document.add_heading("Costs", level=1)
    document.add_paragraph("Aster has 7.")
    document.add_paragraph("one", style="List Bullet")
    buffer = io.BytesIO()
    document.save(buffer)
    found = forms_of("docx", buffer.getvalue(), TERMS)
    assert set(found) == {
        "headings deeper", "bullets typed", "runs split", "title added", "sign-off added",
    }  # fmt: skip
    assert "## Costs" in docx_text(found["headings deeper"])
    for body in found.values():
        text = docx_text(body)
        assert "Aster has 7." in text
        assert item_count(text) == 1


@pytest.mark.parametrize("kind", ["csv", "json", "yaml", "markdown", "html", "ics", "xlsx", "docx"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b'"', b"a,b\n1\n", b"\x00" * 40])
def test_damaged_files_never_raise(kind: str, content: bytes) -> None:
    assert isinstance(forms_of(kind, content, TERMS), dict)


def test_a_program_has_no_forms() -> None:
    assert kind_of("bin/rotate.py", "python") is None
    assert kind_of("run.sh", "shell") is None
    assert kind_of("out/TOTALS.CSV", "csv") == "csv"
    assert kind_of("README", "markdown") == "markdown"


def test_many_forms_at_once_still_say_the_same() -> None:
    content = json.dumps(DOCUMENT, indent=2).encode()
    both = load(composite("json", content, terms(ordered=True, typed=True)), "json")
    assert both["vendor"] == "Aster"  # type: ignore[index]
    assert list(both) != list(DOCUMENT)  # type: ignore[call-overload]


# --- what the request leaves open ------------------------------------------------------------


def asked(new_task: MakeTask, note: str = "", request: str = "", **output: Any) -> Terms:
    fields = {**FIELDS["outputs"][0], **output}
    if note:
        fields["note"] = note
    instruction = FIELDS["sessions"][0]["instruction"] + request
    task: Task = new_task(outputs=[fields], sessions=[{"instruction": instruction}])
    return terms_of(task, "out/totals.csv", 1, untouched_evidence(task), Random(0))


def test_nothing_said_leaves_the_form_open(new_task: MakeTask) -> None:
    found = asked(new_task)
    fixed = (found.ordered, found.exact, found.verbatim, found.plain_numbers, found.typed)
    assert not any((*fixed, found.iso_dates, found.relative, found.opening))


def test_the_contract_fixes_the_form(new_task: MakeTask) -> None:
    assert asked(new_task, order="vendor").ordered
    assert asked(new_task, "Money as plain numbers.").plain_numbers
    assert asked(new_task, "Total is given as a number.").typed
    assert asked(new_task, "Days as YYYY-MM-DD.").iso_dates
    assert asked(new_task, "Times as 2026-10-16T21:05Z.").iso_dates
    assert asked(new_task, "Paths relative to the workspace.").relative
    assert asked(new_task, "Exactly what the tool prints.").exact
    assert asked(new_task, request="\n\n- `out/totals.csv` begins with the header.").opening


def test_what_is_said_of_another_file_does_not_count(new_task: MakeTask) -> None:
    found = asked(new_task, request="\n\n- notes.md begins with a date, YYYY-MM-DD\n- more")
    assert not found.opening
    assert not found.iso_dates
