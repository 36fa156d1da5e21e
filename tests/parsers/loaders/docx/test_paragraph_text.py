"""DOCX: raised digits, what is struck out or hidden, signs of symbol fonts, formulas, form fields, notes."""

from typing import Any

import pytest
from word_files import add_list, add_xml_part, counted, element, para, put, read, read_body, run, style

from policy_rag_parsers.loaders.symbol_fonts import readable

RAISED = '<w:vertAlign w:val="superscript"/>'


def text_of(*blocks: str) -> str:
    return read_body(*blocks).text


def define(document: Any, identity: str, kind: str, properties: str, based_on: str = "") -> None:
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    document.styles.element.append(
        element(
            f'<w:style w:type="{kind}" w:styleId="{identity}"><w:name w:val="{identity}"/>{base}'
            f"<w:rPr>{properties}</w:rPr></w:style>"
        )
    )


def test_raised_digits_do_not_change_the_figure_before_them() -> None:
    level, lowered = (f'<w:vertAlign w:val="{kind}"/>' for kind in ("baseline", "subscript"))
    blocks = {
        para("up to 50", run("2", RAISED), " euros"): "up to 50[2] euros",
        para("20 m", run("2", RAISED), run(", 4 × 10"), run("6", RAISED)): "20 m², 4 × 10^6",
        para("11", run("1", RAISED), run("2", RAISED), " days on the 1", run("st", RAISED)): "11[12] days on the 1st",
        para("50", run("1", level), " euros, CO", run("2", lowered)): "501 euros, CO2",
    }
    assert text_of(*blocks) == "\n\n".join(blocks.values()) + "\n"


def test_digits_raised_by_a_character_style() -> None:
    def build(document: Any) -> None:
        define(document, "NoteMark", "character", RAISED)
        put(document, para("150", run("3", '<w:rStyle w:val="NoteMark"/>'), " euros"))

    assert read(build).text == "150[3] euros\n"


def test_struck_out_text_is_left_out() -> None:
    blocks = [
        para("Limit ", run("75 ", "<w:strike/>"), run("60 ", "<w:dstrike/>"), "50 euros"),
        para(run("kept", '<w:strike w:val="0"/><w:dstrike w:val="false"/>')),
    ]
    assert text_of(*blocks) == "Limit 50 euros\n\nkept\n"


def test_text_hidden_or_struck_out_by_its_style_is_left_out() -> None:
    def build(document: Any) -> None:
        define(document, "Hidden", "character", "<w:vanish/>")
        define(document, "Below", "character", "", based_on="Hidden")
        define(document, "Draft", "paragraph", "<w:vanish/>")
        define(document, "Repealed", "paragraph", "<w:strike/>")
        shown = '<w:vanish w:val="0"/>'
        put(
            document,
            para("Seen ", run("not ", '<w:rStyle w:val="Below"/>'), "this"),
            para("Drafting note", run("shown", shown), properties=style("Draft")),
            para("Old rule", properties=style("Repealed")),
        )

    assert read(build).text == "Seen this\n\nshown\n"


def test_a_hidden_paragraph_is_not_counted() -> None:
    def build(document: Any) -> None:
        define(document, "Draft", "paragraph", "<w:vanish/>")
        add_list(document, ("decimal", "%1."))
        for text, own in (("First", ""), ("Hidden", style("Draft")), ("Second", "")):
            put(document, para(text, properties=own + counted()))

    assert read(build).text == "1. First\n2. Second\n"


