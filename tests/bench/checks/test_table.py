import io
import json
import random
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from pydantic import ValidationError

from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.table import TableCheck
from clawgym_bench.errors import TaskFault
from clawgym_bench.sandbox.snapshot import Snapshot

VENDORS = "vendor,total,due\nAcme,1234.50,2026-03-01\nBeta,7,2026-04-01\nGamma,-3.1,2026-05-01\n"


def run(content: str | bytes, *, path: str = "t.csv", hidden: str = "", **fields) -> list[Finding]:
    data = content.encode() if isinstance(content, str) else content
    evidence = Evidence(Snapshot({path: data}), hidden={"expected.csv": hidden.encode()})
    return TableCheck.model_validate({"path": path, **fields}).run(evidence)


def holds(content: str | bytes, **fields) -> bool:
    return all(finding.ok for finding in run(content, **fields))


def failures(content: str | bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


def share(findings: list[Finding]) -> float:
    if any(finding.required and not finding.ok for finding in findings):
        return 0.0
    counted = [finding.ok for finding in findings if not finding.required]
    return sum(counted) / len(counted) if counted else 1.0


def test_the_expected_table_is_right():
    assert holds(VENDORS, hidden=VENDORS, equals="expected.csv", key="vendor", ordered=True)


@pytest.mark.parametrize(
    "written",
    [
        "Vendor;Total;Due\nACME;1234.5;2026-03-01\nbeta;7;2026-04-01\nGamma;-3.1;2026-05-01",
        "\ufeffvendor\ttotal\tdue\nAcme\t$1,234.50\t1 March 2026\nBeta\t7.00\t2026/04/01\n"
        "Gamma\t(3.10)\tMay 1, 2026\n",
        "due,note,vendor,total\n2026-03-01,x,Acme,1234.50\n\n2026-04-01,,Beta,7\r\n"
        "2026-05-01,y,Gamma,−3.1\n,,,\n",
        '"vendor","total","due",\n"Acme","1,234.50","2026-03-01",\nBeta,7,2026-04-01,\n'
        "Gamma,-3.1,2026-05-01,",
        "vendor,total,due\nGamma,-3.1,2026-05-01\nBeta,7,2026-04-01\nAcme,1234.50,2026-03-01",
    ],
)
def test_form_does_not_matter(written):
    for key in ("vendor", None):
        assert holds(written, hidden=VENDORS, equals="expected.csv", key=key)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1234.50", "1234.51"),
        ("7,", "70,"),
        ("Beta", "Betta"),
        ("2026-04-01", "2026-04-02"),
        ("-3.1", "3.1"),
        ("Gamma,-3.1,2026-05-01\n", ""),
        ("Gamma", "Delta,1,2026-05-01\nGamma"),
        ("Beta,7,2026-04-01\n", "Beta,7,2026-04-01\nBeta,7,2026-04-01\n"),
        ("due\n", "date\n"),
        ("2026-04-01", ""),
    ],
)
def test_every_change_of_substance_is_noticed(old, new):
    for key in ("vendor", None):
        said = failures(
            VENDORS.replace(old, new, 1), hidden=VENDORS, equals="expected.csv", key=key
        )
        assert said
        assert all(len(reason) <= 200 for reason in said)


def test_each_row_is_one_finding():
    findings = run(VENDORS.replace("7", "8"), hidden=VENDORS, equals="expected.csv", key="vendor")
    assert share(findings) == pytest.approx(2 / 3)
    assert (
        "total 7 wanted, found 8"
        in failures(VENDORS.replace("7", "8"), hidden=VENDORS, equals="expected.csv", key="vendor")[
            0
        ]
    )


def test_a_row_that_does_not_belong_costs_like_a_missing_one():
    rows = [{"vendor": "Acme"}, {"vendor": "Beta"}]
    assert share(run(VENDORS, rows=rows, key="vendor")) == pytest.approx(2 / 3)


def test_copying_a_long_input_earns_nothing():
    written = "id\n" + "\n".join(map(str, range(50)))
    assert share(run(written, rows=[{"id": 3}, {"id": 7}], key="id")) == 0
    assert holds(written, rows=[{"id": 3}, {"id": 7}], key="id", subset=True)


