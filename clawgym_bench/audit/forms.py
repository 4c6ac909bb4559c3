"""The same answer in other correct forms: what an output may look like without being wrong.

`forms_of(kind, content, terms)` gives every form of one file that applies, by name. Each module
beside this one knows one family of formats:

    forms_terms      what the request leaves open, so that a form is right
    forms_values     one number, day or path in another form
    forms_prose      Markdown, plain text, final messages
    forms_table      csv, tsv
    forms_data       json, jsonl, yaml
    forms_markup     html, xml
    forms_entries    ics, vcf
    forms_office     xlsx, docx, zip

Programs have no forms: how they are written is their author's business, and they are run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from clawgym_bench.audit.forms_data import DATA, LAYOUTS, read_data, same, write_data
from clawgym_bench.audit.forms_entries import ENTRIES
from clawgym_bench.audit.forms_markup import HTML, XML
from clawgym_bench.audit.forms_office import DOCX, XLSX, ZIP
from clawgym_bench.audit.forms_prose import PROSE, is_prose
from clawgym_bench.audit.forms_table import TABLE, read_grid, write_grid
from clawgym_bench.audit.forms_terms import Terms

BYTES = 2**20
PROSE_BYTES = 2**18
"""A larger output is left as it is."""
KINDS: Mapping[str, str] = {
    "csv": "csv", "tsv": "tsv", "tab": "tsv", "json": "json", "jsonl": "jsonl", "ndjson": "jsonl",
    "yaml": "yaml", "yml": "yaml", "md": "markdown", "markdown": "markdown", "txt": "text",
    "text": "text", "html": "html", "htm": "html", "xml": "xml", "ics": "ics", "vcf": "vcf",
    "eml": "eml", "xlsx": "xlsx", "docx": "docx", "zip": "zip", "toml": "toml", "ini": "toml",
}  # fmt: skip
BINARY = frozenset({"xlsx", "docx", "zip"})
_LAYOUTS = ("all cells quoted", *(name for name, _ in LAYOUTS))
MARKED = frozenset({"csv", "tsv", "markdown", "text", "html"})
"""Where a byte order mark is a form. JSON must not have one (RFC 8259), the others need none."""


def kind_of(path: str, format: str = "") -> str | None:
    """The family of a file by its suffix, else by the format that the contract gives."""
    suffix = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""
    return KINDS.get(suffix) or (KINDS.get(format.lower()) if not suffix else None)


def forms_of(kind: str, content: bytes, terms: Terms) -> dict[str, bytes]:
    """Every form that applies, by name; each says what `content` says. Never raises."""
    most = PROSE_BYTES if kind in ("markdown", "text", "html") else BYTES
    if not content.strip() or len(content) > most:
        return {}
    return {name: body for name, body in _forms(kind, content, terms) if body != content}


def message_forms(message: str, terms: Terms) -> dict[str, str]:
    """Forms of a final message."""
    if not message.strip() or len(message) > PROSE_BYTES:
        return {}
    edits = ((name, edit(message, terms)) for name, edit in PROSE)
    return {name: text for name, text in edits if text is not None and text != message}


def composite(kind: str, content: bytes, terms: Terms) -> bytes:
    """Many forms on top of each other: what a program would have to cope with at once.

    First values, then the layout, then bytes, so that no form undoes another. Prose is read by
    people, office files come from programs: they stay.
    """
    if kind in BINARY or kind in ("markdown", "text", "html"):
        return content
    names = list(forms_of(kind, content, terms))
    last = [*_LAYOUTS, *dict(_as_bytes(kind, content))]
    names.sort(key=lambda name: last.index(name) + 1 if name in last else 0)
    for name in names:
        if name not in ("layout indented, ASCII", "no newline at the end"):
            content = forms_of(kind, content, terms).get(name, content)
    return content


def _forms(kind: str, content: bytes, terms: Terms) -> Iterator[tuple[str, bytes]]:
    if kind in BINARY:
        for name, edit in {"xlsx": XLSX, "docx": DOCX, "zip": ZIP}[kind]:
            if (body := edit(content, terms)) is not None:
                yield name, body
        return
    yield from _as_bytes(kind, content)
    if terms.exact or (terms.verbatim and kind in ("markdown", "text")):
        return
    if kind in ("csv", "tsv"):
        yield from _table(content, "," if kind == "csv" else "\t", terms)
    elif kind in ("json", "jsonl", "yaml"):
        yield from _data(kind, content, terms)
    else:
        yield from _text(kind, content, terms)


def _as_bytes(kind: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Line ends, the last newline, a byte order mark."""
    unix = content.replace(b"\r\n", b"\n")
    yield "other line ends", unix if b"\r\n" in content else unix.replace(b"\n", b"\r\n")
    if kind not in ("ics", "vcf", "eml"):
        yield "no newline at the end", content.rstrip(b"\r\n")
        end = b"\r\n" if b"\r\n" in content else b"\n"
        yield "blank line at the end", content.rstrip(b"\r\n") + 2 * end
    if kind in MARKED and not content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        yield "byte order mark", b"\xef\xbb\xbf" + content


def _table(content: bytes, delimiter: str, terms: Terms) -> Iterator[tuple[str, bytes]]:
    grid = read_grid(content, delimiter)
    if grid is None:
        return
    yield "all cells quoted", write_grid(grid, delimiter, quoted=True)
    for name, edit in TABLE:
        changed = edit(grid, terms)
        if changed is not None:
            yield name, write_grid(changed, delimiter)


def _data(kind: str, content: bytes, terms: Terms) -> Iterator[tuple[str, bytes]]:
    readable, value = read_data(content, kind)
    if not readable:
        return
    for name, layout in LAYOUTS:
        yield name, write_data(value, kind, **layout)
    for name, edit in DATA:
        changed = edit(value, terms)
        if not same(changed, value):
            yield name, write_data(changed, kind)


_EDITS: Mapping[str, Sequence[tuple[str, Callable[[str, Terms], str | None]]]] = {
    "markdown": PROSE,
    "text": PROSE,
    "html": HTML,
    "xml": XML,
    "ics": ENTRIES,
    "vcf": ENTRIES,
}


def _text(kind: str, content: bytes, terms: Terms) -> Iterator[tuple[str, bytes]]:
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return
    if kind in ("markdown", "text") and not is_prose(text, markdown=kind == "markdown"):
        return
    for name, edit in _EDITS.get(kind, ()):
        changed = edit(text, terms)
        if changed is not None and changed != text:
            yield name, changed.encode()
