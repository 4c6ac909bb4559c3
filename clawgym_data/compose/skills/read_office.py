"""Sources in binary formats: workbooks, databases, archives, mailboxes."""

import io
import sqlite3
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from clawgym_data.compose.irregular import Irregularity, Texts, texts
from clawgym_data.compose.prelude import helper
from clawgym_data.compose.skill import skill
from clawgym_data.compose.skills.files import zip_bytes
from clawgym_data.compose.skills.read_tables import TableSource, native
from clawgym_data.compose.values import Table

MADE = datetime(2026, 1, 1)


def same_zip(content: bytes) -> bytes:
    """A zip file with its members in order and without times: equal for equal members."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return zip_bytes({name: archive.read(name) for name in archive.namelist()})


helper(
    "sheet_rows",
    """
    def sheet_rows(path, sheet, skip):
        page = load_workbook(path, data_only=True)[sheet]
        found = [[as_text(cell) for cell in row] for row in page.iter_rows(values_only=True)]
        return [dict(zip(found[skip], row)) for row in found[skip + 1 :]]
    """,
    ["from openpyxl import load_workbook"],
    ["as_text"],
)


@skill("read-xlsx", "read-structured", weight=0.8)
@dataclass(frozen=True)
class ReadXlsx(TableSource):
    suffix, layouts, textual = ".xlsx", ("plain", "titled", "second-sheet"), False
    needs = ("sheet_rows",)
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @staticmethod
    def sheet(table: Table) -> str:
        return table.noun.plural.capitalize()[:30]

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        from openpyxl import Workbook

        book = Workbook()
        page = book.active
        assert page is not None
        if self.layout == "second-sheet":
            page.title = "Notes"
            page.append(["Internal use only."])
            page = book.create_sheet()
        page.title = self.sheet(table)
        if self.layout == "titled":
            page.append([f"List of {table.noun.plural}"])
            page.append([])
        page.append([column.name for column in table.columns])
        for row in rows:
            cells = native(row, table)
            page.append(["yes" if c is True else "no" if c is False else c for c in cells.values()])
        book.properties.created = book.properties.modified = MADE
        buffer = io.BytesIO()
        book.save(buffer)
        return {self.path: steady(same_zip(buffer.getvalue()))}

    def read(self, table: Table) -> str:
        skip = 2 if self.layout == "titled" else 0
        return f"rows = sheet_rows({self.path!r}, {self.sheet(table)!r}, {skip})"

    def note(self, table: Table) -> tuple[str, ...]:
        if self.layout == "second-sheet":
            return (f"In {self.where} they are on the sheet “{self.sheet(table)}”.",)
        return ()


def steady(content: bytes) -> bytes:
    """openpyxl writes the time of saving into the workbook's properties: a fixed one instead."""
    import re

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    core = "docProps/core.xml"
    members[core] = re.sub(
        rb"(<dcterms:(created|modified)[^>]*>)[^<]*", rb"\g<1>2026-01-01T00:00:00Z", members[core]
    )
    return zip_bytes(members)


helper(
    "base_rows",
    """
    def base_rows(path, table):
        with sqlite3.connect(path) as base:
            base.row_factory = sqlite3.Row
            found = base.execute(f"SELECT * FROM {table}").fetchall()
        return [{name: as_text(row[name]) for name in row.keys()} for row in found]
    """,
    ["import sqlite3"],
    ["as_text"],
)


@skill("read-sqlite", "read-structured", weight=0.8)
@dataclass(frozen=True)
class ReadSqlite(TableSource):
    suffix, textual, needs = ".sqlite", False, ("base_rows",)
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @staticmethod
    def relation(table: Table) -> str:
        return "".join(c if c.isalnum() else "_" for c in table.noun.plural.lower())

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        sorts = {"count": "INTEGER", "amount": "NUMERIC"}
        columns = ", ".join(f'"{c.name}" {sorts.get(c.kind, "TEXT")}' for c in table.columns)
        base = sqlite3.connect(":memory:")
        base.execute(f"CREATE TABLE {self.relation(table)} ({columns})")
        marks = ", ".join("?" for _ in table.columns)
        base.executemany(
            f"INSERT INTO {self.relation(table)} VALUES ({marks})",
            [[row[c.name] or None for c in table.columns] for row in rows],
        )
        base.commit()
        content = base.serialize()
        base.close()
        return {self.path: content}

    def read(self, table: Table) -> str:
        return f"rows = base_rows({self.path!r}, {self.relation(table)!r})"

    def note(self, table: Table) -> tuple[str, ...]:
        return (f"The table in {self.where} is called `{self.relation(table)}`.",)


@skill("read-zip", "find-files", weight=0.5)
@dataclass(frozen=True)
class ReadZip(TableSource):
    suffix, needs = ".zip", ("zipfile", "csv", "io")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        names = [column.name for column in table.columns]
        half = (len(rows) + 1) // 2
        members = {}
        for number, part in enumerate((rows[:half], rows[half:]), 1):
            lines = [";".join(names), *(";".join(row[name] for name in names) for row in part)]
            members[f"part-{number}.csv"] = ("\n".join(lines) + "\n").encode()
        return {self.path: zip_bytes(members)}

    @classmethod
    def suits(cls, table: Table) -> bool:
        return not any(
            ";" in value or '"' in value or "\n" in value
            for row in texts(table)
            for value in row.values()
        )

    def read(self, table: Table) -> str:
        return "\n".join(
            (
                "rows = []",
                f"with zipfile.ZipFile({self.path!r}) as archive:",
                "    for name in sorted(archive.namelist()):",
                "        text = archive.read(name).decode()",
                "        rows += list(csv.DictReader(io.StringIO(text), delimiter=';'))",
            )
        )

    def note(self, table: Table) -> tuple[str, ...]:
        return (f"{self.where} holds the list in two parts, with semicolons.",)


helper("io", "", ["import io"])


@skill("read-mails", "read-messages", weight=1.2)
@dataclass(frozen=True)
class ReadMails(TableSource):
    """One mail per record, the cells as lines of its text."""

    suffix, needs = "", ("path", "read_mail")
    path: str
    layout: str
    odd: tuple[Irregularity, ...]

    @classmethod
    def suits(cls, table: Table) -> bool:
        cells = [value for row in texts(table) for value in row.values()]
        return len(table) <= 30 and not any("\n" in v or len(v) > 70 for v in cells)

    @property
    def where(self) -> str:
        return f"`{self.path}/`"

    def write(self, table: Table, rows: Texts) -> Mapping[str, bytes]:
        files = {}
        for number, row in enumerate(rows, 1):
            message = EmailMessage()
            message["From"] = "desk@house.example"
            message["To"] = "office@house.example"
            message["Subject"] = f"{table.noun.singular.capitalize()} {number}"
            lines = [f"{name}: {value}" for name, value in row.items()]
            message.set_content("Hello,\n\n" + "\n".join(lines) + "\n\nRegards, the desk\n")
            files[f"{self.path}/{number:03d}.eml"] = message.as_bytes()
        return files

    def read(self, table: Table) -> str:
        return "\n".join(
            (
                "rows = []",
                f"for file in sorted(Path({self.path!r}).glob('*.eml')):",
                "    text = message_from_bytes(file.read_bytes(), policy=default).get_content()",
                "    pairs = (line.partition(':') for line in text.splitlines() if ':' in line)",
                "    rows.append({name: value.strip() for name, _, value in pairs})",
            )
        )

    def note(self, table: Table) -> tuple[str, ...]:
        return (f"Each mail in {self.where} is about one {table.noun.singular}.",)
