import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from clawgym_bench.checks.base import CheckBody, Evidence, Finding
from clawgym_bench.checks.markup import HtmlCheck, XmlCheck
from clawgym_bench.sandbox.snapshot import Snapshot

PAGE = """<!doctype html>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>In the head</title>
<style>.secret { color: red }</style></head>
<body><h1> Sales   report </h1><!-- a comment -->
<p>Total&nbsp;revenue: <b>$1,234.50</b> &mdash; up.<p hidden>hidden one</p>
<p style="display: none">hidden two</p>
<table id="t"><tr><th>Region</th><th>Units</th></tr>
<tr><td>Alpha</td><td class="n">12</td></tr><tr><td>Beta<td class="n">30.0</table>
<ul><li>First <a href="a.html" title="x">link</a></li><li>Second</li></ul>
<script>var secret = 1;</script><img src="p.png" alt="Plot"></body></html>"""

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x">
  <entry x:id="1"><title>One</title><n>1,000</n></entry>
  <entry x:id="2"><title><![CDATA[Two & more]]></title><n>2</n></entry>
</feed>"""


def html(content: str | bytes, **fields) -> list[Finding]:
    return run(HtmlCheck, content, fields)


def xml(content: str | bytes, **fields) -> list[Finding]:
    return run(XmlCheck, content, fields)


def run(kind: type[CheckBody], content: str | bytes, fields: dict) -> list[Finding]:
    data = content.encode() if isinstance(content, str) else content
    return kind.model_validate({"path": "a", **fields}).run(Evidence(Snapshot({"a": data})))


def good(found: list[Finding]) -> bool:
    return all(finding.ok for finding in found)


# --- select ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "select",
    [
        {"xpath": "//h1", "text": "sales report"},
        {"xpath": "//td[@class='n']", "texts": [12, "30"]},
        {"xpath": "//td[@class='n']", "count": 2},
        {"xpath": "//td", "count": {"min": 3, "max": 5}},
        {"xpath": "//p/b", "text": 1234.5},
        {"xpath": "//b", "text": 1234.504, "decimals": 2},
        {"xpath": "//p", "contains": ["nothing", "total revenue"]},
        {"xpath": "//a", "text": "link", "attribute": {"href": "a.html", "title": "X"}},
        {"xpath": "//img/@alt", "text": "plot"},
        {"xpath": "count(//tr)", "text": 3},
        {"xpath": "boolean(//table)", "text": True},
        {"xpath": "//table"},
        {"xpath": "//video", "count": 0},
    ],
)
def test_what_an_xpath_gives(select):
    assert good(html(PAGE, select=[select]))


@pytest.mark.parametrize(
    "select",
    [
        {"xpath": "//h1", "text": "sales"},
        {"xpath": "//td[@class='n']", "texts": [30, 12]},
        {"xpath": "//td[@class='n']", "texts": [12]},
        {"xpath": "//td", "count": 3},
        {"xpath": "//b", "text": 1234.6},
        {"xpath": "//a", "text": "link", "attribute": {"href": "b.html"}},
        {"xpath": "//a", "attribute": {"id": ""}},
        {"xpath": "//li", "text": "Second", "contains": "first"},
        {"xpath": "//video"},
        {"xpath": "boolean(//video)"},
    ],
)
def test_what_it_does_not_give(select):
    assert not good(html(PAGE, select=[select]))


def test_a_bare_match_never_earns():
    (finding,) = html(PAGE, select=[{"xpath": "//table"}])
    assert (finding.ok, finding.required) == (True, True)


def test_reasons_name_what_was_wanted_and_found():
    (finding,) = html(PAGE, select=[{"xpath": "//h1", "text": "Costs"}])
    assert finding.reason == "a: '//h1' gives 'Sales report', wanted 'Costs'"


# --- text ------------------------------------------------------------------------------------


def test_text_is_what_a_reader_sees():
    assert good(
        html(
            PAGE,
            contains=["total revenue: $1234.5 - up"],
            lacks=["secret", "comment", "hidden one", "hidden two", "in the head"],
            facts=[
                {"label": "Alpha", "value": 12},
                {"label": "Beta", "value": 30},
                {"label": "Total revenue", "value": 1234.5},
            ],
            bullets={"min": 2, "max": 2},
            headings={"min": 1, "max": 1},
            words={"min": 15, "max": 15},
            in_order=["sales report", "alpha", "second"],
        )
    )
    assert not good(
        html(PAGE, facts=[{"label": "Alpha", "value": 30}, {"label": "Beta", "value": 12}])
    )


def test_text_of_xml():
    assert good(xml(FEED, contains=["one", "Two & more"], lacks=["Atom"], lines={"max": 4}))


# --- xml -------------------------------------------------------------------------------------


def test_elements_and_attributes_go_by_local_name():
    assert good(xml(FEED, select=[{"xpath": "//entry[@id='2']/title", "text": "two & more"}]))
    assert good(xml(FEED, select=[{"xpath": "/feed/entry/n", "texts": [1000, 2]}]))


def test_namespaces_count_when_given():
    spaces = {"a": "http://www.w3.org/2005/Atom", "x": "urn:x"}
    title = {"xpath": "//a:entry[@x:id='1']/a:title", "text": "One"}
    assert good(xml(FEED, namespaces=spaces, select=[title]))
    assert not good(xml(FEED, namespaces=spaces, select=[{"xpath": "//entry"}]))


@pytest.mark.parametrize(
    "content", ["<a><b></a>", "<a/><b/>", "text", "", "<a>\0</a>", "<a>&x;</a>"]
)
def test_xml_must_be_well_formed(content):
    (finding,) = xml(content, select=[{"xpath": "//a"}, {"xpath": "//b"}])
    assert (finding.ok, finding.required) == (False, True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_xml_says_its_encoding_itself(encoding):
    declared = {"latin-1": "ISO-8859-1", "utf-16": "UTF-16"}.get(encoding, "UTF-8")
    content = f"<?xml version='1.0' encoding='{declared}'?><a>é</a>".encode(encoding)
    assert good(xml(content, select=[{"xpath": "/a", "text": "É"}]))


# --- hostile input ---------------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(1, 9))


@pytest.mark.parametrize(
    "content",
    [
        f'<!DOCTYPE a [<!ENTITY l1 "ha">{LAUGHS}]><a>&l9;</a>',
        f'<!DOCTYPE a [<!ENTITY l1 "ha">{LAUGHS}]><a x="&l9;"/>',
        '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>',
        '<!DOCTYPE a [<!ENTITY % f SYSTEM "http://example.org/x.dtd"> %f;]><a/>',
        "<a>" * 100_000 + "</a>" * 100_000,
        "<a>" + "<b/>" * 100_000 + "</a>",
        b"\xff\xff\xff",
        "<a>" + "x" * (5 * 2**20) + "</a>",
    ],
)
def test_bombs_are_refused_and_nothing_is_fetched(content):
    begin = time.process_time()
    (finding,) = xml(content, contains=["x"], select=[{"xpath": "//a", "text": "x"}])
    assert (finding.ok, finding.required) == (False, True)
    assert "root:" not in finding.reason
    assert time.process_time() - begin < 5


SLOW = [
    {"xpath": "//div//div//p | //p//b", "count": 99},
    {"xpath": "//p[count(preceding-sibling::p)=2]", "text": "y"},
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        "<p>x</p>" * 19000,
        ("<div>" * 90 + "<p>x</p>" * 20 + "</div>" * 90) * 80,
        "<div>" * 100000,
        "<" * 1000000,
        "<a " + "b=c " * 200000 + ">",
        "<!--" * 200000,
        "<table>" * 50000,
        "<p><b>" * 20000,
        "&" * 1000000,
        "<ul><li>" * 10000,
    ],
)
def test_big_pages_are_done_or_refused_in_time(content):
    begin = time.process_time()
    html(content, select=SLOW, contains=["y"], facts=[{"label": "x", "value": 1}], words={"max": 1})
    assert time.process_time() - begin < 20


@given(st.text(max_size=200) | st.text(alphabet="<>/abtdrl&;!-\"'= ", max_size=200) | st.binary())
@settings(deadline=None)
def test_any_content_gives_findings(content):
    data = content.encode(errors="replace") if isinstance(content, str) else content
    for check in (html, xml):
        assert check(data, select=[{"xpath": "//a/@b", "text": "x"}], contains=["y"])


# --- validity --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "affirms"),
    [
        ({"select": [{"xpath": "//a"}]}, False),
        ({"select": [{"xpath": "//a", "count": 0}]}, False),
        ({"select": [{"xpath": "//a", "count": 1}]}, False),
        ({"select": [{"xpath": "//a", "count": 2}]}, True),
        ({"select": [{"xpath": "//a", "count": {"max": 2}}]}, False),
        ({"select": [{"xpath": "//a", "text": "x"}]}, True),
        ({"select": [{"xpath": "//a", "attribute": {"b": "c"}}]}, True),
        ({"lacks": ["x"]}, False),
        ({"contains": ["x"]}, True),
    ],
)
def test_content_affirms_and_bare_existence_does_not(fields, affirms):
    assert HtmlCheck(path="a", **fields).affirms() is affirms


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing is asserted about a"),
        ({"select": [{"xpath": "//["}]}, "is not an XPath"),
        ({"select": [{"xpath": "//q:a"}]}, "cannot be evaluated"),
        ({"select": [{"xpath": "foo(//a)"}]}, "cannot be evaluated"),
        ({"select": [{"xpath": "re:test(//a, 'x')"}]}, "cannot be evaluated"),
        ({"select": [{"xpath": "//a/preceding :: b"}]}, "too costly"),
        ({"select": [{"xpath": "//a", "count": 0, "text": "x"}]}, "asks for no match"),
        ({"select": [{"xpath": "//a", "count": 1, "texts": ["x", "y"]}]}, "`texts` has 2"),
        ({"select": [{"xpath": "//a", "count": -1}]}, "negative"),
        ({"select": [{"xpath": "//a", "decimals": 1}]}, "is for `text`"),
        ({"select": [{"xpath": "//a", "contains": " "}]}, "is blank"),
        ({"namespaces": {"a b": "x"}, "contains": ["x"]}, "is not a prefix"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(fields, message):
    with pytest.raises(ValidationError, match=message):
        XmlCheck.model_validate({"path": "a", **fields})
