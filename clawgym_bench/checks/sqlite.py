"""SQLite databases: what queries on them give.

The file is opened as an in-memory copy. Its schema is not trusted, only reads of tables and plain
functions are authorized, and every query has a bound on steps, time, rows and the size of a value.
"""

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, StrictModel, file_content
from clawgym_bench.checks.limits import NESTING, SQLITE_STEPS, Refused
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.table import Scalar, Table, TableAssertions
from clawgym_bench.sandbox.snapshot import Snapshot

DATABASE_BYTES = 32 * 2**20
VALUE_BYTES = 2**20
SQL_BYTES = 2**16
RESULT_ROWS = 20_000
RESULT_BYTES = 16 * 2**20
SECONDS = 5.0
STEP = 1_000

_HEADER = b"SQLite format 3\x00"
_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
# None that takes long in one step or makes a large value of a small one, as printf does: a view
# or a generated column of the file may call them too.
_FUNCTIONS = frozenset(
    """
abs avg ceil ceiling coalesce concat concat_ws count cume_dist date datetime dense_rank exp
first_value floor group_concat ifnull iif instr json_array_length json_extract json_type
json_valid julianday lag last_value lead length like ln log log10 lower ltrim max min mod
nth_value ntile nullif percent_rank pow power rank replace round row_number rtrim sign sqrt
strftime string_agg substr substring sum time total trim trunc typeof unicode unixepoch upper ->
->>
""".split()  # noqa: SIM905
)
_WRITES = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|delete\s+from|update\s+\S+\s+set)\b", re.I
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/", re.S)


def _one_select(sql: str) -> str:
    """Refuses what is not exactly one statement that only reads."""
    if not re.match(r"\s*(?:SELECT|WITH|VALUES)\b", sql, re.I):
        raise ValueError(f"{sql[:60]!r} is not a SELECT")
    if _WRITES.search(_QUOTED.sub(" ", sql)):
        raise ValueError(f"{sql[:60]!r} writes")
    with closing(_connection()) as connection:
        try:
            connection.execute(f"EXPLAIN {sql}")
        except sqlite3.ProgrammingError as error:
            raise ValueError(f"{sql[:60]!r} is not one statement: {error}") from None
        except sqlite3.Error as error:
            if not re.match(r"no such (table|column)|ambiguous column", str(error)):
                raise ValueError(f"{sql[:60]!r}: {error}") from None
    return sql


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action in _READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _connection(content: bytes | None = None) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    for limit, value in (
        (sqlite3.SQLITE_LIMIT_LENGTH, max(VALUE_BYTES, len(content or b""))),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES),
        (sqlite3.SQLITE_LIMIT_COLUMN, 500),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, NESTING),
        (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
    ):
        connection.setlimit(limit, value)
    if content is not None:
        connection.deserialize(content)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES)
    for pragma in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0",
                   "temp_store=MEMORY"):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}")
    connection.set_authorizer(_authorize)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def open_database(content: bytes) -> sqlite3.Connection:
    """A read-only copy in memory; raises `Refused`."""
    if len(content) > DATABASE_BYTES:
        raise Refused(f"it has more than {DATABASE_BYTES:,} bytes")
    if not content.startswith(_HEADER) or len(content) < 512:
        raise Refused("it is not an SQLite database")
    if content[18:20] == b"\x02\x02":  # a write-ahead log cannot be deserialized, its pages can
        content = content[:18] + b"\x01\x01" + content[20:]
    connection = None
    try:
        connection = _connection(content)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as error:
        if connection is not None:
            connection.close()
        raise Refused(f"it is not a readable SQLite database ({str(error)[:80]})") from None
    return connection


