"""What plain text and Markdown are made of: lines, list items, headings, paragraphs, sentences.

Works on lines and never fails, so that it reads what a chat model writes as well as a clean file.
Everything inside fenced code is left out, except where the whole text is one fence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import regex

from clawgym_bench.checks.wording import normal

Block = Literal["blank", "heading", "item", "row", "rule", "prose"]
HeadingForm = Literal["atx", "setext", "bold", "label", "line"]

_FENCE = regex.compile(r"\s{0,3}(`{3,}|~{3,})")
_WRAPPER = regex.compile(r"```(?:markdown|md|text|txt)?")
_ATX = regex.compile(r"\s{0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*")
_UNDERLINE = regex.compile(r"\s{0,3}(=+|-{2,})\s*")
_BOLD_LINE = regex.compile(r"\s{0,3}(?:\d{1,3}[.)]\s+)?(\*{2,3}|__)(?=\S)([^*\n]{1,120})\1\s*:?\s*")
_LABEL_LINE = regex.compile(r"\s{0,3}(?![|>#])(\S.{0,80}?)\s*[:：]\s*")
_ITEM = regex.compile(r"\s*(?:[-*+•‣◦▪●–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+(?=\S)")
_RULE = regex.compile(r"\s{0,3}(?:[-*_=]\s*){3,}|\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_NUMBERING = regex.compile(
    r"(?:(?:section|part|step)\s+)?(?:\d{1,3}(?:\.\d{1,3})*+[.):]|\d{1,3}(?:\.\d{1,3})+|[a-z][.)]"
    r"|[ivx]{1,5}[.)]|\d{1,2}\s+[-|]|\d\ufe0f?\u20e3)\s*(?=\w)"
)
_SENTENCE_END = regex.compile(
    r"(?<=[\w)\]\"'”’*_%\p{Sc}][.!?][\"'”’)\]*_]{0,3})"
    r"(?<!\b(?:mr|mrs|ms|dr|st|no|vs|inc|ltd|co|approx|e\.g|i\.e|etc|jan|feb|mar|apr|jun|jul|aug"
    r"|sept?|oct|nov|dec|\p{L})\.)\s+(?=[\"'“‘(\[*_$]{0,3}[\p{Lu}\d])",
    regex.IGNORECASE,
)
_RECORD = regex.compile(r"\s*\S[^:=]{0,60}[:=]\s*\S.{0,60}")
_TAG = regex.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_LINK = regex.compile(
    r"!?\[([^\[\]\n]{0,1000})\]"
    r"(?:\([^()\s]{0,2000}(?:\s[^()\n]{0,500})?\)|\[[^\[\]\n]{0,200}\])"
)
_WORD = regex.compile(r"(?<!\S)\S*?\w\S*")
_FRONT_MATTER = regex.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number from 0 and the block it belongs to."""

    number: int
    text: str
    block: Block


@dataclass(frozen=True)
class Heading:
    """A heading, or a line that may serve as one. `body` is the number of the first line below.

    `atx` and `setext` have levels 1-6; a `bold` line stands at 7, a `label` that ends in a colon
    at 8, any other short `line` on its own at 9.
    """

    title: str
    level: int
    form: HeadingForm
    number: int
    body: int


def front_matter(text: str) -> tuple[str | None, str]:
    """The YAML between the leading `---` lines, if there is any, and the text below."""
    match = _FRONT_MATTER.match(text) if text.startswith("---") else None
    return (match[1], text[match.end() :]) if match else (None, text)


@lru_cache(maxsize=2)
def lines_of(text: str) -> tuple[Line, ...]:
    """All lines outside fenced code, each with its block; fences and rules are `rule`."""
    raw = text.split("\n")
    filled = [at for at, line in enumerate(raw) if line.strip()]
    if len(filled) > 1:  # a text that is fenced as a whole
        first, last = raw[filled[0]].strip(), raw[filled[-1]].strip()
        inside = any(raw[at].lstrip().startswith("```") for at in filled[1:-1])
        if _WRAPPER.fullmatch(first) and last == "```" and not inside:
            raw[filled[0]] = raw[filled[-1]] = ""
    lines: list[Line] = []
    fence = ""
    for number, line in enumerate(raw):
        mark = _FENCE.match(line) if "`" in line or "~" in line else None
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~\t\r"):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            lines.append(Line(number, "", "rule"))
            continue
        lines.append(Line(number, line, _block(line, lines)))
    return tuple(lines)


