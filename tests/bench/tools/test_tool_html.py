"""Readable text of HTML pages."""

import pytest

from clawgym_bench.tools.html_text import html_to_text, page_title


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h2>A  b</h2><p>one<br>two</p><p>three</p>", "## A b\n\none\ntwo\n\nthree"),
        ("<p>a <b>bold</b> <i>word</i>.</p>", "a bold word."),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"),
        ("<pre>x = 1\n  y</pre>", "```\nx = 1\n  y\n```"),
        ("<p>use <code>ls -a</code></p>", "use `ls -a`"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<a href='x.html'>go</a>", "[go](https://s.example/d/x.html)"),
        ("<a href='#top'>up</a> <a href='javascript:x()'>js</a>", "up js"),
        ("<a href='/p'><h3>Card</h3><p>text</p></a>", "### Card\n\ntext"),
        ("<img src=a.png alt='A chart'>", "[image: A chart]"),
        ("<p>5 &lt; 6 &amp; caf&eacute;</p>", "5 < 6 & café"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "Term\n\nMeaning"),
        ("text only", "text only"),
        ("", ""),
        ("<!-- note --><p>x</p>", "x"),
    ],
)
def test_keeps_the_shape_of_the_page(source, text):
    assert html_to_text(source.encode(), base="https://s.example/d/") == text


def test_tables_keep_rows_columns_and_spans():
    source = (
        "<table><caption>Sales</caption><thead><tr><th>Vendor<th>Total</thead>"
        "<tr><td>Aster | Co<td>7<tr><td colspan=2>none</table>"
    )
    assert html_to_text(source.encode()) == (
        "Sales\n\n| Vendor | Total |\n| --- | --- |\n| Aster \\| Co | 7 |\n| none |  |"
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<p hidden>x</p>",
        "<div style='Display: none'>x</div>",
        "<span aria-hidden='true'>x</span>",
        "<template><p>x</p></template>",
    ],
)
def test_leaves_out_what_the_page_hides(hidden):
    assert html_to_text(f"<body>{hidden}<p>seen</p></body>".encode()) == "seen"


def test_text_after_a_hidden_element_stays():
    assert html_to_text(b"<p>a<script>x</script>b</p>") == "ab"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_reads_undeclared_utf8_and_declared_encodings(encoding):
    source = f"<meta charset={encoding}><title>É</title><p>é</p>"
    if encoding == "utf-8":
        source = source.replace("<meta charset=utf-8>", "")
    assert html_to_text(source.encode(encoding)) == "é"
    assert page_title(source.encode(encoding)) == "É"


def test_deeply_nested_pages_do_not_crash():
    html_to_text(b"<div>" * 5_000 + b"x" + b"<ul><li>" * 5_000)
