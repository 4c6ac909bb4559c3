"""Files that are valid in form and hold no work: what the `stub` agent delivers."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable

import docx
import openpyxl
import yaml

from clawgym_bench.task import Output

Maker = Callable[[Output], bytes]

PLACEHOLDER = "n/a"


def stub_content(output: Output) -> bytes:
    """The bytes of a placeholder for one line of the output contract."""
    maker = _MAKERS.get(output.format)
    return maker(output) if maker else _text(output)


def _columns(output: Output) -> list[str]:
    return output.columns or ["column"]


def _table(separator: str) -> Maker:
    def make(output: Output) -> bytes:
        columns = _columns(output)
        rows = [columns, [PLACEHOLDER] * len(columns)]
        return "".join(separator.join(row) + "\n" for row in rows).encode()

    return make


def _fields(output: Output) -> dict[str, None]:
    return dict.fromkeys(output.keys or output.columns or ["value"])


def _json(output: Output) -> bytes:
    return json.dumps(_fields(output), indent=2).encode()


def _jsonl(output: Output) -> bytes:
    return json.dumps(_fields(output)).encode() + b"\n"


def _yaml(output: Output) -> bytes:
    return yaml.safe_dump(_fields(output)).encode()


def _toml(output: Output) -> bytes:
    return "".join(f'"{key}" = ""\n' for key in _fields(output)).encode()


def _text(output: Output) -> bytes:
    lines = ["# Report", ""]
    for heading in output.headings or ["Summary"]:
        lines += [f"## {heading}", "", "This section covers what was asked.", "", "- Done.", ""]
    return "\n".join(lines).encode()


def _html(output: Output) -> bytes:
    body = "".join(f"<h2>{heading}</h2><p>Done.</p>" for heading in output.headings or ["Summary"])
    head = "<head><title>Report</title></head>"
    return f"<!doctype html><html>{head}<body>{body}</body></html>".encode()


def _xml(output: Output) -> bytes:
    return b'<?xml version="1.0"?><root><item/></root>'


def _ics(output: Output) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//stub//EN", "BEGIN:VEVENT", "UID:stub-1"]
    lines += ["DTSTAMP:20260101T000000Z", "DTSTART:20260101T090000Z", "SUMMARY:Event"]
    lines += ["END:VEVENT", "END:VCALENDAR", ""]
    return "\r\n".join(lines).encode()


def _vcf(output: Output) -> bytes:
    return b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Name\r\nN:Name;;;;\r\nEND:VCARD\r\n"


def _eml(output: Output) -> bytes:
    return b"From: a@example.org\r\nTo: b@example.org\r\nSubject: Message\r\n\r\nHello.\r\n"


def _xlsx(output: Output) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    if output.sheet:
        sheet.title = output.sheet[:31]
    sheet.append(_columns(output))
    sheet.append([PLACEHOLDER] * len(_columns(output)))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _docx(output: Output) -> bytes:
    document = docx.Document()
    for heading in output.headings or ["Summary"]:
        document.add_heading(heading, level=1)
        document.add_paragraph("This section covers what was asked.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _zip(output: Output) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("readme.txt", "Done.\n")
    return buffer.getvalue()


def _sqlite(output: Output) -> bytes:
    with sqlite3.connect(":memory:") as connection:
        names = ", ".join(f'"{column}"' for column in _columns(output))
        connection.execute(f"CREATE TABLE data ({names})")
        connection.commit()
        return connection.serialize()


def _python(output: Output) -> bytes:
    return b'"""Program."""\n\n\ndef main() -> None:\n    pass\n\n\nmain()\n'


def _shell(output: Output) -> bytes:
    return b"#!/usr/bin/env bash\nset -eu\ntrue\n"


_MAKERS: dict[str, Maker] = {
    "csv": _table(","),
    "tsv": _table("\t"),
    "json": _json,
    "jsonl": _jsonl,
    "yaml": _yaml,
    "toml": _toml,
    "html": _html,
    "xml": _xml,
    "ics": _ics,
    "vcf": _vcf,
    "eml": _eml,
    "xlsx": _xlsx,
    "docx": _docx,
    "zip": _zip,
    "sqlite": _sqlite,
    "python": _python,
    "shell": _shell,
}
