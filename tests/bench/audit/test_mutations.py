"""Seeded errors, format by format: each changes what it says and nothing else."""

import csv
import io
import json
from random import Random

import openpyxl
import pytest
import yaml
from docx import Document

from clawgym_bench.audit.mutations import Mutant, Mutations, Rules, format_of
from clawgym_bench.audit.mutations_subjects import MAKERS
from clawgym_bench.audit.mutations_values import (
    shifted_dates,
    wrong_number_texts,
    wrong_values,
)
from clawgym_bench.checks.limits import Refused

CSV = b"id,when,total\nA1,2026-05-01,10.50\nB2,2026-05-02,20\nC3,2026-05-03,3\n"


def made(format: str, content: bytes, rules: Rules | None = None) -> Mutations:
    return MAKERS[format](content, rules or Rules(), Random(1))


def of_kind(format: str, content: bytes, kind: str, rules: Rules | None = None) -> list[Mutant]:
    return [one for one in made(format, content, rules).mutants if one.kind == kind]


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


# --- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("12", ["13", "-12", "120"]),
        ("1,299.99", ["1,299.98", "-1,299.99", "12,999.90"]),
        ("£5", ["£6", "£-5", "£50"]),
        ("-4.5 %", ["-4.6 %", "4.5 %", "-45.0 %"]),
        ("0", ["1"]),
    ],
)
def test_a_number_is_spoilt_in_its_own_form(text: str, wrong: list[str]) -> None:
    assert [new for _, new in wrong_number_texts(text)] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2026-12-31", ["2027-01-01"]),
        ("2026-05-01T09:30", ["2026-05-02T09:30", "2026-05-01T10:30"]),
        ("11 January 2027", ["12 January 2027"]),
        ("June 30, 2026", ["June 29, 2026"]),
        ("23:45", ["00:45"]),
        ("20270613T151500", ["20270614T151500"]),
    ],
)
def test_a_date_is_a_day_or_an_hour_off(text: str, wrong: list[str]) -> None:
    assert shifted_dates(text) == wrong


def test_a_number_is_spoilt_at_the_last_place_that_counts() -> None:
    kinds = dict(wrong_values(1.23456, Rules(decimals={"": 2})))
    assert kinds["number digit"] == pytest.approx(1.24456)


def test_an_error_within_the_tolerance_is_none() -> None:
    kinds = dict(wrong_values(100, Rules(tolerances={"": 1.0})))
    assert set(kinds) == {"number sign", "number scale"}


# --- tables ------------------------------------------------------------------------------------


def test_one_cell_of_a_csv_changes() -> None:
    for mutant in of_kind("csv", CSV, "number digit"):
        before, after = rows(CSV), rows(mutant.make())
        differ = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert len(differ) == 1
        assert mutant.line is not None
        assert after[mutant.line - 1] == differ[0][1]


def test_rows_are_dropped_and_doubled() -> None:
    assert {len(rows(m.make())) for m in of_kind("csv", CSV, "row dropped")} == {3}
    assert {len(rows(m.make())) for m in of_kind("csv", CSV, "row duplicated")} == {5}


def test_values_are_swapped_within_their_column() -> None:
    for mutant in of_kind("csv", CSV, "values swapped"):
        before, after = rows(CSV), rows(mutant.make())
        assert sorted(zip(*before, strict=True)) != sorted(zip(*after, strict=True))
        for column in range(3):
            assert sorted(r[column] for r in before) == sorted(r[column] for r in after)


def test_a_swap_that_gives_the_same_table_is_left_out() -> None:
    same = b"id,total\nA,1\nA,2\n"
    assert not of_kind("csv", same, "values swapped")
    equal = b"id,total\nA,1\nB,1.0\n"
    swapped = of_kind("csv", equal, "values swapped")
    assert all("total" not in one.before for one in swapped)


def test_the_form_of_a_csv_stays() -> None:
    odd = b'id;name\r\nA;"x; y"\r\nB;z\r\n'
    result = made("csv", odd)
    assert result.same is not None
    assert result.same() == odd


def test_only_the_fields_that_are_asked_for_are_spoilt() -> None:
    rules = Rules(fields=frozenset({"total"}))
    assert [one.before for one in of_kind("csv", CSV, "field renamed", rules)] == ["total"]


def test_order_is_broken_in_the_column_it_goes_by() -> None:
    by_when = of_kind("csv", CSV, "order broken", Rules(order="when"))
    assert by_when[0].before == "2026-05-01 before 2026-05-02"
    assert not of_kind("csv", CSV, "order broken")


