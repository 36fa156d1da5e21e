"""HTML: what a reader of the page sees, in order: the pages of `pages.yaml`, and tables of variants."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from shown_source import headings

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.html.document import load_html
from policy_rag_parsers.records import SourceText


def html(body: str) -> SourceText:
    return load_html(f"<html><head><title> My\n title</title></head><body>{body}</body></html>".encode())


PAGES = yaml.safe_load(Path(__file__).with_name("pages.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in PAGES])
def test_golden_pages(case: dict[str, Any]) -> None:
    source = html(case["html"])
    assert source.text == case["text"]
    assert headings(source) == case.get("headings", [])
    assert [source.text[table.start : table.header_end] for table in source.tables] == case.get("tables", [])
    assert source.title == "My title"


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


CLAUSES = "<tr><td>1.<td><b>Payment</b><tr><td><p>1.1</p><td><p>We pay.</p><p>At once.</p><tr><td>1.2<td>"


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
    assert html(f"<p>a {'<mrow>' * 300}</p><math>{'<mrow>' * 300}b</math>").text == "a\n"
    assert html("<div>" * 1900 + "deep" + "</div>" * 1900).text == "deep\n"
    with pytest.raises(LoadError, match="nests its elements more than 2,000 deep"):
        html("<div>" * 3000 + "deep" + "</div>" * 3000)


def test_nothing_but_a_comment() -> None:
    with pytest.raises(LoadError, match="holds no HTML"):
        load_html(b"<!-- nothing -->")


def test_broken_markup() -> None:
    assert html("<p>a<table><tr><td>b</p></b></i></td></table><p>c &#xD800; &bogus; <x>d").text.startswith("a")