def test_an_empty_table_earns_nothing():
    for fields in (
        {"rows": [{"vendor": "Acme"}, {"vendor": "B"}], "ordered": True},
        {"rows": [{"vendor": "Acme"}], "sorted_by": ["vendor"], "row_count": 1},
        {"rows": [{"vendor": "Acme"}], "lacks_rows": [{"vendor": "Evil"}]},
    ):
        assert share(run("vendor\n", **fields)) == 0


def test_columns_are_preconditions():
    findings = run("a,b\n1,2\n", rows=[{"a": 1, "c": 2}])
    assert [finding.required for finding in findings] == [True]
    assert "no column c" in findings[0].reason
    assert failures("a,b,c\n1,2,3\n", columns=["a", "b"], exact_columns=True) == [
        "t.csv: it has other columns too: c"
    ]
    assert failures("b,a\n1,2\n", columns=["a", "b"], column_order=True)
    assert holds("a,x,b\n1,2,3\n", columns=["a", "b"], column_order=True)
    assert failures("a,A\n1,2\n", columns=["a"]) == ["t.csv: two columns are called a"]


def test_the_order_of_columns_is_that_of_the_expected_rows_with_a_key_too():
    rows = [{"id": 1, "name": "a", "size": 3}]
    for key in (None, "id", ["name", "id"]):
        assert holds("id,name,size\n1,a,3\n", rows=rows, key=key, column_order=True)
        assert failures("name,id,size\na,1,3\n", rows=rows, key=key, column_order=True)
    assert holds("id,name,size\n1,a,3\n", rows=rows, sorted_by=["id"], column_order=True)


def test_headings_ignore_case_spaces_and_signs():
    assert holds("Total Amount\n5\n", rows=[{"total_amount": 5}])
    assert holds("total-amount\n5\n", rows=[{"Total Amount": 5}])


def test_order():
    wanted = [{"n": n} for n in (3, 1, 2)]
    assert holds("n\n3\n1\n2\n", rows=wanted, ordered=True)
    assert failures("n\n1\n2\n3\n", rows=wanted, ordered=True) == [
        "t.csv: rows are not in the order wanted"
    ]
    assert holds("n,k\n10,a\n9,c\n9,b\n2,a\n", sorted_by=["-n"])
    assert holds("n,k\n10,a\n9,b\n9,c\n", sorted_by=["-n", "k"])
    assert failures("n,k\n10,a\n9,c\n9,b\n", sorted_by=["-n", "k"])
    assert failures("n\n10\n9\n", sorted_by=["n"]) == ["t.csv: not sorted by n: 10 is before 9"]
    assert holds("d\n2 January 2026\n2026-01-10\n", sorted_by=["d"])
    assert holds("name\nalpha\nBeta\ngamma\n", sorted_by=["name"])
    assert holds("name\nBeta\nalpha\ngamma\n", sorted_by=["name"])
    assert failures("name\ngamma\nalpha\n", sorted_by=["name"])


def test_rounding_and_tolerance_by_column():
    wanted = [{"a": 2.35, "b": 10}]
    assert holds("a,b\n2.3456,10\n", rows=wanted, decimals={"a": 2})
    assert failures("a,b\n2.3456,10.001\n", rows=wanted, decimals={"a": 2})
    assert holds("a,b\n2.35,11\n", rows=wanted, tolerance={"b": 1})
    assert failures("a,b\n2.35,11.5\n", rows=wanted, tolerance={"b": 1})


def test_a_cell_may_have_alternatives_and_paths_any_root():
    assert holds("s\noverdue\n", rows=[{"s": ["late", "overdue"]}])
    assert failures("s\npaid\n", rows=[{"s": ["late", "overdue"]}])
    assert holds("p\n/workspace/a/b.md\n", rows=[{"p": "a/b.md"}])


def test_exact_columns_of_text():
    assert failures("code\nab-1\n", rows=[{"code": "AB-1"}], exact=["code"])
    assert holds("code\nAB-1\n", rows=[{"code": "AB-1"}], exact=True)


def test_forbidden_rows_and_counts():
    assert failures(VENDORS, lacks_rows=[{"vendor": "beta", "total": "7.0"}])
    assert holds(VENDORS, lacks_rows=[{"vendor": "beta", "total": 8}])
    assert holds(VENDORS, row_count=3)
    assert failures(VENDORS, row_count={"max": 2}) == ["t.csv: at most 2 rows wanted, found 3"]


