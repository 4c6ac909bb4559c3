"""The text of a file as a judge reads it, whatever its format. Bounded like every parser."""

from clawgym_bench.checks.docx import docx_text
from clawgym_bench.checks.limits import TEXT_BYTES, Refused
from clawgym_bench.checks.pdf import pdf_text


def readable_text(path: str, content: bytes) -> str:
    """Text of a text, docx or pdf file; a remark in brackets where there is none to be had."""
    suffix = path.rsplit(".", 1)[-1].lower()
    try:
        if suffix == "docx":
            return docx_text(content)
        if suffix == "pdf":
            return pdf_text(content)
    except Refused as refused:
        return f"[not readable: {refused}]"
    if len(content) > TEXT_BYTES:
        return f"[not readable: {len(content)} bytes]"
    if b"\0" in content[:8192]:
        return f"[binary file of {len(content)} bytes]"
    return content.decode("utf-8-sig", errors="replace")
