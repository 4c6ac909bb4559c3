"""Recorded web pages: the only web there is.

A folder holds `index.yaml` and the files that it names, all of them used:

    pages:
      - url: https://example.org/prices
        title: Price list          # optional for HTML: its own title is taken
        file: prices.html
        content_type: text/html    # optional: from the file's suffix
"""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from clawgym_bench.errors import Problem, TaskInvalid
from clawgym_bench.tools.html_text import html_to_text, page_title
from clawgym_bench.tools.ranking import rank

INDEX = "index.yaml"
CONTENT_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".csv": "text/csv",
    ".json": "application/json",
    ".xml": "application/xml",
}


class PageEntry(BaseModel):
    """One line of the index."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    file: str
    title: str = ""
    content_type: str = ""

    @field_validator("url")
    @classmethod
    def _http(cls, value: str) -> str:
        if urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname:
            raise ValueError("must be a complete address with http:// or https://")
        return value

    @field_validator("content_type")
    @classmethod
    def _textual(cls, value: str) -> str:
        if value and value not in CONTENT_TYPES.values():
            raise ValueError(f"must be one of {', '.join(sorted(set(CONTENT_TYPES.values())))}")
        return value


class WebIndex(BaseModel):
    """`index.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pages: tuple[PageEntry, ...] = Field(min_length=1)


@dataclass(frozen=True)
class WebPage:
    """A recorded page. `content` are the bytes as they were served."""

    url: str
    title: str
    content_type: str
    content: bytes

    def text(self, *, links: bool = True) -> str:
        """Readable text of the page."""
        if self.content_type == "text/html":
            return html_to_text(self.content, base=self.url, links=links)
        return self.content.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip()


class WebPages:
    """The pages of one task, found by address or by words."""

    def __init__(self, pages: tuple[WebPage, ...]) -> None:
        self.pages = pages
        self._by_address = {address(page.url): page for page in pages}

    @classmethod
    def load(cls, files: Mapping[str, bytes], source: str = "web") -> "WebPages":
        """From file contents by path within the folder.

        Raises `TaskInvalid` with everything that is wrong.
        """
        index = _index(files, source)
        problems: list[Problem] = []
        pages: list[WebPage] = []
        seen: dict[str, int] = {}
        for number, entry in enumerate(index.pages):
            where = f"{source}/{INDEX}: pages[{number}]"
            same = seen.setdefault(address(entry.url), number)
            if same != number:
                problems.append(Problem(f"{where}.url", f"{entry.url} is also pages[{same}]"))
            suffix = posixpath.splitext(entry.file)[1].lower()
            kind = entry.content_type or CONTENT_TYPES.get(suffix, "")
            if not kind:
                remedy = f"give one of {', '.join(sorted(set(CONTENT_TYPES.values())))}"
                problems.append(
                    Problem(f"{where}.content_type", f"unknown for {entry.file}", remedy)
                )
            content = files.get(entry.file)
            if content is None or entry.file == INDEX:
                remedy = f"put it into {source}/ or mend the name"
                problems.append(Problem(f"{where}.file", f"{entry.file} is not there", remedy))
                continue
            title = entry.title or (page_title(content) if kind == "text/html" else "")
            if not title:
                problems.append(Problem(f"{where}.title", "missing", "give the page a title"))
            pages.append(WebPage(entry.url, title, kind, content))
        unused = sorted(set(files) - {INDEX} - {entry.file for entry in index.pages})
        problems += [
            Problem(
                f"{source}/{name}", "no page uses this file", "list it in the index or remove it"
            )
            for name in unused
        ]
        if problems:
            raise TaskInvalid(source, problems)
        return cls(tuple(pages))

    @classmethod
    def load_folder(cls, folder: Path) -> "WebPages":
        """Raises `TaskInvalid` as `load` does."""
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return cls.load(files, str(folder))

    def get(self, url: str) -> WebPage | None:
        """The page at an address; http or https, fragment and last slash make no difference."""
        return self._by_address.get(address(url))

    def search(self, query: str) -> list[WebPage]:
        """Pages that hold a word of the query, best first; the title counts three-fold."""
        texts = [
            f"{page.title} {page.title} {page.title} {page.text(links=False)}"
            for page in self.pages
        ]
        return [self.pages[index] for index, _ in rank(query, texts)]


def address(url: str) -> str:
    """What makes two addresses the same page."""
    parts = urlsplit(url.strip())
    host = (parts.hostname or "").removeprefix("www.")
    port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    return urlunsplit(("https", host + port, parts.path.rstrip("/"), parts.query, ""))


def _index(files: Mapping[str, bytes], source: str) -> WebIndex:
    where = f"{source}/{INDEX}"
    if INDEX not in files:
        raise TaskInvalid(source, [Problem(where, "is not there", "add it: see docs/tools.md")])
    try:
        return WebIndex.model_validate(yaml.safe_load(files[INDEX]))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise TaskInvalid(source, [Problem(where, f"is no YAML: {error}")]) from None
    except ValidationError as error:
        raise TaskInvalid(
            source,
            [
                Problem(f"{where}: {'.'.join(map(str, item['loc'])) or 'document'}", item["msg"])
                for item in error.errors(include_url=False)
            ],
        ) from None