def test_duplicate_keys_are_findings():
    written = "k,v\na,1\nA,1\nb,2\n"
    wanted = [{"k": "a", "v": 1}, {"k": "b", "v": 2}]
    assert failures(written, rows=wanted, key="k") == ["t.csv: row A does not belong there"]
    assert failures(written, rows=wanted, key="k", subset=True)


def test_rows_without_a_key_match_as_a_multiset():
    wanted = [{"k": "a", "v": 1}, {"k": "a", "v": 1}, {"k": "b", "v": 2}]
    assert holds("k,v\nb,2\na,1\na,1\n", rows=wanted)
    assert len(failures("k,v\nb,2\na,1\nb,2\n", rows=wanted)) == 1


def test_ragged_rows_are_reported():
    assert failures("a,b\n1,2\n3,4,5\n", row_count=2) == ["t.csv: row 3 has 3 cells, the header 2"]


def test_json_and_json_lines():
    records = [{"id": 1, "tags": ["x", "y"]}, {"id": "2", "tags": []}]
    lines = "\n".join(map(json.dumps, records))
    wanted = [{"id": 1}, {"id": 2}]
    assert holds(json.dumps(records), path="t.json", rows=wanted, key="id")
    assert holds(lines, path="t.jsonl", rows=wanted, key="id")
    assert holds(json.dumps({"data": records}), path="t.json", rows=wanted, key="id", at="data")
    assert failures(json.dumps({"data": records}), path="t.json", rows=wanted)
    assert failures('[{"id": 1}, 2]', path="t.json", rows=wanted)


def sheet(rows, *, title: str = "Sheet", **others) -> bytes:
    book = Workbook()
    for at, (name, content) in enumerate({title: rows, **others}.items()):
        page = book.create_sheet(name, at)
        for row in content:
            page.append(row)
    book.remove(book["Sheet"] if title != "Sheet" else book.worksheets[-1])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_workbook_may_have_a_title_above_its_header():
    import datetime as dt

    rows = [["Report"], [], ["Vendor", "Total", "Due"], ["Acme", 1234.5, dt.date(2026, 3, 1)]]
    content = sheet(rows, title="Main", Other=[["x"], [1]])
    wanted = [{"vendor": "Acme", "total": "1,234.50", "due": "2026-03-01"}]
    assert holds(content, path="t.xlsx", rows=wanted)
    assert holds(content, path="t.xlsx", rows=wanted, sheet="main", header_row=3)
    assert failures(content, path="t.xlsx", rows=wanted, header_row=1)
    assert holds(content, path="t.xlsx", rows=[{"x": 1}], sheet="Other")
    assert "its sheets: Main, Other" in failures(content, path="t.xlsx", rows=wanted, sheet="No")[0]


def test_a_formula_without_a_value_is_said():
    content = sheet([["a", "sum"], [1, "=A2*2"]])
    said = failures(content, path="t.xlsx", rows=[{"a": 1, "sum": 2}], key="a")
    assert said == ["t.xlsx: 1: sum 2 wanted, found the formula =A2*2 without a computed value"]


def test_a_big_workbook_is_read_in_a_child_process():
    content = sheet([["n", "m"], *([n, n * 2] for n in range(20_000))])
    started = time.monotonic()
    assert holds(content, path="t.xlsx", row_count=20_000)
    assert time.monotonic() - started < 30


