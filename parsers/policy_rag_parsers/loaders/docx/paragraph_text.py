"""The text of a paragraph of a Word document, with what is met in it: notes, text boxes, breaks, form fields."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from itertools import takewhile
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.docx.math import formula
from policy_rag_parsers.loaders.docx.numbering import Numbering
from policy_rag_parsers.loaders.docx.styles import Look, Styles
from policy_rag_parsers.loaders.docx.xml import MATH, SKIPPED, M, R, W, child, flag, integer, value
from policy_rag_parsers.loaders.style_groups import LineLook
from policy_rag_parsers.loaders.superscripts import with_superscripts
from policy_rag_parsers.loaders.symbol_fonts import readable
from policy_rag_parsers.loaders.text_builder import one_line

NoteKey = tuple[str, str]  # "footnote" or "endnote", and its id
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_REFERENCES: Final = {W + "footnoteReference": "footnote", W + "endnoteReference": "endnote"}
_OLE: Final = "{urn:schemas-microsoft-com:office:office}"
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DIAGRAM_DATA: Final = f"{{{R.removesuffix('/')}}}dm"


class _Field(Enum):
    """How far a field has been read."""

    INSTRUCTION = auto()  # what it is to show
    RESULT = auto()  # what it shows
    WRITTEN = auto()  # a form field: what is chosen has been written, and what it shows is left out


class DocxParagraph:
    """The text of one paragraph with what was met in it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.look = LineLook(bold=True, underlined=True)  # what all of its text has
        self.breaks: list[int] = []  # pages begin before these parts
        self.notes: list[NoteKey] = []  # the notes that it refers to
        self.boxes: list[etree._Element] = []
        self.diagrams: list[str] = []  # the relations to what SmartArt shows
        self._inked = False
        self._raised: set[int] = set()  # these parts
        self._fields: list[_Field] = []  # those that are open

    @property
    def text(self) -> str:
        """All of it, not yet trimmed."""
        return "".join(self.parts)

    def add(self, text: str, look: Look) -> None:
        """Add text that has one look."""
        if not text:
            return
        if look.raised:
            self._raised.add(len(self.parts))
        self.parts.append(text)
        if text.strip():
            size = look.size or 0
            self.look = LineLook(
                size if not self._inked else min(size, self.look.size),
                self.look.bold and bool(look.bold),
                self.look.underlined and bool(look.underlined),
            )
            self._inked = True

    @property
    def in_instruction(self) -> bool:
        """Whether what comes is not shown, such as the result of a field that the instruction of another compares."""
        return _Field.WRITTEN in self._fields or _Field.INSTRUCTION in self._fields[:-1]

    def field(self, character: etree._Element) -> str:
        """Note where a field begins or ends; what is chosen in a drop-down list or check box that begins here."""
        kind = character.get(W + "fldCharType")
        if kind == "begin":
            choice = _choice(child(character, "ffData"))
            self._fields.append(_Field.INSTRUCTION if choice is None else _Field.WRITTEN)
            return choice or ""
        if kind == "separate" and self._fields and self._fields[-1] is _Field.INSTRUCTION:
            self._fields[-1] = _Field.RESULT
        elif kind == "end" and self._fields:
            self._fields.pop()
        return ""

    def write_raised(self, lead: str) -> None:
        """Write raised text as notes, powers and so on, `lead` standing before all; Word cuts it where it likes."""
        if self._raised:
            self.parts = with_superscripts(self.parts, self._raised, lead)


