"""HTML and XML files: values at XPaths, and the text that a reader sees."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from lxml import etree
from pydantic import BeforeValidator, Field, field_validator, model_validator

from clawgym_bench.checks.base import (
    CheckBody,
    Evidence,
    Finding,
    StrictModel,
    file_content,
)
from clawgym_bench.checks.compare import equal, finds
from clawgym_bench.checks.dates import without_dates
from clawgym_bench.checks.limits import (
    MARKUP_BYTES,
    MARKUP_ELEMENTS,
    MARKUP_NESTED_PAIRS,
    NESTING,
    Refused,
)
from clawgym_bench.checks.text import (
    TEXT_FIELDS,
    Range,
    TextAssertions,
    Title,
    alternatives,
    decode_text,
    excerpt,
    valid_phrase,
)

_UNSEEN = frozenset(["head", "script", "style", "template", "noscript", "svg", "object", "iframe"])
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCK_NAMES = """
address article aside blockquote body button caption dd details div dl dt fieldset
figcaption figure footer form header hr legend main nav ol optgroup option p pre section
select summary table tbody textarea tfoot thead title ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
# Axes whose cost grows with the square of the document.
_COSTLY = ("preceding::", "following::")

Scalar = Annotated[str | int | float | bool, BeforeValidator(without_dates)]


class Select(StrictModel):
    """What an XPath gives: elements, attributes, texts, or one computed value.

    `count`: how many. `text`, `contains`, `attribute`: one of the matches has this text (compared
    by `compare.equal`, so 1,234 is 1234), says these phrases and has these attributes, all at
    once. `texts`: the texts of all matches, in order. Without any of them, something matches.
    """

    xpath: str
    count: int | Range | None = None
    text: Scalar | None = None
    texts: list[Scalar] | None = None
    attribute: dict[str, Scalar] = Field(default_factory=dict)
    contains: Title | None = None
    decimals: int | None = None

    @field_validator("xpath")
    @classmethod
    def _valid(cls, value: str) -> str:
        try:
            etree.XPath(value, regexp=False)
        except etree.XPathSyntaxError as error:
            raise ValueError(f"{value!r} is not an XPath: {error}") from None
        if costly := next((axis for axis in _COSTLY if axis in value.replace(" ", "")), None):
            raise ValueError(f"{costly} is too costly on a big file; use the -sibling axis")
        return value

    @field_validator("contains")
    @classmethod
    def _phrase(cls, value: Title | None) -> Title | None:
        return None if value is None else valid_phrase(value)

    @model_validator(mode="after")
    def _sensible(self) -> "Select":
        if isinstance(self.count, int) and self.count < 0:
            raise ValueError("`count` is negative")
        one = self.text is not None or self.contains is not None or bool(self.attribute)
        if self.count == 0 and (one or self.texts):
            raise ValueError("`count: 0` asks for no match, so nothing can be said about one")
        if isinstance(self.count, int) and self.texts is not None and self.count != len(self.texts):
            raise ValueError(f"`count` is {self.count}, but `texts` has {len(self.texts)}")
        if self.decimals is not None and self.text is None and self.texts is None:
            raise ValueError("`decimals` is for `text` and `texts`")
        return self

    def affirms(self) -> bool:
        """A bare match is existence; content, or several matches, is more."""
        if self.text is not None or self.texts or self.attribute or self.contains is not None:
            return True
        least = self.count.min if isinstance(self.count, Range) else self.count
        return (least or 0) > 1


class _Markup(TextAssertions, CheckBody):
    path: str = Field(min_length=1)
    select: list[Select] = Field(default_factory=list)

    @model_validator(mode="after")
    def _asserts(self) -> "_Markup":
        if not (self.select or self.asserts_text()):
            raise ValueError(
                f"nothing is asserted about {self.path}: give select or one of "
                f"{', '.join(TEXT_FIELDS)}"
            )
        return self

    @model_validator(mode="after")
    def _evaluates(self) -> "_Markup":
        for select in self.select:
            try:
                _evaluate(select, etree.Element("nothing"), self._namespaces())
            except etree.LxmlError as error:
                raise ValueError(f"{select.xpath!r} cannot be evaluated: {error}") from None
        return self

    def affirms(self) -> bool:
        return super().affirms() or any(select.affirms() for select in self.select)

    def _tree(self, content: bytes) -> etree._Element:
        raise NotImplementedError

    def _text(self, root: etree._Element) -> str:
        raise NotImplementedError

    def _namespaces(self) -> dict[str, str]:
        return {}

    def run(self, evidence: Evidence) -> list[Finding]:
        content = file_content(evidence, self.path)
        if isinstance(content, Finding):
            return [content]
        try:
            root = self._tree(content)
        except Refused as refused:
            return [Finding(False, f"{self.path} cannot be read: {refused}", required=True)]
        found: list[Finding] = []
        for select in self.select:
            found += _select_findings(select, root, self.path, self._namespaces())
        if self.asserts_text():
            found += self.findings(self._text(root), self.path, evidence)
        return found


