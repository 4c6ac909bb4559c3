import time
import zlib

import pytest
from pydantic import ValidationError

from clawgym_bench.checks import pdf as pdf_check
from clawgym_bench.checks.base import Evidence, Finding
from clawgym_bench.checks.pdf import PdfCheck, pdf_text
from clawgym_bench.sandbox.snapshot import Snapshot


def pdf(*pages: bytes, extra: bytes = b"", packed: bool = False) -> bytes:
    """A small PDF; each page is a content stream."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, content in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> %s >> "
            b"/MediaBox [0 0 600 800] /Contents %d 0 R >>" % (extra, 5 + 2 * number)
        )
        body = zlib.compress(content) if packed else content
        kind = b"/Filter /FlateDecode " if packed else b""
        objects.append(b"<< %s/Length %d >>\nstream\n%s\nendstream" % (kind, len(body), body))
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        % (
            len(objects) + 1,
            table,
            len(objects) + 1,
        )
        + b"startxref\n%d\n%%%%EOF\n" % len(out)
    )


def text(*lines: str) -> bytes:
    shown = b" T* ".join(b"(%s) Tj" % line.encode() for line in lines)
    return b"BT /F1 12 Tf 14 TL 50 700 Td %s ET" % shown


REPORT = pdf(text("Invoice 17", "Total due: $1,234.50"), text("Thank you"))


def run(content: bytes, **fields) -> list[Finding]:
    check = PdfCheck.model_validate({"path": "r.pdf", **fields})
    return check.run(Evidence(Snapshot({"r.pdf": content})))


def failures(content: bytes, **fields) -> list[str]:
    return [finding.reason for finding in run(content, **fields) if not finding.ok]


def test_text_and_pages():
    assert "Thank you" in pdf_text(REPORT)
    facts = [{"label": "total due", "value": 1234.5}]
    assert failures(REPORT, pages=2, contains=["invoice 17"], facts=facts, lacks=["draft"]) == []
    assert failures(REPORT, pages={"max": 1}) == ["r.pdf has 2 pages, at most 1 wanted"]
    assert failures(REPORT, facts=[{"label": "total due", "value": 1234}])


def test_a_scan_without_text_is_said():
    assert failures(pdf(b""), contains=["a"]) == ["r.pdf holds no text (only pictures?)"]


LOOP = b"/XObject << /X 5 0 R >>"
HOSTILE = {
    "empty": b"",
    "text": b"Total due: $1,234.50",
    "head only": b"%PDF-1.7\n",
    "cut": REPORT[:300],
    "noise": b"%PDF-1.7\n" + bytes(range(256)) * 2_000,
    "many pages": pdf(*[b""] * 600),
    "bomb": pdf(b" " * (300 << 20), packed=True),
    "much text": pdf(text("x" * 1_500_000), text("y" * 1_500_000), packed=True),
    "slow": pdf(b"BT /F1 12 Tf " + b"(a) Tj " * 600_000 + b"ET", packed=True),
    "deep": pdf(b"[" * 200_000),
    "pages in a circle": REPORT.replace(b"/Kids [4 0 R 6 0 R]", b"/Kids [2 0 R 2 0 R]"),
    "encrypted": REPORT.replace(
        b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Standard /V 9 /R 9 >>"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_fail_with_a_reason_in_time(name, monkeypatch):
    monkeypatch.setattr(pdf_check, "PDF_SECONDS", 2)
    started = time.monotonic()
    findings = run(HOSTILE[name], contains=["secret"], pages={"max": 400})
    assert time.monotonic() - started < 40
    assert not all(finding.ok for finding in findings)
    assert all(len(finding.reason) <= 200 for finding in findings)


def test_senseless_checks_are_refused():
    with pytest.raises(ValidationError, match="nothing is asserted"):
        PdfCheck(path="r.pdf")


def test_pages_alone_do_not_affirm():
    assert not PdfCheck(path="r.pdf", pages=2).affirms()
    assert PdfCheck.model_validate({"path": "r.pdf", "contains": ["a"]}).affirms()