def _block(line: str, before: list[Line]) -> Block:
    first = line.lstrip()[:1]
    if not first:
        return "blank"
    if first == "#" and _ATX.fullmatch(line):
        return "heading"
    if first in "=-" and _UNDERLINE.fullmatch(line) and before and before[-1].block == "prose":
        alone = len(before) < 2 or before[-2].block != "prose"
        if alone and before[-1].text.strip():
            before[-1] = Line(before[-1].number, before[-1].text, "heading")
            return "rule"
    if first in "-*_=|:" and _RULE.fullmatch(line):
        return "rule"
    if _starts_item(line, before) and not _BOLD_LINE.fullmatch(line):
        return "item"
    if line.count("|") > 1:
        return "row"
    return "prose"


def _starts_item(line: str, before: list[Line]) -> bool:
    """As in CommonMark, a number other than 1 does not break into a paragraph."""
    mark = _ITEM.match(line)
    if mark is None:
        return False
    if not mark.group().strip(" .)\t").isdigit() or mark.group().strip(" .)\t") == "1":
        return True
    paragraph = 0
    for earlier in reversed(before[-50:]):
        if earlier.block != "prose":
            return earlier.block == "item" or not paragraph
        paragraph += 1
    return not paragraph


@lru_cache(maxsize=4)
def headings(text: str) -> tuple[Heading, ...]:
    """Headings and all lines that may serve as one, in order."""
    lines = lines_of(text)
    found: list[Heading] = []
    for at, line in enumerate(lines):
        if atx := (_ATX.fullmatch(line.text) if line.block == "heading" else None):
            found.append(Heading(atx[2] or "", len(atx[1]), "atx", line.number, line.number + 1))
        elif line.block == "heading":
            level = 1 if lines[at + 1].text.strip().startswith("=") else 2
            found.append(Heading(line.text, level, "setext", line.number, line.number + 2))
        elif line.block == "prose":
            shown = line.text.strip()
            if bold := _BOLD_LINE.fullmatch(line.text):
                found.append(Heading(bold[2], 7, "bold", line.number, line.number + 1))
            elif label := _LABEL_LINE.fullmatch(line.text):
                found.append(Heading(label[1], 8, "label", line.number, line.number + 1))
            elif len(shown) <= 80 and (at == 0 or lines[at - 1].block != "prose"):
                found.append(Heading(shown, 9, "line", line.number, line.number + 1))
    return tuple(found)


def heading_count(text: str) -> int:
    """ATX and setext headings; where there are none, lines that are bold as a whole."""
    forms = [heading.form for heading in headings(text)]
    return sum(form in ("atx", "setext") for form in forms) or forms.count("bold")


@lru_cache(maxsize=4096)
def title_forms(title: str) -> frozenset[str]:
    """The forms in which titles are compared: with and without numbering.

    Case, emphasis, punctuation and symbols around (a last colon or question mark too) do not
    matter, nor does & for "and".
    """
    text = normal(title).replace("&", "and")
    bare = _NUMBERING.sub("", text, count=1) if _NUMBERING.match(text) else text
    return frozenset(
        stripped
        for form in (text, bare)
        if (stripped := regex.sub(r"^[^\p{L}\p{N}($€£+-]+|[^\w)%+]+$", "", form))
    )


def without_comments(text: str) -> str:
    """The text without HTML comments; one that is never closed stays."""
    first, *others = text.split("<!--")
    kept = [first]
    for other in others:
        end = other.find("-->")
        kept.append(" " + other[end + 3 :] if end >= 0 else "<!--" + other)
    return "".join(kept)


def visible(text: str) -> str:
    """The text a reader sees: no comments, tags, link targets, heading, list and table marks."""
    if "<" in text:
        text = _TAG.sub(" ", without_comments(text))
    if "](" in text or "][" in text:
        text = _LINK.sub(r"\1", text)
    kept = []
    for line in lines_of(text):
        if line.block in ("rule", "blank"):
            continue
        shown = line.text
        if atx := (_ATX.fullmatch(shown) if line.block == "heading" else None):
            shown = atx[2] or ""
        if line.block == "item":
            shown = regex.sub(r"^\s*\[[ xX]\]\s", "", _ITEM.sub("", shown, count=1))
        if line.block == "row":
            shown = shown.replace("|", " ")
        kept.append(shown)
    return "\n".join(kept)


def word_count(text: str) -> int:
    """Runs of non-space with a letter or digit in them, in the visible text."""
    return sum(1 for _ in _WORD.finditer(visible(text)))


def line_count(text: str) -> int:
    """Lines that are not blank, markup included."""
    return sum(1 for line in text.split("\n") if line.strip())


def item_count(text: str) -> int:
    """Items of lists of any kind and level: bullets, numbers, check boxes."""
    return sum(line.block == "item" for line in lines_of(text))


