"""Files that are made to hurt whoever reads them: each is refused with one line, and the ones beside it are taken in."""

import io
import random
import zipfile
import zlib

import pytest
from attack_scale import seeds, some

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.loaders.discovery import FoundFile

LIMITS = ParsingSettings(file_seconds=1, file_memory=640, file_chars=2_000_000, file_megabytes=32)
PLAIN = "# Leave\n\n## 1. Scope\n\nEach employee has 30 days of leave.\n"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def page(body, head=""):
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def word(body, numbering=None, extra=()):
    """A Word document of this body."""
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
        '<Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>'
        "</Types>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr(
            "_rels/.rels",
            relations.format(f'<Relationship Id="r1" Type="{kind}/officeDocument" Target="word/document.xml"/>'),
        )
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        if numbering:
            archive.writestr(
                "word/_rels/document.xml.rels",
                relations.format(f'<Relationship Id="r1" Type="{kind}/numbering" Target="numbering.xml"/>'),
            )
            archive.writestr("word/numbering.xml", f"<w:numbering {W}>{numbering}</w:numbering>")
        for name, data in extra:
            archive.writestr(name, data)
    return made.getvalue()


def paragraphs(count, numbered=False):
    number = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>' if numbered else ""
    return f"<w:p>{number}<w:r><w:t>Each employee</w:t></w:r></w:p>" * count


def a_list(style, start):
    return (
        f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="{start}"/><w:numFmt w:val="{style}"/>'
        '<w:lvlText w:val="%1%1%1%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )


def pdf(objects, root=1):
    """A PDF of these objects, numbered from 1, without a table of where they are: readers look for them."""
    made = b"%PDF-1.7\n"
    for number, content in enumerate(objects, start=1):
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    return made + b"trailer << /Root %d 0 R /Size %d >>\n%%%%EOF\n" % (root, len(objects) + 1)


def stream(content, keys=b"", packed=False):
    data = zlib.compress(content, 9) if packed else content
    return b"<< %s /Length %d %s >> stream\n%s\nendstream" % (
        keys,
        len(data),
        b"/Filter /FlateDecode" if packed else b"",
        data,
    )


def one_page(
    content, resources=b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>", more=()
):
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources %s >>" % resources,
            content,
            *more,
        ]
    )


def forms(depth, width):
    """Form objects, each of which draws the next ones."""
    first = 5
    made = []
    for at in range(depth):
        following = min(at + 1, depth - 1)
        calls = b"/X Do " * width
        made.append(
            stream(
                calls,
                b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>"
                % (first + following),
            )
        )
    return one_page(stream(b"/X Do"), b"<< /XObject << /X 5 0 R >> >>", made)


def table(rows, cells, span):
    row = "<tr>" + f'<td rowspan="{span}" colspan="{span}">a</td>' * cells + "</tr>"
    return page(f"<table><tr><th>A</th><th>B</th></tr>{row * rows}</table>")


BOMB = b"\0" * 50_000_000  # eleven of them are more than may be unpacked

WIDE_CELL = '<w:tc><w:tcPr><w:gridSpan w:val="100000"/></w:tcPr><w:p/></w:tc>'

CASES = {
    "charset undefined.html": lambda: page("<p>Leave.</p>", '<meta charset="undefined">'),
    "charset idna.html": lambda: page("<p>Leave</p>" + "x" * 10_000, '<meta charset="idna">'),
    "charset punycode.html": lambda: page("<p>Leave</p>" + "x" * 500_000, '<meta charset="punycode">'),
    "charset escape.html": lambda: page("<p>\\ud800 Leave</p>", '<meta charset="unicode_escape">'),
    "charset zlib.html": lambda: page("<p>Leave.</p>", '<meta charset="zlib">'),
    "attributes.html": lambda: page("<p " + " ".join(f"a{i}=''" for i in range(80_000)) + ">Leave.</p>"),
    "row spans.html": lambda: table(2000, 20, 65534),
    "wide spans.html": lambda: table(30, 1000, 1000),
    "nested tables.html": lambda: page("<table><tr><td>" * 900 + "Leave" + "</td></tr></table>" * 900),
    "nested lists.html": lambda: page("<ol><li>" * 900 + "Leave"),
    "deep.html": lambda: page("<div>" * 100_000 + "Leave"),
    "entities.html": lambda: page("&amp;" * 2_000_000),
    "elements.html": lambda: page("<b>a</b>" * 1_500_000),
    "one line.md": lambda: b"employee " * 3_000_000,
    "one word.md": lambda: b"a" * 20_000_000,
    "one word.txt": lambda: b"a" * 1_900_000,
    "one line.txt": lambda: b"Each employee has 30 days. " * 60_000,
    "headings.md": lambda: b"".join(b"# %d\n" % i for i in range(150_000)),
    "deep headings.md": lambda: b"".join(b"%s Title\n\n" % (b"#" * (1 + i % 6)) for i in range(100_000)),
    "numbers.txt": lambda: b"".join(b"%s Title\n" % b".".join([b"1"] * (1 + i % 40)) for i in range(20_000)),
    "dots.txt": lambda: b"1." * 900_000,
    "list.md": lambda: b"".join(b"%s- item\n" % (b" " * (i % 2000)) for i in range(1500)),
    "quotes.md": lambda: b">" * 500_000 + b" a\n",
    "pipes.md": lambda: b"|" * 500_000 + b"\n" + b"|-" * 250_000 + b"\n",
    "brackets.md": lambda: b"[" * 300_000,
    "stars.md": lambda: b"*a " * 300_000,
    "ticks.md": lambda: b"`" * 300_000,
    "parentheses.txt": lambda: b"(a) " * 300_000,
    "references.md": lambda: b"see section 1.2.3(a)(b)(c) and " * 40_000,
    "blank lines.txt": lambda: b"\n" * 1_900_000 + b"a",
    "blanks.txt": lambda: b"a" + b" " * 1_900_000 + b"b",
    "tabs.txt": lambda: b"a\t" * 900_000,
    "form feeds.txt": lambda: b"a\x0c" * 500_000,
    "marks.txt": lambda: "a\u0301".encode() * 600_000,
    "long yaml.md": lambda: b"---\n" + b"a: b\n" * 200_000 + b"---\nLeave\n",
    "deep yaml.md": lambda: b"---\na: " + b"[" * 30_000 + b"\n---\nLeave\n",
    "aliases.md": lambda: (
        b"---\na: &a [x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (i, i) for i in range(2000)) + b"---\nLeave\n"
    ),
    "long number.md": lambda: b"---\nversion: " + b"1" * 60_000 + b"\n---\nLeave\n",
    "letters.docx": lambda: word(paragraphs(3000, numbered=True), a_list("lowerLetter", 999_999)),
    "Roman.docx": lambda: word(paragraphs(3000, numbered=True), a_list("upperRoman", 999_999)),
    "zip bomb.docx": lambda: word(paragraphs(1), extra=[(f"word/media/{i}.xml", BOMB) for i in range(11)]),
    "long part.docx": lambda: word(paragraphs(400_000)),
    "wide cells.docx": lambda: word(f"<w:tbl><w:tr>{WIDE_CELL * 2000}</w:tr></w:tbl>" + paragraphs(1)),
    "deep.docx": lambda: word("<w:tbl><w:tr><w:tc>" * 200 + paragraphs(1) + "</w:tc></w:tr></w:tbl>" * 200),
    "forms.pdf": lambda: forms(40, 8),
    "forms of forms.pdf": lambda: forms(1, 1000),
    "bomb.pdf": lambda: one_page(stream(b"(a) Tj " * 10_000_000, packed=True)),
    "words.pdf": lambda: one_page(
        stream(b"BT /F1 9 Tf 1 0 0 1 50 700 Tm " + b"(Leave) Tj 1 1 Td " * 200_000 + b"ET", packed=True)
    ),
    "pages.pdf": lambda: pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count 100000 >>" % (b"3 0 R " * 100_000),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        ]
    ),
    "loop.pdf": lambda: pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 9 >>"]),
    "empty.pdf": lambda: b"%PDF-1.7\n",
    "empty.docx": lambda: b"PK\x05\x06" + b"\0" * 18,
}