def zipped(parts: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def tampered(change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(sheet([["a"], [1]]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    return zipped(parts)


def _worksheet(body: bytes):
    def change(parts: dict[str, bytes]) -> None:
        name = next(name for name in parts if "worksheets/sheet" in name)
        parts[name] = (
            b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
            b"<sheetData>" + body + b"</sheetData></worksheet>"
        )

    return change


def _entities(parts: dict[str, bytes]) -> None:
    parts["xl/workbook.xml"] = b'<!DOCTYPE x [<!ENTITY a "b">]>' + parts["xl/workbook.xml"]


HOSTILE_BOOKS = {
    "million rows": _worksheet(
        b'<row r="1"><c r="A1" t="str"><v>a</v></c></row>'
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    ),
    "far cells": _worksheet(
        b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(1, 40_000))
    ),
    "huge number": _worksheet(b'<row r="1"><c r="A1"><v>' + b"9" * 100_000 + b"</v></c></row>"),
    "huge row number": _worksheet(b'<row r="99999999999999"><c r="A1"><v>1</v></c></row>'),
    "bad string": _worksheet(b'<row r="1"><c r="A1" t="s"><v>99</v></c></row>'),
    "entities": _entities,
    "bomb": lambda parts: parts.update({"xl/sharedStrings.xml": b"<sst>" + b" " * (60 << 20)}),
    "no workbook": lambda parts: parts.pop("xl/workbook.xml"),
    "many strings": lambda parts: parts.update(
        {
            "xl/sharedStrings.xml": b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/'
            b'2006/main">' + b"<si><t>x</t></si>" * 300_000 + b"</sst>"
        }
    ),
}


@pytest.mark.parametrize("name", HOSTILE_BOOKS)
def test_hostile_workbooks_fail_with_a_reason_in_time(name):
    content = tampered(HOSTILE_BOOKS[name])
    started = time.monotonic()
    assert failures(content, path="t.xlsx", rows=[{"a": 2}, {"a": 3}])
    assert time.monotonic() - started < 40


HOSTILE = {
    "empty": (b"", "t.csv"),
    "blank": (b"\n\n  \n", "t.csv"),
    "latin": (b"a,b\n\xff\xfe\xfa,1\n", "t.csv"),
    "long field": (b'a\n"' + b"x" * 1_000_000, "t.csv"),
    "many columns": (b"a," * 5_000 + b"\n1", "t.csv"),
    "many rows": (b"a\n" + b"1\n" * 300_000, "t.csv"),
    "too big": (b"a\n" + b"1" * (20 << 20), "t.csv"),
    "nul": (b"a,b\n\0,1", "t.csv"),
    "deep json": (b"[" * 100_000 + b"]" * 100_000, "t.json"),
    "many objects": (b"[" + b"{}," * 1_000_000 + b"{}]", "t.json"),
    "nan": (b'[{"a": NaN}]', "t.json"),
    "not an xlsx": (b"a,b\n1,2\n", "t.xlsx"),
    "old xls": (b"\xd0\xcf\x11\xe0" + b"\0" * 512, "t.xlsx"),
    "truncated xlsx": (sheet([["a"], [1]])[:900], "t.xlsx"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_fail_with_a_reason_in_time(name):
    content, path = HOSTILE[name]
    started = time.monotonic()
    findings = run(content, path=path, rows=[{"a": 2}, {"a": 3}], key="a")
    assert time.monotonic() - started < 10
    assert share(findings) == 0
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


def test_a_missing_file_is_one_required_finding():
    check = TableCheck(path="t.csv", row_count=1)
    (finding,) = check.run(Evidence(Snapshot({})))
    assert (finding.ok, finding.required) == (False, True)


def test_thousands_of_rows_are_compared_in_seconds():
    rows = [f"{n},{n * 7 % 1000}.25,name {n % 50},2026-01-{n % 28 + 1:02}" for n in range(2_000)]
    header = "id,amount,name,day\n"
    shuffled = [row.replace(".25", ".250").replace("name", "Name") for row in rows]
    random.Random(1).shuffle(shuffled)
    wrong = [row.replace("Name", "nome").replace(".25", ".26") for row in shuffled]
    for key in (None, "id"):
        started = time.process_time()
        hidden = header + "\n".join(rows)
        fields = {"hidden": hidden, "equals": "expected.csv", "key": key}
        assert holds(header + "\n".join(shuffled), **fields)
        assert time.process_time() - started < 8
        fields["hidden"] = header + "\n".join(rows[:300])
        few = [row for row in wrong if int(row.split(",")[0]) < 300]
        assert len(failures(header + "\n".join(few), **fields)) == 300
        assert time.process_time() - started < 16


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"path": "t.txt", "columns": ["a"]}, "format"),
        ({"key": "a", "columns": ["a"]}, "add equals or rows"),
        ({"rows": [{"a": 1}], "key": "b"}, "not a column"),
        ({"rows": [{"a": 1}, {"b": 1}]}, "other columns"),
        ({"rows": [{"a": 1}, {"a": 1}], "key": "a"}, "two rows have the key"),
        ({"rows": [{"a": 1}], "equals": "x.csv"}, "either equals or rows"),
        ({"rows": [{"a": 1}], "row_count": 3}, "row_count is 3"),
        ({"rows": [{"a": 1}], "ordered": True, "sorted_by": ["a"]}, "either ordered"),
        ({"rows": [{"a": 1}], "decimals": {"b": 2}}, "not a column"),
        ({"equals": "x.pdf"}, "not csv"),
        ({"columns": ["a"], "sheet": "S"}, "sheet is for xlsx"),
        ({"columns": ["a"], "colums": ["b"]}, "Extra inputs"),
        ({"path": "t.json", "columns": ["a"], "at": "a["}, "JMESPath"),
        ({"lacks_rows": [{}]}, "empty pattern"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        TableCheck.model_validate({"path": "t.csv", **fields})


def test_what_junk_satisfies_does_not_affirm():
    for fields in (
        {"columns": ["a"]},
        {"sorted_by": ["a"]},
        {"lacks_rows": [{"a": 1}]},
        {"row_count": {"max": 3}},
        {"row_count": {"min": 1}},
        {"rows": []},
    ):
        assert not TableCheck.model_validate({"path": "t.csv", **fields}).affirms()
    for fields in ({"rows": [{"a": 1}]}, {"equals": "e.csv"}, {"row_count": 3}):
        assert TableCheck.model_validate({"path": "t.csv", **fields}).affirms()


def test_a_check_survives_a_trip_through_json():
    import datetime as dt

    check = TableCheck.model_validate(
        {"path": "t.csv", "rows": [{"d": dt.date(2026, 1, 2), "v": [1, "x"]}], "key": "d"}
    )
    assert TableCheck.model_validate_json(check.model_dump_json()) == check


def test_a_broken_hidden_file_is_the_tasks_fault():
    with pytest.raises(TaskFault):
        run("a\n1\n", hidden="", equals="expected.csv")
    with pytest.raises(TaskFault, match="not unique"):
        run("a\n1\n1\n", hidden="a\n1\n1\n", equals="expected.csv", key="a")


NAMES = st.text(alphabet="abcdefg XYZ-äé", min_size=1, max_size=8).filter(
    lambda name: name.strip(" -") != ""
)
ROWS = st.lists(st.tuples(NAMES, st.integers(-99_999, 99_999), st.dates()), min_size=1, max_size=25)


def as_csv(rows) -> str:
    lines = ["name,amount,day"]
    lines += [f'"{name}",{amount / 100:.2f},{day.isoformat()}' for name, amount, day in rows]
    return "\n".join(lines)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_shuffled_and_reformatted_rows_are_equal(rows, chance):
    other = list(rows)
    chance.shuffle(other)
    lines = ["Day\tAMOUNT\tname"]
    for name, amount, day in other:
        number = chance.choice(
            [f"{amount / 100:.2f}", f"{amount / 100:,.3f}", f"${amount / 100:,.2f}"]
        ).replace("$-", "-$")
        written = chance.choice([day.isoformat(), f"{day:%d %B} {day.year:04}"])
        lines.append(f"{written}\t{number}\t{name.upper()} ")
    assert holds("\n".join(lines), hidden=as_csv(rows), equals="expected.csv")


@settings(max_examples=60, deadline=None)
@given(ROWS, st.data())
def test_any_changed_amount_is_noticed(rows, data):
    at = data.draw(st.integers(0, len(rows) - 1))
    name, amount, day = rows[at]
    changed = [*rows[:at], (name, amount + data.draw(st.integers(1, 50)), day), *rows[at + 1 :]]
    findings = run(as_csv(changed), hidden=as_csv(rows), equals="expected.csv", decimals=2)
    assert not all(finding.ok for finding in findings)
    assert share(findings) >= (len(rows) - 1) / len(rows) - 1e-9


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["t.csv", "t.tsv", "t.json", "t.jsonl", "t.xlsx"]))
def test_no_bytes_make_it_raise(content, path):
    run(content, path=path, rows=[{"a": 1}], key="a", sorted_by=["a"], lacks_rows=[{"a": 2}])
