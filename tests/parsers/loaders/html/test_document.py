"""HTML: what a reader of the page sees, in order."""

import pytest

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.html.document import load_html
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


@pytest.mark.parametrize(
    "struck",
    [
        "<s>five </s>",
        "<strike>five </strike>",
        "<del>five </del>",
        "<span style='text-decoration: line-through'>five </span>",
        "<span style='text-decoration-line:underline line-through'>five </span>",
        "<span style='mso-hide:all'>five </span>",
        "<span class=MsoCommentReference><a class=msocomanchor href='#_msocom_1'>[A1]</a></span>",
    ],
)
def test_what_is_struck_out_or_said_beside_the_text_is_left_out(struck: str) -> None:
    assert html(f"<p>Kept {struck}seven years.</p>").text == "Kept seven years.\n"
    table = f"<table><tr><td>a<td>Kept {struck}seven years.<tr style='display:none'><td>b<td>c</table>"
    assert html(table).text == "a | Kept seven years.\n"


def test_the_list_of_comments_that_word_appends_is_left_out() -> None:
    comments = (
        "<div style='mso-element:comment-list'><hr class=msocomoff><div class=msocomtxt><p>Is it?</p></div></div>"
    )
    assert html(f"<p>Text.</p>{comments}").text == "Text.\n"


def test_signs_of_symbol_fonts_are_what_they_show() -> None:
    def sign(font: str, text: str) -> str:
        return f"<span style='color:red;font-family:{font}'>{text}</span>"

    page = f"<p>Kept {sign('Symbol', '&pound;')} 3 months. {sign('&quot;Wingdings 2&quot;', '&pound;')} no "
    assert html(f"{page}<font face=Wingdings>&thorn;</font> yes").text == "Kept ≤ 3 months. ☐ no ☑ yes\n"
    other = f"<p>{sign('Segoe UI Symbol', '£')} {sign('Symbol', 'two <b>words</b>')}"
    assert html(other).text == "£ two words\n"


def test_formulas_and_check_boxes_are_read() -> None:
    fraction = "<mfrac><mrow><mn>15</mn><mo>×</mo><mi>d</mi></mrow><mn>2</mn></mfrac>"
    formula = f"<math><mi>A</mi><mo>=</mo>{fraction}<mo>+</mo><msup><mi>x</mi><mn>2</mn></msup></math>"
    assert html(f"<p>Pay {formula}.</p>").text == "Pay A = (15 × d)/2 + x^2.\n"
    boxes = "<p><input type=checkbox checked>Taxi <input type=checkbox> <label>Car</label></p>"
    assert html(boxes).text == "☒ Taxi ☐ Car\n"
    assert html("<table><tr><td><input type=radio checked><td>Bus</table>").text == "☒ | Bus\n"
    assert html("<input type=checkbox id=menu><div>Text</div><input type=text value=x>").text == "Text\n"
    assert html(f"<p>a {'<mrow>' * 300}</p><math>{'<mrow>' * 300}b</math>").text == "a\n"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("up to 150<sup>1</sup> euros", "up to 150[1] euros"),
        ("up to 150<span style='vertical-align: super'>1</span> euros", "up to 150[1] euros"),
        ("up to 150<sup><a href='#n'>1)</a></sup> euros", "up to 150[1] euros"),
        ("11<sup>1</sup><sup>2</sup> days", "11[1][2] days"),
        ("10<sup>6</sup> users on 20 m<sup>2</sup>", "10^6 users on 20 m²"),
        ("(1) <sup>1</sup>Reisen sind frei. <SUP>2</SUP>Sie gelten.", "(1) 1 Reisen sind frei. 2 Sie gelten."),
        ("on the 1<sup>st</sup> day", "on the 1st day"),
        ("the CO<sub>2</sub> of staff<sup>[footnote 1]</sup> here", "the CO2 of staff[footnote 1] here"),
    ],
)
def test_raised_text_changes_no_figure(markup: str, text: str) -> None:
    assert html(f"<p>{markup}</p>").text == f"{text}\n"
    assert html(f"<table><tr><td>a<td>{markup}</table>").text == f"a | {text}\n"


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


def test_an_item_with_a_marker_of_its_own_is_not_counted() -> None:
    source = html(
        "<ol><li>(1) one<ol><li>(a) chairs<li>b) lamps</ol><li>(2) two</ol><ul><li>(c) beds</ul>"
        "<ol><li>1. first<li>2.5 million<li>3.1 Third<li>i.e. this</ol>"
    )
    own = "(1) one\n(a) chairs\nb) lamps\n(2) two\n(c) beds\n"
    assert source.text == own + "1. first\n2. 2.5 million\n3.1 Third\n4. i.e. this\n"


def test_terms_that_are_markers_stand_before_their_text() -> None:
    source = html(
        "<p>It covers</p><dl><dt>1.<dd><div>trains and<dl><dt>a)<dd>seats,<dt>b)<dd>beds,</dl></div>"
        "<dt>2a.<dd>buses.</dl><p>Else not.</p><dl><dt>Trip<dd>A journey.<dt>Day<dd>24 hours.</dl>"
    )
    assert source.text == (
        "It covers\n\n1. trains and\na) seats,\nb) beds,\n2a. buses.\n\nElse not.\n\n"
        "Trip\n\nA journey.\n\nDay\n\n24 hours.\n"
    )


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


CLAUSES = "<tr><td>1.<td><b>Payment</b><tr><td><p>1.1</p><td><p>We pay.</p><p>At once.</p><tr><td>1.2<td>"


def test_clauses_set_in_a_table_are_read_as_text() -> None:
    source = html(f"<h1>Terms</h1><table>{CLAUSES}</table><p>End.</p>")
    assert source.tables == ()
    assert source.text == "Terms\n\n1. Payment\n1.1 We pay.\nAt once.\n1.2\n\nEnd.\n"
    head = html("<table><tr><td>2.</td><td><h2>Liability</h2></td></tr><tr><td>2.1</td><td>None.</td></tr></table>")
    assert head.text == "2. Liability\n\n2.1 None.\n"
    assert marked(head) == [(2, "2. Liability")]


@pytest.mark.parametrize(
    "table",
    [
        f"<table border=1>{CLAUSES}</table>",
        f"<table style='border:none; border-top: 1pt solid #000'>{CLAUSES}</table>",
        "<table><tr><th>No.<th>Rule<tr><td>1.1<td>We pay.</table>",
        "<table><tr><td>1.1<td>We pay.<td>You pay.</table>",
        "<table><tr><td>10<td>euros<tr><td>20<td>pounds</table>",
        "<table><tr><td>1.1<td>We pay.<tr><td>Total<td>5</table>",
    ],
)
def test_tables_with_numbers_that_set_no_clauses(table: str) -> None:
    assert len(html(table).tables) == 1


def test_a_column_without_a_header_is_read_as_text() -> None:
    framed = html("<table><tr><td><p><b>1. Scope</b></p><p>All staff.</p></td></tr><tr><td>The end.</td></tr></table>")
    assert framed.tables == ()
    assert framed.text == "1. Scope\n\nAll staff.\n\nThe end.\n"
    assert len(html("<table><tr><th>Cities<tr><td>Rome<tr><td>Oslo</table>").tables) == 1


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
