"""Reads the text of the pages of a PDF. Imports nothing of ours: see `bounded`."""

import io
import logging


def extract(content: bytes, *, pages: int, characters: int) -> list[str]:
    """One string per page."""
    from pypdf import PdfReader

    logging.disable(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Refusal("it is encrypted")
        count = len(reader.pages)
        if count > pages:
            raise Refusal(f"it has {count} pages, more than {pages}")
        texts: list[str] = []
        total = 0
        for page in reader.pages:
            text = page.extract_text().encode("utf-8", "replace").decode()
            total += len(text)
            if total > characters:
                raise Refusal("it holds too much text")
            texts.append(text)
        return texts
    except (Refusal, MemoryError):
        raise
    except Exception as error:
        raise ValueError(f"it is not a readable PDF ({type(error).__name__})") from None


class Refusal(ValueError):
    """A PDF that is encrypted or over a bound."""
