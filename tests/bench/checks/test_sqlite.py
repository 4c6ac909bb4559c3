import sqlite3
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks import sqlite
from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.sqlite import SqliteCheck
from clawgym_bench.sandbox.snapshot import Snapshot


def database(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    content = connection.serialize()
    connection.close()
    return content


SALES = database(
    "CREATE TABLE sales (vendor TEXT, amount REAL, day TEXT)",
    "INSERT INTO sales VALUES ('Acme', 10.5, '2026-03-01'), ('Beta', 7, '2026-03-02'), "
    "('Acme', 2.125, '2026-03-03')",
    "CREATE VIEW totals AS SELECT vendor, sum(amount) AS total FROM sales GROUP BY vendor",
)
TOTALS = "SELECT vendor, total FROM totals ORDER BY vendor"


def run(content: bytes, files: dict[str, bytes] | None = None, **fields) -> list[Finding]:
    evidence = Evidence(Snapshot({"d.db": content, **(files or {})}))
    return SqliteCheck.model_validate({"path": "d.db", **fields}).run(evidence)


def failures(content: bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


def asked(sql: str, rows: list, **fields) -> list[dict]:
    return [{"sql": sql, "rows": rows, **fields}]


def test_queries_give_the_rows_wanted():
    rows = [["Beta", "7.00"], ["acme", 12.625]]
    assert failures(SALES, tables=["Sales", "totals"], queries=asked(TOTALS, rows)) == []
    assert failures(SALES, queries=asked(TOTALS, rows, ordered=True))
    assert failures(SALES, queries=asked(TOTALS, rows[::-1], ordered=True)) == []
    rounded = [["Acme", 12.6], ["Beta", 7]]
    assert failures(SALES, queries=asked(TOTALS, rounded, decimals=1)) == []
    assert failures(SALES, queries=asked(TOTALS, rounded, decimals=[None, 1])) == []
    assert failures(SALES, queries=asked("SELECT * FROM sales WHERE amount > 99", [])) == []


def test_what_is_wrong_is_said():
    assert failures(SALES, queries=asked(TOTALS, [["Acme", 12], ["Beta", 7]])) == [
        "d.db: query 1: no row Acme / 12; nearest: 1 12 wanted, found 12.625"
    ]
    assert len(failures(SALES, queries=asked(TOTALS, [["Acme", 12.625]]))) == 1
    assert failures(SALES, queries=asked("SELECT vendor FROM totals", [["Acme", 1]])) == [
        "d.db: query 1: 2 columns wanted, found 1"
    ]
    assert failures(SALES, tables=["orders"]) == ["d.db has no table orders"]
    assert failures(SALES, queries=asked("SELECT a FROM orders", [["x"]])) == [
        "d.db: query 1: the query fails: no such table: orders"
    ]
    assert failures(SALES, queries=asked("SELECT * FROM sales", []))


def test_a_database_in_write_ahead_mode_is_read(tmp_path):
    path = tmp_path / "d.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (5)")
    connection.commit()
    early = path.read_bytes()
    log = (tmp_path / "d.db-wal").read_bytes()
    connection.close()
    query = asked("SELECT a FROM t", [[5]])
    assert failures(path.read_bytes(), queries=query) == []
    assert "never written back" in failures(early, files={"d.db-wal": log}, queries=query)[0]


def _schema(sql: str) -> bytes:
    """A database whose view `v` was rewritten behind SQLite's back."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute(
        "INSERT INTO sqlite_master VALUES ('view', 'v', 'v', 0, ?)", (f"CREATE VIEW v AS {sql}",)
    )
    connection.commit()
    return connection.serialize()


ENDLESS = "WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT"
HOSTILE = {
    "empty": b"",
    "text": b"vendor,total\n",
    "header only": b"SQLite format 3\0" + b"\0" * 84,
    "cut": SALES[:5_000],
    "noise": SALES[:100] + bytes(range(256)) * 40,
    "not a database": b"SQLite format 3\0" + b"x" * 8_000,
    "endless view": _schema(f"{ENDLESS} count(*) AS a FROM n"),
    "endless rows": _schema(f"{ENDLESS} a FROM n"),
    "huge value": _schema("SELECT zeroblob(900000000) AS a"),
    "huge text": _schema("SELECT printf('%.900000000c', 'x') AS a"),
    "many values": _schema(f"{ENDLESS} printf('%.900000c', 'x') AS a FROM n"),
    "huge generated column": database(
        "CREATE TABLE v (b, a AS (printf('%.900000c', b)))", "INSERT INTO v VALUES (1)"
    ),
    "slow generated column": database(
        "CREATE TABLE n (b, a AS (length(printf('%.900000c', b))))",
        "INSERT INTO n SELECT value FROM json_each('[" + "1," * 50 + "1]')",
        "CREATE VIEW v AS SELECT sum(x.a + y.a) AS a FROM n x, n y",
    ),
    "huge pattern": _schema(f"SELECT '{'a' * 9_000}' LIKE '{'%a' * 4_000}b' AS a"),
    "slow pattern": _schema(f"{ENDLESS} '{'a' * 9_000}' LIKE '{'%a' * 90}b' AS a FROM n"),
    "extension": _schema("SELECT load_extension('/tmp/x') AS a"),
    "file": _schema("SELECT writefile('/tmp/x', 'x') AS a"),
    "pragma": _schema("SELECT * FROM pragma_database_list"),
    "random": _schema("SELECT random() AS a"),
    "circular view": _schema("SELECT a FROM v"),
    "broken schema": _schema("SELECT ((((("),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_databases_fail_with_a_reason_in_time(name, monkeypatch):
    monkeypatch.setattr(sqlite, "SECONDS", 1.0)
    started = time.monotonic()
    findings = run(HOSTILE[name], queries=asked("SELECT a FROM v", [["secret"]]))
    assert time.monotonic() - started < 30
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "nothing is asserted"),
        ({"queries": asked("DELETE FROM t", [])}, "not a SELECT"),
        ({"queries": asked("SELECT 1; DROP TABLE t", [[1]])}, "not one statement"),
        ({"queries": asked("SELECT FROM WHERE", [[1]])}, "syntax error"),
        ({"queries": asked("WITH x AS (SELECT 1) DELETE FROM t", [[1]])}, "writes"),
        ({"queries": asked("SELECT load_extension('x')", [[1]])}, "not authorized"),
        ({"queries": asked("SELECT a, b FROM t", [[1], [1, 2]])}, "different numbers"),
        ({"queries": asked("SELECT a FROM t", [[1]], decimals=[1, 2])}, "one entry per cell"),
        ({"queries": asked("SELECT a FROM t", [[]])}, "at least 1 item"),
    ],
)
def test_senseless_checks_are_refused(fields, says):
    with pytest.raises(ValidationError, match=says):
        SqliteCheck.model_validate({"path": "d.db", **fields})


def test_tables_alone_do_not_affirm():
    assert not SqliteCheck(path="d.db", tables=["a"]).affirms()
    nothing = SqliteCheck.model_validate({"path": "d.db", "queries": asked("SELECT 1", [])})
    assert not nothing.affirms()
    assert SqliteCheck.model_validate(
        {"path": "d.db", "queries": asked(TOTALS, [["a", 1]])}
    ).affirms()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_makes_it_raise(data):
    content = bytearray(SALES)
    for _ in range(data.draw(st.integers(1, 30))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    run(bytes(content), tables=["sales"], queries=asked(TOTALS, [["Acme", 12.625], ["Beta", 7]]))


def test_damaged_text_is_a_refusal():
    content = bytearray(SALES)
    content[4030] = 128  # the error message would hold this byte
    run(bytes(content), tables=["sales"], queries=asked(TOTALS, [["Acme", 12.625]]))