def test_a_cell_of_a_workbook_changes_and_its_type_stays() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["A title"], ["id", "total"], ["A1", 10], ["B2", 2.5]):
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    mutants = of_kind("xlsx", buffer.getvalue(), "number scale")
    values = []
    for mutant in mutants:
        changed = openpyxl.load_workbook(io.BytesIO(mutant.make())).active
        assert changed is not None
        values.append([cell.value for cell in changed["B"]][2:])
    assert sorted(map(str, values)) == ["[10, 25]", "[100, 2.5]"]


# --- documents ---------------------------------------------------------------------------------

JSON = b'{"sites": [{"name": "Mill", "kWh": 10}, {"name": "Weir", "kWh": 12}], "total": 22}'


def test_a_leaf_of_json_changes() -> None:
    found = {m.before: json.loads(m.make()) for m in of_kind("json", JSON, "number sign")}
    assert found["total: 22"]["total"] == -22
    assert found["sites[0].kWh: 10"]["sites"][0] == {"name": "Mill", "kWh": -10}


def test_a_name_is_exchanged_for_another_under_the_same_key() -> None:
    for mutant in of_kind("json", JSON, "name exchanged"):
        names = [site["name"] for site in json.loads(mutant.make())["sites"]]
        assert names in (["Weir", "Weir"], ["Mill", "Mill"])


def test_keys_are_renamed_and_elements_dropped() -> None:
    keys = [set(json.loads(m.make())) for m in of_kind("json", JSON, "field renamed")]
    assert {"sites_x", "total"} in keys
    assert [len(json.loads(m.make())["sites"]) for m in of_kind("json", JSON, "row dropped")] == [1]


def test_a_swap_in_a_list_of_one_field_objects_is_left_out() -> None:
    assert not of_kind("json", b'[{"n": 1}, {"n": 2}]', "values swapped")
    assert of_kind("json", JSON, "values swapped")


def test_yaml_keeps_its_texts() -> None:
    (mutant,) = of_kind("yaml", b'day: "2026-05-01"\ncode: "007"\n', "date shifted")
    assert yaml.safe_load(mutant.make()) == {"day": "2026-05-02", "code": "007"}


def test_json_lines_stay_lines() -> None:
    (mutant,) = of_kind("jsonl", b'{"a": 1}\n{"b": 2}\n', "row dropped")
    assert len(mutant.make().splitlines()) == 1


@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("json", b"{"),
        ("yaml", b"a: [" * 5_000),
        ("xlsx", b"PK nothing"),
        ("docx", b"nothing"),
        ("csv", b""),
        ("python", b"def (:\n  '''"),
        ("eml", b"\xff\xfe"),
    ],
)
def test_what_cannot_be_read_is_refused(format: str, content: bytes) -> None:
    try:
        found = made(format, content).mutants
    except (Refused, ValueError):
        return
    assert isinstance(found, list)


# --- calendars ---------------------------------------------------------------------------------

ICS = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@x\r\n"
    b"DTSTART;TZID=Europe/Oslo:20260501T090000\r\nSUMMARY:Boat\r\nEND:VEVENT\r\n"
    b"BEGIN:VEVENT\r\nUID:2@x\r\nDTSTART;VALUE=DATE:20260502\r\nSUMMARY:A long dinner title\r\n"
    b" and more\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_events_are_moved_dropped_and_exchanged() -> None:
    starts = [m.make().decode() for m in of_kind("ics", ICS, "date shifted")]
    assert any("20260502T090000" in text for text in starts)
    assert any("20260501T100000" in text for text in starts)
    assert any(":20260503\r\n" in text for text in starts)
    dropped = [m.make().count(b"BEGIN:VEVENT") for m in of_kind("ics", ICS, "row dropped")]
    assert dropped == [1, 1]
    twice = of_kind("ics", ICS, "row duplicated")[0].make()
    assert b"UID:again-1@x" in twice


# --- prose -------------------------------------------------------------------------------------

TEXT = """# Report of 12 May 2026

Dear Gerd,

1. Northgate used 1,250 kWh, and the bill of Northgate is 300.50 EUR (see data/meters.csv).
2. It was read on 3 June 2026 at 09:15 by Marek, meter W-105.

| site | kWh |
|---|---|
| Lido | 1,250 |
"""


def texts(kind: str, text: str = TEXT, rules: Rules | None = None) -> list[str]:
    return [mutant.make().decode() for mutant in of_kind("markdown", text.encode(), kind, rules)]