class HtmlCheck(_Markup):
    """An HTML file, read as a browser does. Names are in lower case and without namespaces.

    Text assertions go for what a reader sees: no scripts, styles, head or hidden elements;
    headings, list items and table rows count as such.
    """

    kind: ClassVar[str] = "html"

    def _tree(self, content: bytes) -> etree._Element:
        if len(content) > MARKUP_BYTES:
            raise Refused(f"it has more than {MARKUP_BYTES:,} bytes")
        text = decode_text(content)
        if "<" not in text:
            raise Refused("it has no markup")
        parser = etree.HTMLParser(
            encoding="utf-8",
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        return _parsed(text.encode("utf-8", errors="replace"), parser)

    def _text(self, root: etree._Element) -> str:
        return visible_text(root)


class XmlCheck(_Markup):
    """A well-formed XML file. Without `namespaces`, elements and attributes go by local name.

    Text assertions go for the text of all elements, one line each.
    """

    kind: ClassVar[str] = "xml"

    namespaces: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _prefixes(self) -> "XmlCheck":
        for prefix, name in self.namespaces.items():
            if not prefix.isidentifier() or not name:
                raise ValueError(f"namespaces: {prefix!r}: {name!r} is not a prefix and a name")
        return self

    def _namespaces(self) -> dict[str, str]:
        return self.namespaces

    def _tree(self, content: bytes) -> etree._Element:
        if len(content) > MARKUP_BYTES:
            raise Refused(f"it has more than {MARKUP_BYTES:,} bytes")
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            strip_cdata=True,
        )
        root = _parsed(content.lstrip(), parser)
        if not self.namespaces:
            _drop_namespaces(root)
        return root

    def _text(self, root: etree._Element) -> str:
        pieces = (" ".join(str(text).split()) for text in root.itertext(etree.Element))
        return "\n".join(piece for piece in pieces if piece)


def _parsed(content: bytes, parser: etree.XMLParser | etree.HTMLParser) -> etree._Element:
    try:
        root: etree._Element | None = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError, LookupError, AssertionError, MemoryError) as error:
        raise Refused(f"it does not parse ({' '.join(str(error).split())[:100]})") from None
    if root is None:
        raise Refused("it is empty")
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and list(dtd.iterentities()):  # type: ignore[attr-defined]
        raise Refused("it declares entities")
    _bound(root)
    return root


def _bound(root: etree._Element) -> None:
    """An XPath cannot be stopped, and //a//b costs what there are pairs of nested elements."""
    elements = depth = pairs = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            depth -= 1
            continue
        elements, depth, pairs = elements + 1, depth + 1, pairs + depth
        if elements > MARKUP_ELEMENTS:
            raise Refused(f"it has more than {MARKUP_ELEMENTS:,} elements")
        if depth > NESTING or pairs > MARKUP_NESTED_PAIRS:
            raise Refused("its elements are nested too deeply")


def _drop_namespaces(root: etree._Element) -> None:
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
        for name, value in list(element.attrib.items()):
            local = etree.QName(name).localname
            if local != name and local not in element.attrib:
                del element.attrib[name]
                element.set(local, value)


def _string(match: object) -> str:
    if isinstance(match, etree._Element):
        return "".join(map(str, match.itertext(etree.Element)))
    return str(match)


def _evaluate(select: Select, root: etree._Element, namespaces: dict[str, str]) -> list[object]:
    found: object = etree.XPath(select.xpath, namespaces=namespaces or None, regexp=False)(root)
    return list(found) if isinstance(found, list) else [found]


