"""What the page of a trial shows of a workspace."""

import io

import openpyxl

from clawgym_bench.board.workspace_diff import FILES, LINES, ROWS, workspace_diff


def changes(given: dict[str, bytes], now: dict[str, bytes], *removed: str) -> dict[str, dict]:  # type: ignore[type-arg]
    return {change.path: change.plain() for change in workspace_diff(given, now, removed).changes}


def test_added_changed_and_removed_files_are_told_apart() -> None:
    found = changes({"a.txt": b"one\ntwo\n", "c.txt": b"x"}, {"a.txt": b"one\n2\n", "b.txt": b"new\n"}, "c.txt")  # noqa: E501  # fmt: skip
    assert {path: change["change"] for path, change in found.items()} == {
        "a.txt": "changed", "b.txt": "added", "c.txt": "removed",
    }  # fmt: skip
    assert found["a.txt"]["lines"] == [[" ", "one"], ["-", "two"], ["+", "2"]]
    assert found["b.txt"]["lines"] == [["+", "new"]]


def test_tables_are_compared_by_rows() -> None:
    old, new = b"who,total\nAster,1\nBirch,2\n", b"who,total\nAster,1\nBirch,3\n"
    rows = changes({"t.csv": old}, {"t.csv": new})["t.csv"]["rows"]
    assert ["-", "Birch", "2"] in rows
    assert ["+", "Birch", "3"] in rows


def test_workbooks_are_shown_as_tables() -> None:
    book = openpyxl.Workbook()
    book.active.append(["who", "total"])  # type: ignore[union-attr]
    book.active.append(["Aster", 7])  # type: ignore[union-attr]
    buffer = io.BytesIO()
    book.save(buffer)
    rows = changes({}, {"t.xlsx": buffer.getvalue()})["t.xlsx"]["rows"]
    assert rows == [["+", "who", "total"], ["+", "Aster", "7"]]


def test_a_table_in_name_only_is_shown_as_text() -> None:
    found = changes({}, {"t.xlsx": b"not a workbook"})["t.xlsx"]
    assert "rows" not in found
    assert found["lines"] == [["+", "not a workbook"]]


def test_sizes_are_bounded() -> None:
    many = {f"f{number}": b"x" for number in range(FILES + 5)}
    assert workspace_diff({}, many, []).left_out == 5
    text = changes({}, {"a.txt": b"line\n" * (LINES + 50)})["a.txt"]
    assert len(text["lines"]) == LINES
    assert "first" in text["note"]
    table = changes({}, {"a.csv": b"h\n" + b"1\n" * (ROWS + 50)})["a.csv"]
    assert len(table["rows"]) == ROWS
    assert "too large" in changes({}, {"big.txt": b"x" * 2**20})["big.txt"]["note"]


def test_binary_files_are_named_not_shown() -> None:
    assert "binary" in changes({}, {"a.bin": b"\0\1\2"})["a.bin"]["lines"][0][1]


def test_without_the_task_files_are_shown_as_they_are() -> None:
    (change,) = workspace_diff(None, {"a.txt": b"now"}, []).changes
    assert change.lines == [("+", "now")]
    assert "not at hand" in change.note