def test_a_fact_is_wrong_wherever_it_stands() -> None:
    assert all("1,250" not in text or "1,251" not in text for text in texts("fact digit"))
    assert any(text.count("1,251") == 2 for text in texts("fact digit"))


def test_headings_numbering_files_and_salutations_are_no_facts() -> None:
    wrong = [*texts("fact digit"), *texts("fact date"), *texts("fact name"), *texts("fact scale")]
    for text in wrong:
        assert "# Report of 12 May 2026" in text
        assert "Dear Gerd," in text
        assert "\n1. " in text
        assert "data/meters.csv" in text


def test_dates_times_names_and_codes_are_facts() -> None:
    assert {"4 June 2026", "10:15"} <= {
        found for text in texts("fact date") for found in ("4 June 2026", "10:15") if found in text
    }
    names = of_kind("markdown", TEXT.encode(), "fact name")
    found = {one.before.split(" (in")[0] for one in names}
    assert {"Northgate", "Marek", "W-105"} <= found


def test_small_numbers_are_spoilt_one_at_a_time() -> None:
    wrong = texts("fact digit", "Aster has 3 items and Birch has 3 items.\n")
    assert sorted(wrong) == [
        "Aster has 3 items and Birch has 4 items.\n",
        "Aster has 4 items and Birch has 3 items.\n",
    ]


def test_facts_are_exchanged_but_not_the_two_ends_of_a_list() -> None:
    assert texts("facts exchanged", "A pays 40 and B pays 60.\n") == ["A pays 60 and B pays 40.\n"]
    assert not texts("facts exchanged", "The readings are 40 and 60.\n")


def test_what_another_right_answer_leaves_out_is_no_fact() -> None:
    rules = Rules(others=["They used 1250 kWh."])
    assert len(texts("fact digit", rules=rules)) == 1


def test_sentences_are_negated_shuffled_and_added() -> None:
    said = "The red boat is in the harbour and will leave it at noon.\n"
    assert any("is not in the harbour" in text for text in texts("sentence negated", said))
    (shuffled,) = texts("words shuffled", said)
    assert sorted(shuffled.split()) == sorted(said.split())
    (added,) = texts("paragraph added", said)
    assert added.startswith(said)


def test_words_of_html_change_and_its_tags_stay() -> None:
    page = b'<h1 class="a12">Sum</h1><p>It is <b>120</b> euros in all, says Marek.</p>'
    (mutant,) = of_kind("html", page, "fact digit")
    assert mutant.make() == page.replace(b"120", b"121")


def test_words_of_a_document_change_across_runs() -> None:
    document = Document()
    paragraph = document.add_paragraph("The price is 1")
    paragraph.add_run("20").bold = True
    paragraph.add_run(" euros.")
    buffer = io.BytesIO()
    document.save(buffer)
    (mutant,) = of_kind("docx", buffer.getvalue(), "fact digit")
    changed = Document(io.BytesIO(mutant.make()))
    assert changed.paragraphs[0].text == "The price is 121 euros."


def test_the_text_of_a_mail_changes() -> None:
    mail = (
        b"From: a@example.org\r\nTo: b@example.org\r\nSubject: Bill\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\n"
        b"\r\nYou owe =E2=82=AC120 to us.\r\n"
    )
    (mutant,) = of_kind("eml", mail, "fact digit")
    assert b"Subject: Bill" in mutant.make()
    assert b"121" in mutant.make()


# --- programs ----------------------------------------------------------------------------------


def test_constants_and_operators_of_programs_change() -> None:
    python = b"# 1 + 1\nx = 'a < 1'\nif x and 3 < 4:\n    print(2 + 2)\n"
    changed = {m.make() for m in of_kind("python", python, "program changed")}
    assert python.replace(b"x and", b"x or") in changed
    assert python.replace(b"3 <", b"3 <=") in changed
    assert all(text.startswith(b"# 1 + 1\nx = 'a < 1'\n") for text in changed)
    shell = b"#!/bin/sh\n# 5\nif [ $n -lt 3 ]; then sort a; fi\n"
    changed = {m.make() for m in of_kind("shell", shell, "program changed")}
    assert changed == {shell.replace(b"-lt", b"-le"), shell.replace(b" 3 ", b" 4 ")}


def test_a_format_is_known_by_its_declaration_or_its_suffix() -> None:
    assert format_of("out/a.md") == "markdown"
    assert format_of("out/a.bin", "csv") == "csv"
    assert format_of("a/b.c/noext") == ""
