"""Databases as grids of cells, and back: every table is read and the whole file written anew."""

import sqlite3
from random import Random

from clawgym_bench.audit.mutations import Mutations, Rules
from clawgym_bench.audit.mutations_table import Grid, Sheet, table_mutants
from clawgym_bench.checks.sqlite import open_database, query

MOST_TABLES = 20


def database(content: bytes, rules: Rules, random: Random) -> Mutations:
    """Raises `Refused` for what is not a readable database."""
    connection = open_database(content)
    grids: dict[str, Grid] = {}
    try:
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (name,) in query(connection, listed)[1][:MOST_TABLES]:
            columns, rows = query(connection, f"SELECT * FROM {_quoted(str(name))}")
            grids[str(name)] = [list(columns), *(list(row) for row in rows)]
    finally:
        connection.close()
    mutants = []
    for name, grid in grids.items():

        def write(rows: Grid, name: str = name) -> bytes:
            return _written({**grids, name: rows})

        mutants += table_mutants(Sheet(grid, write, 0, name), rules, random)
    return Mutations(mutants, lambda: _written(grids))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _written(grids: dict[str, Grid]) -> bytes:
    base = sqlite3.connect(":memory:")
    try:
        for name, grid in grids.items():
            columns = ", ".join(_quoted(str(cell)) for cell in grid[0])
            base.execute(f"CREATE TABLE {_quoted(name)} ({columns})")
            marks = ", ".join("?" for _ in grid[0])
            base.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", grid[1:])
        base.commit()
        return base.serialize()
    finally:
        base.close()