def sign(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def test_signs_of_symbol_fonts() -> None:
    blocks = {
        para("Hotel ", sign("Symbol", "F0A3"), " 150"): "Hotel ≤ 150",
        para(sign("Wingdings", "F0FE"), " Taxi"): "☑ Taxi",
        para(sign("Wingdings", "F0A8"), " Car"): "☐ Car",
        para("at least \uf0b3 60"): "at least ≥ 60",
        para(run("\uf0fe", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'), " Train"): "☑ Train",
        para(sign("Arial", "2265"), " 7"): "≥ 7",
        para(run("a", '<w:rFonts w:ascii="Symbol" w:asciiTheme="minorHAnsi"/>')): "a",  # the theme's is no symbol font
    }
    source = read_body(*blocks)
    assert source.text == "\n\n".join(blocks.values()) + "\n"
    assert source.notes == ()


def test_signs_that_no_character_stands_for_are_told() -> None:
    drawing = sign("Webdings", "F04E")
    source = read_body(para("Look ", drawing, drawing), para(sign("Wingdings 3", "F04E"), "up"))
    assert source.text == "Look\n\nup\n"
    assert source.notes == (
        "2 signs of the font Webdings left out, as no character stands for them",
        "1 sign of the font Wingdings 3 left out, as no character stands for them",
    )


def test_embedded_objects_are_told() -> None:
    shown = '<w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.3"/></w:object></w:r>'
    source = read_body(para("It is: ", shown, shown, " in euros."))
    assert source.text == "It is: in euros.\n"
    assert source.notes == ("2 embedded objects of Equation.3 left out; write what they show as text",)


@pytest.mark.parametrize(
    ("text", "font", "expected"),
    [
        ("\uf061\uf0b4", "Symbol", "α×"),
        ("£", "symbol", "≤"),
        ("Limit", "Symbol", "Limit"),
        ("o", "Wingdings", "☐"),
        ("o", "Arial", "o"),
        ("£", "Arial", "£"),
        ("R", "Wingdings 2", "☑"),
        ("§ 3 Größe", "", "§ 3 Größe"),
    ],
)
def test_readable(text: str, font: str, expected: str) -> None:
    assert readable(text, font) == (expected, 0)


def math(inner: str) -> str:
    return f"<m:oMath>{inner}</m:oMath>"


def term(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def test_formulas() -> None:
    fraction = f"<m:f><m:num>{term('salary×years')}</m:num><m:den>{term('80')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{term('x')}</m:e><m:sup>{term('n+1')}</m:sup></m:sSup>"
    root = f"<m:rad><m:radPr/><m:deg/><m:e>{term('a+b')}</m:e></m:rad>"
    brackets = f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{term("a")}</m:e></m:d>'
    total = f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{term("i")}</m:sub><m:sup/><m:e>{term("c")}</m:e></m:nary>'
    gone = f"<w:del>{term('z')}</w:del>"
    blocks = {
        para("It is: ", math(term("A=15×d−12") + gone), " in euros."): "It is: A=15×d−12 in euros.",
        para(f"<m:oMathPara>{math(term('P=') + fraction)}{math(power)}</m:oMathPara>"): (
            "P=(salary×years)/80\nx^(n+1)"
        ),
        para(math(root + term("=") + brackets + total)): "√(a+b)=[a]∑_ic",
    }
    assert text_of(*blocks) == "\n\n".join(blocks.values()) + "\n"


def field(data: str, result: str = "") -> str:
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
        '<w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f'{run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def test_form_fields_show_what_is_chosen() -> None:
    listed = '<w:listEntry w:val="Low"/><w:listEntry w:val="High"/>'
    chosen = field(f'<w:ddList><w:result w:val="1"/>{listed}</w:ddList>', "shown twice")
    none = field('<w:ddList><w:result w:val="9"/></w:ddList>')
    blocks = {
        para("Grade ", chosen, "."): "Grade High.",
        para("First ", field(f"<w:ddList>{listed}</w:ddList>"), ", none ", none): "First Low, none",
        para(field("<w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox>"), " with"): "☒ with",
        para(field("<w:checkBox><w:default w:val='0'/></w:checkBox>"), " without"): "☐ without",
        para(field("<w:checkBox><w:default/><w:checked w:val='0'/></w:checkBox>"), " cleared"): "☐ cleared",
        para("Name: ", field("<w:textInput/>", "Ada"), "."): "Name: Ada.",
    }
    assert text_of(*blocks) == "\n\n".join(blocks.values()) + "\n"


def shown(instruction: str, result: str) -> str:
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    return f"{marks[0]}{instruction}{marks[1]}{result}{marks[2]}"


def test_a_field_inside_the_instruction_of_another_is_not_shown() -> None:
    code = "<w:r><w:instrText> {} </w:instrText></w:r>"
    inner = shown(code.format("DOCPROPERTY Grade"), run("M"))
    outer = shown(code.format("IF") + inner + code.format('= "M" "30" "25"'), run("30") + shown("", run(" working")))
    assert text_of(para("Staff get ", outer, " days.")) == "Staff get 30 working days.\n"
    assert text_of(para('<w:r><w:fldChar w:fldCharType="end"/></w:r>', "kept")) == "kept\n"


def test_how_a_word_is_spoken_is_no_text() -> None:
    spoken = f"<w:ruby><w:rubyPr/><w:rt>{run('yasumi')}</w:rt><w:rubyBase>{run('休')}</w:rubyBase></w:ruby>"
    assert text_of(para("Leave is ", f"<w:r>{spoken}</w:r>", ".")) == "Leave is 休.\n"


def test_notes_are_read_as_text_is() -> None:
    notes = (
        '<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>'
        f'<w:footnote w:id="2">{para("<w:r><w:footnoteRef/></w:r>", "twenty", "<w:r><w:tab/></w:r>", "four", "<w:r><w:br/></w:r>", "hours")}'
        f"{para('or 50', run('3', RAISED), run(' hidden', '<w:vanish/>'), ' euros')}</w:footnote>"
        f'<w:footnote w:id="3">{para(run("all hidden", "<w:vanish/>"))}</w:footnote></w:footnotes>'
    )

    def build(document: Any) -> None:
        add_xml_part(document, "footnotes", notes)
        refer = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="{}"/></w:r>'
        put(document, para("20 m", run("2", RAISED), refer.format(2), " of", refer.format(3), refer.format(0), " it"))

    assert read(build).text == "20 m²[1] of it\n\n[1] twenty four hours or 50[3] euros\n"


def test_a_note_that_refers_to_itself_ends() -> None:
    refer = '<w:r><w:footnoteReference w:id="2"/></w:r>'

    def build(document: Any) -> None:
        add_xml_part(
            document, "footnotes", f'<w:footnotes><w:footnote w:id="2">{para("See", refer)}</w:footnote></w:footnotes>'
        )
        put(document, para("Text", refer))

    assert read(build).text == "Text[1]\n\n[1] See\n"
