"""PDF files: their number of pages and the text that can be extracted from them.

pypdf reads them in a child process with limits on time and memory, as a crafted file can keep
any reader busy for ever.
"""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from clawgym_bench.checks.base import CheckBody, Evidence, Finding, file_content
from clawgym_bench.checks.bounded import extract_bounded
from clawgym_bench.checks.limits import PDF_PAGES, STRUCTURED_BYTES, TEXT_BYTES, Refused
from clawgym_bench.checks.pairing import finding
from clawgym_bench.checks.text import Range, TextAssertions

PDF_SECONDS = 20
EXTRACTOR = Path(__file__).with_name("pdf_pages.py")


def pdf_pages(content: bytes) -> tuple[str, ...]:
    """The text of each page; raises `Refused`."""
    if len(content) > STRUCTURED_BYTES:
        raise Refused(f"it has more than {STRUCTURED_BYTES:,} bytes")
    if b"%PDF-" not in content[:1024]:
        raise Refused("it is not a PDF")
    return _pages(content)


@lru_cache(maxsize=4)
def _pages(content: bytes) -> tuple[str, ...]:
    texts = extract_bounded(
        EXTRACTOR, content, seconds=PDF_SECONDS, pages=PDF_PAGES, characters=TEXT_BYTES
    )
    return tuple(texts)


def pdf_text(content: bytes) -> str:
    """The text of all pages, a blank line between them. Raises `Refused`."""
    return "\n\n".join(pdf_pages(content))


class PdfCheck(TextAssertions, CheckBody):
    """A PDF: how many `pages`, and what its text says. A line may end anywhere in a sentence."""

    kind: ClassVar[str] = "pdf"

    path: str = Field(min_length=1)
    pages: Annotated[int, Field(ge=1)] | Range | None = None

    @model_validator(mode="after")
    def _asserts(self) -> Self:
        if self.pages is None and not self.asserts_text():
            raise ValueError("nothing is asserted: give pages, contains, facts or the like")
        return self

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            pages = pdf_pages(content)
        except Refused as refused:
            return [finding(False, f"{self.path}: {refused}", required=True)]
        findings = [finding(True, f"{self.path} is a readable PDF", required=True)]
        if self.pages is not None:
            count, wanted = len(pages), self.pages
            ok = wanted.holds(count) if isinstance(wanted, Range) else count == wanted
            reason = f"{self.path} has {count} pages, {wanted} wanted"
            findings.append(finding(ok, reason, required=ok))
        if self.asserts_text():
            text = "\n\n".join(pages)
            if not text.strip():
                reason = f"{self.path} holds no text (only pictures?)"
                return [*findings, finding(False, reason, required=True)]
            findings += self.findings(text, self.path, evidence)
        return findings
