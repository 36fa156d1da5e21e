"""Word documents from a few lines of their XML, read by the loader."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import docx
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml

from policy_rag_parsers.loaders.docx.document import load_docx
from policy_rag_parsers.records import SourceText

_NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def element(xml: str) -> Any:
    """An element with the namespaces w, r, m and mc declared."""
    name = xml[1:].split(None, 1)[0].split(">", 1)[0].rstrip("/")
    return parse_xml(f"<{name} {_NAMES}{xml[1 + len(name) :]}")


def put(document: Any, *blocks: str) -> None:
    """Add blocks at the end of a document's body."""
    for block in blocks:
        document.element.body.insert_element_before(element(block), "w:sectPr")


def style(identity: str) -> str:
    """The property of a paragraph that it has a style."""
    return f'<w:pStyle w:val="{identity}"/>'


def counted(depth: int = 0, number: int = 50) -> str:
    """The property of a paragraph that a list counts it."""
    return f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'


def add_list(
    document: Any, *levels: tuple[str, str], extra: str = "", numbers: Mapping[int, str] | None = None
) -> None:
    """Add an abstract list with the format and text of each level, and its lists with what they override."""
    written = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{extra}<w:lvlText w:val="{text}"/></w:lvl>'
        for depth, (form, text) in enumerate(levels)
    )
    lists = numbers or {50: ""}
    name = min(lists)
    root = document.part.numbering_part.element
    root.insert(0, element(f'<w:abstractNum w:abstractNumId="{name}">{written}</w:abstractNum>'))
    for number, overrides in lists.items():
        root.append(element(f'<w:num w:numId="{number}"><w:abstractNumId w:val="{name}"/>{overrides}</w:num>'))


def read_list(*blocks: str) -> SourceText:
    """What the loader makes of blocks of XML, those that are `counted()` numbered 1., 2., 3."""

    def build(document: Any) -> None:
        add_list(document, ("decimal", "%1."))
        put(document, *blocks)

    return read(build)


def add_part(document: Any, kind: str, name: str, content_type: str, data: bytes) -> str:
    """Add a part of the package and return the id of the relation to it."""
    part = Part(PackURI(f"/word/{name}"), content_type, data, document.part.package)
    return str(document.part.relate_to(part, _RELATIONS + kind))


def add_xml_part(document: Any, kind: str, xml: str) -> str:
    """Add a part that holds XML with one root element."""
    name = xml[1:].split(None, 1)[0].split(">", 1)[0]
    data = f"<{name} {_NAMES}{xml[1 + len(name) :]}".encode()
    return add_part(document, kind, f"{kind}.xml", "application/xml", data)


def saved(build: Callable[[Any], object]) -> bytes:
    """The bytes of a new document that `build` has filled."""
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def read(build: Callable[[Any], object]) -> SourceText:
    """What the loader makes of a new document that `build` has filled."""
    return load_docx(saved(build))


def read_body(*blocks: str) -> SourceText:
    """What the loader makes of blocks of XML."""
    return read(lambda document: put(document, *blocks))


def rewritten(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A package with each part put through `change`, which gets its name too."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts: Mapping[str, bytes] = {name: change(name, archive.read(name)) for name in archive.namelist()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def para(*runs: str, properties: str = "") -> str:
    """A paragraph; text that is no XML becomes a run."""
    inner = "".join(part if part.startswith("<") else run(part) for part in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def table(*rows: tuple[str, ...], properties: str = "") -> str:
    """A table; a cell is the XML of its blocks, or its text."""
    written = "".join(
        "<w:tr>" + "".join(f"<w:tc>{cell if cell.startswith('<') else para(cell)}</w:tc>" for cell in row) + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid/>{written}</w:tbl>"
