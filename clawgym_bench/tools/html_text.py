"""Readable text of an HTML page: Markdown, or plain text without link targets."""

import re
from urllib.parse import urljoin

from lxml import etree, html

SKIPPED = {
    "script", "style", "template", "noscript", "svg", "iframe", "object", "head", "button",
    "input", "select", "textarea", "canvas", "video", "audio",
}  # fmt: skip
BLOCKS = {
    "address", "article", "aside", "body", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "html", "legend", "main",
    "nav", "p", "section", "summary",
}  # fmt: skip
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
SPACE = re.compile(r"[ \t\r\n\f\u200b]+")


def page_title(data: bytes) -> str:
    """The page's own title, or ""."""
    root = _parse(data)
    title = root.find(".//title") if root is not None else None
    return _flat(title.text_content()) if title is not None else ""


def html_to_text(data: bytes, *, base: str = "", links: bool = True) -> str:
    """Headings, lists, tables, quotes and code keep their shape. What the page hides is left out.

    Link targets are made absolute with `base`.
    """
    root = _parse(data)
    if root is None:
        return ""
    text = _Writer(base, links).block(root)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _parse(data: bytes) -> html.HtmlElement | None:
    try:
        data.decode("utf-8")
        encoding: str | None = "utf-8"
    except UnicodeDecodeError:
        encoding = None
    try:
        return html.document_fromstring(data, parser=html.HTMLParser(encoding=encoding))
    except etree.ParserError:
        return None


def _flat(text: str | None) -> str:
    return SPACE.sub(" ", text or "").strip()


class _Writer:
    """Walks the tree. `block` gives lines that stand alone, `inline` text within a line."""

    def __init__(self, base: str, links: bool) -> None:
        self._base = base
        self._links = links

    def block(self, element: html.HtmlElement) -> str:
        """An element's content as blocks with blank lines between them."""
        parts: list[str] = []
        run = [element.text or ""]

        def close_run() -> None:
            line = self._tidy("".join(run))
            if line:
                parts.append(line)
            run.clear()

        for child in element:
            if self._shown(child):
                if self._is_block(child):
                    close_run()
                    parts.append(self._structure(child))
                else:
                    run.append(self.inline(child))
            run.append(child.tail or "")
        close_run()
        return "\n\n".join(part for part in parts if part.strip())

    def inline(self, element: html.HtmlElement) -> str:
        tag = element.tag
        if tag == "br":
            return "\v"
        if tag == "img":
            alternative = _flat(element.get("alt"))
            return f"[image: {alternative}]" if alternative else ""
        text = (element.text or "") + "".join(
            (self.inline(child) if self._shown(child) else "") + (child.tail or "")
            for child in element
        )
        target = element.get("href", "").strip()
        if tag == "a" and self._links and target and not target.startswith(("#", "javascript:")):
            label = _flat(text.replace("\v", " "))
            return f"[{label}]({urljoin(self._base, target)})" if label else ""
        if tag in ("code", "kbd", "samp") and text.strip():
            return f"`{_flat(text)}`"
        return text

    def _structure(self, element: html.HtmlElement) -> str:
        tag = element.tag
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            text = _flat(self.inline(element).replace("\v", " "))
            return f"{'#' * int(tag[1])} {text}" if text else ""
        if tag in ("ul", "ol", "menu"):
            return self._items(element)
        if tag == "table":
            return self._table(element)
        if tag == "pre":
            return f"```\n{element.text_content().strip(chr(10))}\n```"
        if tag == "blockquote":
            return "\n".join(f"> {line}".rstrip() for line in self.block(element).split("\n"))
        if tag == "hr":
            return "---"
        return self.block(element)

    def _items(self, element: html.HtmlElement) -> str:
        lines = []
        number = int(element.get("start", "1")) if element.get("start", "1").isdigit() else 1
        for item in element:
            if not self._shown(item):
                continue
            mark = f"{number}." if element.tag == "ol" else "-"
            number += 1
            text = re.sub(r"\n{2,}(?=\s*(?:- |\d+\. ))", "\n", self.block(item))
            indent = " " * (len(mark) + 1)
            lines.append(f"{mark} {text}".replace("\n", f"\n{indent}"))
        return "\n".join(lines)

    def _table(self, element: html.HtmlElement) -> str:
        """A Markdown table; a cell that spans columns is followed by empty cells."""
        rows: list[list[str]] = []
        for row in element.iter("tr"):
            if next(row.iterancestors("table"), None) is not element or not self._shown(row):
                continue
            cells: list[str] = []
            for cell in row.iterchildren("td", "th"):
                if self._shown(cell):
                    text = _flat(self.block(cell).replace("\n", " "))
                    span = cell.get("colspan", "1")
                    cells += [text.replace("|", "\\|")]
                    cells += [""] * (min(int(span), 50) - 1 if span.isdigit() else 0)
            rows.append(cells)
        rows = [row for row in rows if any(row)]
        if not rows:
            return ""
        width = max(map(len, rows))
        filled = [[*row, *[""] * (width - len(row))] for row in rows]
        filled.insert(1, ["---"] * width)
        caption = next(element.iterchildren("caption"), None)
        head = f"{_flat(caption.text_content())}\n\n" if caption is not None else ""
        return head + "\n".join(f"| {' | '.join(row)} |" for row in filled)

    @staticmethod
    def _tidy(text: str) -> str:
        return "\n".join(filter(None, (_flat(line) for line in text.split("\v"))))

    @staticmethod
    def _shown(element: html.HtmlElement) -> bool:
        if not isinstance(element.tag, str) or element.tag in SKIPPED:
            return False
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return False
        return not HIDDEN.search(element.get("style", ""))

    @staticmethod
    def _is_block(element: html.HtmlElement) -> bool:
        """Whether it or something in it breaks the line (a link around a heading, say)."""
        shapes = {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "menu", "table", "pre"}
        shapes |= {"blockquote", "hr"}
        if element.tag in BLOCKS or element.tag in shapes:
            return True
        return any(True for _ in element.iter(*BLOCKS, *shapes))
