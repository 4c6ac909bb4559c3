"""Text files as they are: any encoding, byte order mark and line ends survive an edit."""

import re
from dataclasses import dataclass

from clawgym_bench.tools.misuse import ToolMisuse

UTF16_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
LONE = re.compile("[\ud800-\udfff]")
ODD = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0e-\x1f]")
UTF8_MARK = b"\xef\xbb\xbf"

SIGNATURES = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip container (zip, xlsx, docx, pptx, ...)",
    b"SQLite format 3": "an SQLite database",
    b"\x1f\x8b": "gzip data",
    b"\x7fELF": "a program",
}


@dataclass(frozen=True)
class TextFile:
    """`text` has no byte order mark; bytes that are not UTF-8 are lone surrogates in it."""

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"

    def encode(self, text: str) -> bytes:
        """The bytes of the file with other text; what was not changed comes back as it was."""
        return self.mark + text.encode(self.encoding, self._errors)

    @property
    def _errors(self) -> str:
        return "surrogateescape" if self.encoding == "utf-8" else "surrogatepass"

    @property
    def shown(self) -> tuple[str, int]:
        """Text fit for a model, and how many undecodable bytes were replaced in it."""
        return LONE.subn("\ufffd", self.text)

    @property
    def line_end(self) -> str:
        """The line end that most lines have."""
        return "\r\n" if self.text.count("\r\n") * 2 > self.text.count("\n") else "\n"


def parse_text(data: bytes, path: str) -> TextFile:
    """Raises `ToolMisuse` for a binary file, with what it seems to be."""
    if (encoding := UTF16_MARKS.get(data[:2])) and len(data) % 2 == 0:
        return TextFile(data[2:].decode(encoding, "surrogatepass"), data[:2], encoding)
    mark = UTF8_MARK if data.startswith(UTF8_MARK) else b""
    body = data[len(mark) :]
    kind = next((name for start, name in SIGNATURES.items() if body.startswith(start)), "")
    if b"\x00" in body or (kind and not _mostly_text(body)):
        what = f", {kind}" if kind else ""
        raise ToolMisuse(
            f"{path} is a binary file{what} ({len(data):,} bytes); this tool works on text only. "
            "Use exec with a program that understands it (python3, unzip -l, sqlite3, pdftotext)."
        )
    return TextFile(body.decode("utf-8", "surrogateescape"), mark)


def _mostly_text(body: bytes) -> bool:
    sample = body[:8_192].decode("utf-8", "surrogateescape")
    return len(ODD.findall(sample)) * 20 < len(sample)