@pytest.fixture(scope="module")
def reader():
    with FileReader(LIMITS) as made:
        yield made


def read(reader, path):
    """The sections of a file, or why it has none."""
    try:
        return reader.sections(FoundFile(path, path.parent, path.name), {}, None)
    except PolicyRagError as error:
        return str(error)


def is_reason(found, path):
    return isinstance(found, str) and path.name in found and "\n" not in found and len(found) < 1000


@pytest.mark.parametrize("name", some(list(CASES)))
def test_a_hostile_file_is_read_or_refused_and_the_next_one_is_read(reader, tmp_path, name):
    path = tmp_path / name.replace(" ", "-")
    path.write_bytes(CASES[name]())
    (tmp_path / "leave.md").write_text(PLAIN)
    found = read(reader, path)
    assert isinstance(found, tuple) or is_reason(found, path)
    assert [section.title for section in read(reader, tmp_path / "leave.md")] == ["Leave", "Scope"]


SEEDS = {
    ".md": [PLAIN.encode(), b"---\ntitle: Leave\nversion: 1.2\n---\n# Leave\n\n- (a) one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"],
    ".txt": [b"LEAVE\n\n1. Scope\n\n1.1 Each employee has leave.\n\n(a) one\n(b) two\n", "Übersicht\n\n§ 1 Geltung\n".encode()],
    ".html": [page("<h1>Leave</h1><ol><li>one<table><tr><th>a</th><td rowspan=2>b</td></tr></table></li></ol>", '<meta charset="utf-8">')],
    ".docx": [word(paragraphs(5, numbered=True), a_list("lowerLetter", 1))],
    ".pdf": [one_page(stream(b"BT /F1 9 Tf 50 700 Td (1. Scope) Tj 0 -20 Td (Each employee has leave.) Tj ET"))],
}  # fmt: skip


def mutated(data, draw):
    """Bytes with a few things wrong."""
    made = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(made) + 1)
        match draw.randrange(6):
            case 0:
                made[at : at + draw.randint(1, 40)] = b""
            case 1:
                made[at:at] = draw.randbytes(draw.randint(1, 20))
            case 2:
                made[at:at] = bytes(made[draw.randrange(len(made) + 1) :][: draw.randint(1, 60)]) * draw.choice(
                    [1, 3, 3000]
                )
            case 3:
                made[at : at + 1] = bytes([draw.randrange(256)])
            case 4:
                made[at:at] = draw.choice(
                    [b"9" * 30, b"\0", b"\xff\xfe", b"---\n", b"<", b"](", b"\xed\xa0\x80", b"-1 ", b"\r"]
                )
            case _:
                del made[at:]
        made = made or bytearray(b"x")
    return bytes(made)


@pytest.mark.parametrize("suffix", SEEDS)
@pytest.mark.parametrize("seed", seeds(160))
def test_a_mutated_file_is_read_or_refused(reader, tmp_path, seed, suffix):
    draw = random.Random(f"{seed}{suffix}")
    path = tmp_path / f"mutated{suffix}"
    path.write_bytes(mutated(draw.choice(SEEDS[suffix]), draw))
    found = read(reader, path)
    assert isinstance(found, tuple) or is_reason(found, path)
