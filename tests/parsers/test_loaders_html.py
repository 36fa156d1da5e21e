"""HTML: what a reader of the page sees, in order."""

import pytest

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.html import load_html
from policy_rag_parsers.records import SourceText


def html(body: str) -> SourceText:
    return load_html(f"<html><head><title> My\n title</title></head><body>{body}</body></html>".encode())


def marked(source: SourceText) -> list[tuple[int, str]]:
    return [(mark.level, source.text[mark.start : mark.end]) for mark in source.headings]


def test_blocks_headings_and_inline_text() -> None:
    source = html(
        "<h1>Leave</h1><div>First <b>and</b>\n second.<p>A&nbsp;para&shy;graph<br>with a break</div>"
        "tail<h3 id=x>3. <i>Pay</i></h3>"
    )
    assert source.text == "Leave\n\nFirst and second.\n\nA paragraph\nwith a break\n\ntail\n\n3. Pay\n"
    assert marked(source) == [(1, "Leave"), (3, "3. Pay")]
    assert source.title == "My title"


def test_what_is_not_seen_is_left_out() -> None:
    source = html(
        "<script>a()</script><style>b{}</style><nav><a>Menu</a></nav><!-- c -->"
        "<p hidden>d</p><p style='display: none'>e</p>"
        "<div style='visibility:hidden'><p>f</p></div><p>kept <del>g</del>text<a class=headerlink>¶</a> tail</p>"
        "<noscript>h</noscript>"
    )
    assert source.text == "kept text tail\n"


def test_header_and_footer_of_a_page_with_a_main_part() -> None:
    page = "<header>{}</header><main><header>Owner: HR</header><p>Body</p></main>"
    page += "<aside>News</aside><footer>Imprint</footer>"
    assert html(page.format("Logo")).text == "Owner: HR\n\nBody\n"
    assert html(page.format("<h1>Leave</h1>")).text == "Leave\n\nOwner: HR\n\nBody\n"
    assert html("<header>Logo</header><p>Body</p><footer>Approved</footer>").text == "Logo\n\nBody\n\nApproved\n"


def test_lists_have_the_numbers_that_are_seen() -> None:
    source = html(
        "<p>Lead</p><ol type=a start=2><li>two<li value=5>five<ul><li>dot</ul><li>six</ol>"
        "<ol style='list-style-type: none'><li>(i) own</ol><ol reversed><li>last<li>first</ol>"
        "<ol type=I><li><p>one</p><p>more</p></ol>"
    )
    assert source.text == ("Lead\n\nb. two\ne. five\n• dot\nf. six\n(i) own\n2. last\n1. first\nI. one\nmore\n")


def test_heading_in_a_numbered_list_has_its_number() -> None:
    source = html("<ol><li><h2>Scope</h2><p>x</p></li><li><h2>Terms</h2></li></ol>")
    assert marked(source) == [(2, "1. Scope"), (2, "2. Terms")]


def test_tables() -> None:
    source = html(
        "<p>Before</p><table><caption>Limits</caption><thead><tr><th>City<th>Rate</thead>"
        "<tr><td rowspan=2>Paris<td>200<br>EUR<tr><td><p>150</p><p>CHF</p>"
        "<tr><td></td></tr><tr><td colspan=2>All</table><p>After"
    )
    assert source.text == "Before\n\nLimits\n\nCity | Rate\nParis | 200 EUR\nParis | 150 CHF\nAll | \n\nAfter\n"
    (table,) = source.tables
    assert source.text[table.start : table.header_end] == "City | Rate"
    assert source.text[table.start : table.end] == "City | Rate\nParis | 200 EUR\nParis | 150 CHF\nAll | "


def test_a_cell_over_several_rows_stands_in_each_that_says_something() -> None:
    long = "It is paid for once in three years. " * 4
    source = html(
        "<table><thead><tr><th rowspan=2>City<th colspan=2>Rate<tr><th>low<th>high</thead>"
        "<tr><td>Rome<td>1<td>2<tr><td rowspan=3>Paris<td colspan=2 rowspan=2>by request<tr></tr><tr><td>3<td>4"
        f"<tr><td>Bonn<td rowspan=2>5<td rowspan=2>{long}<tr><td>Kiel</table>"
    )
    assert source.text == (
        "City | Rate | \n | low | high\nRome | 1 | 2\nParis | by request | \nParis | 3 | 4\n"
        f"Bonn | 5 | {long.strip()}\nKiel | 5 | \n"
    )


def test_a_table_without_header_and_one_for_layout() -> None:
    (table,) = html("<table><tr><td>a<td>b<tr><td>c<td>d</table>").tables
    assert table.header_end == table.start
    source = html("<table><tr><td>Side</td><td><h2>1. Scope</h2><p>Text</p></td></tr></table>")
    assert source.tables == ()
    assert source.text == "Side\n\n1. Scope\n\nText\n"
    assert marked(source) == [(2, "1. Scope")]


def test_whole_bold_lines() -> None:
    assert marked(html("<p><b>1. Scope</b></p><p>x</p><p><b>1.1 <i>Staff</i></b></p><p><b>Bold.</b> Text</p>")) == [
        (1, "1. Scope"),
        (2, "1.1 Staff"),
    ]
    below = html("<h1>Leave</h1><h2>1. Scope</h2><p><b>1.1 Staff</b></p><p><b>2. Pay</b></p><p><b>Note</b></p>")
    assert marked(below) == [(1, "Leave"), (2, "1. Scope"), (4, "1.1 Staff"), (2, "2. Pay")]
    assert marked(html("<p><strong>Purpose</strong></p><p>x</p><p><strong>Note: this.</strong></p>")) == [
        (1, "Purpose")
    ]


@pytest.mark.parametrize(
    "data",
    [
        "<meta charset='windows-1252'><p>Größe – 5 €".encode("cp1252"),
        "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'><p>Größe – 5 €".encode("cp1252"),
        "<meta charset=utf-8><p>Größe – 5 €".encode(),
        "<meta charset=utf-8><p>Größe – 5 €".encode("cp1252"),
        "<p>Größe – 5 €".encode("utf-16"),
        b"<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><body>"
        + "<p>Größe – 5 €</p></body></html>".encode(),
    ],
    ids=["cp1252", "latin1", "utf-8", "wrongly declared", "utf-16", "xhtml"],
)
def test_encodings(data: bytes) -> None:
    assert load_html(data).text == "Größe – 5 €\n"


def test_deep_nesting() -> None:
    assert html("<div>" * 1900 + "deep" + "</div>" * 1900).text == "deep\n"
    with pytest.raises(LoadError, match="nests its elements more than 2,000 deep"):
        html("<div>" * 3000 + "deep" + "</div>" * 3000)


def test_nothing_but_a_comment() -> None:
    with pytest.raises(LoadError, match="holds no HTML"):
        load_html(b"<!-- nothing -->")


def test_broken_markup() -> None:
    assert html("<p>a<table><tr><td>b</p></b></i></td></table><p>c &#xD800; &bogus; <x>d").text.startswith("a")


def test_a_page_of_pre_formatted_text() -> None:
    assert html("<pre>1. Scope\n   All staff.\n\n2. Pay</pre>").text == "1. Scope\nAll staff.\n2. Pay\n"