def _select_findings(
    select: Select, root: etree._Element, where: str, namespaces: dict[str, str]
) -> list[Finding]:
    name = excerpt(select.xpath, 60)
    try:
        matches = _evaluate(select, root, namespaces)
    except etree.LxmlError as error:
        return [Finding(False, f"{where}: {name} cannot be evaluated: {error}"[:200])]
    findings = []
    if select.count is not None:
        bounds = select.count
        number = len(matches)
        ok = bounds.holds(number) if isinstance(bounds, Range) else number == bounds
        least = bounds.min if isinstance(bounds, Range) else bounds
        reason = f"{where}: {name} gives {number}" + ("" if ok else f", wanted {bounds}")
        findings.append(Finding(ok, reason, required=ok and (least or 0) < 2))
    if select.texts is not None:
        findings.append(_texts(select, matches, where, name))
    if select.text is not None or select.contains is not None or select.attribute:
        fits = any(_fits(select, match) for match in matches)
        shown = excerpt(_string(matches[0])) if matches else "nothing"
        reason = f"{where}: {name} gives {shown}"
        findings.append(Finding(fits, reason if fits else f"{reason}, wanted {_wanted(select)}"))
    elif select.count is None and select.texts is None:
        there = bool(matches) and matches != [False]
        reason = f"{where}: {name} {'matches' if there else 'matches nothing'}"
        findings.append(Finding(there, reason, required=there))
    return findings


def _texts(select: Select, matches: Sequence[object], where: str, name: str) -> Finding:
    assert select.texts is not None
    found = [_string(match).strip() for match in matches]
    if len(found) != len(select.texts):
        return Finding(False, f"{where}: {name} gives {len(found)}, wanted {len(select.texts)}")
    for at, (text, wanted) in enumerate(zip(found, select.texts, strict=True), start=1):
        if not equal(text, wanted, decimals=select.decimals):
            reason = f"number {at} is {excerpt(text, 40)}, wanted {excerpt(str(wanted), 40)}"
            return Finding(False, f"{where}: {name}: {reason}")
    return Finding(True, f"{where}: {name} gives the {len(found)} texts wanted", not found)


def _fits(select: Select, match: object) -> bool:
    text = _string(match)
    if select.text is not None and not equal(text.strip(), select.text, decimals=select.decimals):
        return False
    if select.contains is not None:
        phrases = alternatives(select.contains)
        if not any(finds(phrase, text) for phrase in phrases):
            return False
    if not select.attribute:
        return True
    if not isinstance(match, etree._Element):
        return False
    return all(
        name in match.attrib and equal(match.get(name), value)
        for name, value in select.attribute.items()
    )


def _wanted(select: Select) -> str:
    parts = [] if select.text is None else [excerpt(str(select.text), 40)]
    if select.contains is not None:
        parts.append(f"with {excerpt(alternatives(select.contains)[0], 40)}")
    parts += [f"{name}={excerpt(str(value), 30)}" for name, value in select.attribute.items()]
    return " ".join(parts)


def visible_text(root: etree._Element) -> str:
    """What a reader sees of an HTML tree, with headings, list items and rows marked as Markdown."""
    parts: list[str] = []
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = str(element.tag).lower()
        if event == "start":
            if hidden or name in _UNSEEN or _is_hidden(element):
                hidden += 1
                continue
            if name in _HEADINGS:
                parts.append(f"\n\n{_HEADINGS[name]} ")
            elif name == "li":
                parts.append("\n- ")
            elif name == "tr":
                parts.append("\n| ")
            elif name == "br" or name in _BLOCKS:
                parts.append("\n")
            parts.append(_collapsed(element.text))
        else:
            if hidden:
                hidden -= 1
            elif name in ("td", "th"):
                parts.append(" | ")
            elif name in _HEADINGS or name == "p":
                parts.append("\n\n")
            elif name == "tr" or name in _BLOCKS:
                parts.append("\n")
            if not hidden:
                parts.append(_collapsed(element.tail))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    kept: list[str] = []
    for line in lines:
        if line in ("-", "|") or (not line and kept[-1:] == [""]):
            continue
        kept.append(line)
    return "\n".join(kept).strip()


def _collapsed(text: str | None) -> str:
    if not text:
        return ""
    middle = " ".join(text.split())
    return f"{' ' if text[0].isspace() else ''}{middle}{' ' if text[-1].isspace() else ''}"


def _is_hidden(element: etree._Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return (
        "hidden" in element.attrib
        or "display:none" in style
        or "visibility:hidden" in style
        or (element.tag == "input" and element.get("type") == "hidden")
    )