def paragraphs(text: str) -> list[str]:
    """Runs of prose lines; headings, lists, tables, rules and bold lines are none."""
    return [
        "\n".join(line.text for line in block)
        for block in _blocks(without_comments(text))
        if block[0].block == "prose"
        and not (len(block) == 1 and _BOLD_LINE.fullmatch(block[0].text))
    ]


def _blocks(text: str) -> Iterator[list[Line]]:
    """Runs of lines of one kind without a blank between them; an item takes its continuation."""
    block: list[Line] = []
    for line in lines_of(text):
        fits = block and (
            (line.block == block[-1].block and line.block in ("prose", "row", "item"))
            or (line.block == "prose" and block[0].block == "item")
        )
        if block and block[-1].block == "row" and _RULE.fullmatch(line.text) and "|" in line.text:
            continue
        if block and not fits:
            yield block
            block = []
        if line.block not in ("blank", "rule"):
            block.append(line)
    if block:
        yield block


def sentences(paragraph: str) -> list[str]:
    """A paragraph cut into sentences; white space runs and line breaks become spaces."""
    joined = " ".join(paragraph.split())
    return [part for part in _SENTENCE_END.split(joined) if part]


def units(text: str, near: Literal["line", "sentence", "paragraph"]) -> list[str]:
    """The pieces of a text within which a value is next to its label.

    line
        a table row, a list item with the lines it goes on in, a line of prose, and each of the
        sentences in an item or a line; where prose is wrapped over several lines, only its
        sentences. A heading, a bold line, and a line that ends in a colon, take the next line
        along, a bold sentence at the start the next sentence. In a table with one row, also every
        heading with its cell.
    sentence
        the same, but prose and list items only by their sentences.
    paragraph
        a whole block: a paragraph, a list, a table; a heading or a line with a colon takes the
        next block along.
    """
    found: list[str] = []
    blocks = list(_blocks(text))
    for at, block in enumerate(blocks):
        whole = "\n".join(line.text for line in block)
        after = blocks[at + 1] if at + 1 < len(blocks) else []
        leads = _leads(block[-1])
        if near == "paragraph":
            lead = "\n".join(line.text for line in after) if leads else ""
            found.append(f"{whole}\n{lead}")
            continue
        if leads and after:
            found.append(f"{block[-1].text}\n{after[0].text}")
        if block[0].block == "prose":
            for piece in _unwrapped(block):
                found.extend(_pieces(piece, whole=near == "line" and "\n" not in piece))
        elif block[0].block == "item":
            for item in _items(block):
                found.extend(_pieces(item, whole=near == "line"))
        elif block[0].block == "row":
            found.extend(line.text for line in block)
            if len(block) == 2:
                names, cells = (line.text.strip().strip("|").split("|") for line in block)
                if len(names) == len(cells):
                    found.extend(f"{n}: {c}" for n, c in zip(names, cells, strict=True))
        else:
            found.append(whole)
        if block[0].block in ("prose", "item"):
            found.extend(
                f"{line.text}\n{following.text}"
                for line, following in pairwise(block)
                if _leads(line)
            )
    return found


def _pieces(text: str, *, whole: bool) -> Iterator[str]:
    """The sentences of a line or of an item, the mark with the first; with `whole` also all."""
    mark = match.group() if (match := _ITEM.match(text)) else ""
    parts = sentences(text[len(mark) :])
    if len(parts) > 1 and _BOLD_LINE.fullmatch(parts[0]):
        parts[:2] = [" ".join(parts[:2])]
    if whole:
        yield text
        if len(parts) < 2:
            return
    for number, part in enumerate(parts):
        yield mark + part if number == 0 else part


def _leads(line: Line) -> bool:
    """Whether it announces what stands on the next line."""
    return line.block == "heading" or bool(
        _LABEL_LINE.fullmatch(line.text) or _BOLD_LINE.fullmatch(line.text)
    )


def _unwrapped(block: list[Line]) -> Iterator[str]:
    """The lines of a block, those joined that were one before wrapping."""
    joined = block[0].text
    for line, following in pairwise(block):
        text, rest = line.text.strip(), following.text.strip()
        full = len(text) >= 40 and not _RECORD.fullmatch(text)
        open_end = text[-1].isalpha() and (rest[0].islower() or rest[0].isdigit())
        if full or open_end:
            joined += "\n" + following.text
        else:
            yield joined
            joined = following.text
    yield joined


def _items(block: list[Line]) -> Iterator[str]:
    item: list[str] = []
    for line in block:
        if line.block == "item" and item:
            yield "\n".join(item)
            item = []
        item.append(line.text)
    if item:
        yield "\n".join(item)