def query(connection: sqlite3.Connection, sql: str) -> tuple[list[str], list[list[object]]]:
    """Column names and rows; raises `Refused` when the query fails or runs over a bound."""
    steps = 0
    end = time.monotonic() + SECONDS

    def progress() -> int:
        nonlocal steps
        steps = SQLITE_STEPS + 1 if time.monotonic() > end else steps + STEP
        return steps > SQLITE_STEPS

    connection.set_progress_handler(progress, STEP)
    rows: list[list[object]] = []
    size = 0
    try:
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        for row in cursor:
            rows.append([_value(value) for value in row])
            size += sum(len(value) for value in row if isinstance(value, str | bytes))
            if len(rows) > RESULT_ROWS or size > RESULT_BYTES:
                raise Refused("the query gives too much")
    except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as error:
        if steps > SQLITE_STEPS:
            raise Refused("the query takes too long") from None
        raise Refused(f"the query fails: {str(error)[:100]}") from None
    finally:
        connection.set_progress_handler(None, 0)
    return names, rows


def _value(value: Any) -> object:
    return value.hex() if isinstance(value, bytes) else value


class Query(StrictModel):
    """One SELECT and the rows it must give, in this order with `ordered`.

    `decimals` is one number for all cells or one per place (null for as it is).
    """

    sql: Annotated[str, AfterValidator(_one_select)]
    rows: list[Annotated[list[Scalar], Field(min_length=1)]]
    ordered: bool = False
    decimals: Annotated[int, Field(ge=0, le=12)] | list[int | None] | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        widths = {len(row) for row in self.rows}
        if len(widths) > 1:
            raise ValueError("rows have different numbers of cells")
        if isinstance(self.decimals, list) and widths and {len(self.decimals)} != widths:
            raise ValueError("decimals needs one entry per cell of a row")
        return self

    def findings(self, names: list[str], rows: list[list[object]], where: str) -> list[Finding]:
        if not self.rows:
            said = "nothing" if not rows else f"{len(rows)} rows"
            return [finding(not rows, f"{where}: {said} found, nothing wanted", required=not rows)]
        width = len(self.rows[0])
        if len(names) != width:
            reason = f"{where}: {width} columns wanted, found {len(names)}"
            return [finding(False, reason, required=True)]
        columns = [str(number) for number in range(width)]
        decimals: Any = self.decimals
        if isinstance(decimals, list):
            decimals = {str(n): places for n, places in enumerate(decimals) if places is not None}
        wanted = TableAssertions(
            rows=[dict(zip(columns, row, strict=True)) for row in self.rows],
            ordered=self.ordered,
            decimals=decimals,
        )
        return wanted.findings(Table(columns, rows), where, Evidence(Snapshot({})))[1:]


class SqliteCheck(CheckBody):
    """What `queries` on a database give; `tables` (and views) must exist."""

    kind: ClassVar[str] = "sqlite"

    path: str
    queries: list[Query] = Field(default_factory=list)
    tables: list[str] = Field(default_factory=list)

    @field_validator("tables")
    @classmethod
    def _names(cls, names: list[str]) -> list[str]:
        if not all(name.strip() for name in names):
            raise ValueError("a table name is blank")
        return names

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if not (self.queries or self.tables):
            raise ValueError("nothing is asserted: give queries or tables")
        return self

    def affirms(self) -> bool:
        return any(query.rows for query in self.queries)

    def literals(self) -> Sequence[str]:
        return list(self.tables)

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        log = f"{self.path}-wal"
        pending = bool(evidence.snapshot.files.get(log))
        note = f" ({log} holds changes that were never written back)" if pending else ""
        try:
            connection = open_database(content)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}{note}", required=True)]
        with closing(connection):
            findings = [finding(True, f"{self.path} is a readable database", required=True)]
            try:
                _, names = query(
                    connection, "SELECT name FROM sqlite_master WHERE type IN ('table','view')"
                )
            except Refused as refused:
                return [finding(False, f"{self.path}: {refused}", required=True)]
            known = {str(name).lower() for (name,) in names}
            for table in self.tables:
                ok = table.lower() in known
                reason = (
                    f"{self.path} has {'the' if ok else 'no'} table {table}{'' if ok else note}"
                )
                findings.append(finding(ok, reason, required=True))
            for number, one in enumerate(self.queries, start=1):
                where = f"{self.path}: query {number}"
                try:
                    columns, rows = query(connection, one.sql)
                except Refused as refused:
                    findings.append(finding(False, f"{where}: {refused}{note}", required=True))
                    continue
                findings += one.findings(columns, rows, where)
        return findings