class TextReader:
    """Reads the paragraphs of one document, and counts its notes and the signs that it could not write."""

    def __init__(
        self, styles: Styles, numbering: Numbering, notes: Mapping[NoteKey, etree._Element], *, rendered: bool
    ) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._note_texts: dict[NoteKey, str] = {}
        self._note_numbers: dict[NoteKey, int] = {}
        # Where Word has left marks of its last layout, they count explicit breaks as well.
        self._rendered = rendered
        self.lost: Counter[str] = Counter()  # signs that no character stands for, by font
        self.objects: Counter[str] = Counter()  # embedded objects, by the program that shows them

    def read(self, element: etree._Element) -> DocxParagraph:
        """The text of a paragraph as its readers see it."""
        found = DocxParagraph()
        self._collect(element, found, self._styles.look(element))
        found.write_raised(" " if self._numbering.is_list(element) else "")
        return found

    def flat(self, container: etree._Element) -> str:
        """All paragraphs in an element, in tables and text boxes as well, as one line."""
        return one_line(" ".join(self.read(paragraph).text for paragraph in paragraphs(container)))

    def note(self, key: NoteKey) -> str:
        """A footnote or endnote as it is written: "[1] See ..."."""
        return f"[{self._note_numbers[key]}] {self._note_texts[key]}"

    def _collect(self, element: Iterable[etree._Element], found: DocxParagraph, look: Look) -> None:
        """Gather the text in an element. `look` is that of its runs unless they say otherwise."""
        for node in element:
            tag = node.tag
            if tag in SKIPPED or not isinstance(tag, str):
                continue
            if tag == W + "r":
                self._run(node, found, look)
            elif tag == MATH + "oMath":
                found.add(formula(node), look)
            elif tag == MATH + "oMathPara":
                found.add("\n".join(map(formula, node.iterchildren(MATH + "oMath"))), look)
            elif tag == W + "txbxContent":
                found.boxes.append(node)
            else:
                self._collect(node, found, look)

    def _run(self, run: etree._Element, found: DocxParagraph, paragraph: Look) -> None:
        look = self._styles.run_look(run, paragraph)
        if look.unseen:
            return
        for node in run:
            if node.tag in _REFERENCES:
                # The mark is written in brackets, and needs no raising.
                key = _REFERENCES[node.tag], node.get(W + "id", "")
                found.add(self._reference(key, found), look._replace(raised=False))
            elif node.tag == W + "ruby":  # how it is spoken stands above it in small signs
                self._collect(node.iterchildren(W + "rubyBase"), found, paragraph)
            else:
                found.add(self._run_text(node, found, look), look)

    def _run_text(self, node: etree._Element, found: DocxParagraph, look: Look) -> str:
        name = str(node.tag).removeprefix(W)
        if name == "fldChar":
            return found.field(node)
        if found.in_instruction:
            return ""
        if name == "t":
            return self._readable(node.text or "", look.font or "")
        if name == "sym":
            return self._readable(_character(node.get(W + "char", "")), node.get(W + "font", ""))
        if name in {"drawing", "pict", "object", M + "AlternateContent"}:
            found.boxes.extend(_text_boxes(node))
            found.diagrams.extend(part.get(_DIAGRAM_DATA, "") for part in node.iter(_DIAGRAM + "relIds"))
            self.objects.update(one.get("ProgID", "") for one in node.iter(_OLE + "OLEObject"))
        is_break = name == "br" and node.get(W + "type") == "page" and not self._rendered
        if is_break or name == "lastRenderedPageBreak":
            found.breaks.append(len(found.parts))
        return _SIGNS.get(name, "")

    def _readable(self, text: str, font: str) -> str:
        written, lost = readable(text, font)
        if lost:
            self.lost[font] += lost
        return written

    def _reference(self, key: NoteKey, found: DocxParagraph) -> str:
        if key not in self._note_texts:
            self._note_texts[key] = ""  # a note that refers to itself
            if key in self._notes:
                self._note_texts[key] = self.flat(self._notes[key])
        if not self._note_texts[key]:
            return ""
        number = self._note_numbers.setdefault(key, len(self._note_numbers) + 1)
        found.notes.append(key)
        return f"[{number}]"


def paragraphs(container: etree._Element) -> Iterator[etree._Element]:
    """All paragraphs in an element, those of tables and text boxes too, each once: no copies for old readers."""
    return (one for one in container.iter(W + "p") if next(one.iterancestors(M + "Fallback"), None) is None)


def _text_boxes(node: etree._Element) -> Iterator[etree._Element]:
    """The outermost boxes in an element, each once."""
    for box in node.iter(W + "txbxContent"):
        between = takewhile(lambda above: above is not node, box.iterancestors())
        if not any(above.tag in {M + "Fallback", W + "txbxContent"} for above in between):
            yield box


def _character(code: str) -> str:
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""


def _choice(field: etree._Element | None) -> str | None:
    """What an old form field shows: the chosen entry, or a box; None for a field whose text stands in the document."""
    entries, box = child(field, "ddList"), child(field, "checkBox")
    if entries is not None:
        listed = [value(entry, "") for entry in entries.iterchildren(W + "listEntry")]
        chosen = integer(child(entries, "result"), integer(child(entries, "default"), 0))
        return listed[chosen] if 0 <= chosen < len(listed) else ""
    if box is not None:
        state = child(box, "checked")
        return "☒" if flag(child(box, "default") if state is None else state) else "☐"
    return None
