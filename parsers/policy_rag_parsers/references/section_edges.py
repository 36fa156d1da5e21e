"""The edges between the sections of a document: where one refers to another, and where it makes an exception to it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from policy_rag_parsers.records import Edge, EdgeKind, Section, SourceText
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.text.sentences import Span, sentence_spans

_LIMITING: Final = re.compile(
    r"\b(?:subject to|notwithstanding|despite|regardless of|without prejudice to|waive[drs]?|waivers?|exempt\w*|"
    r"except\w*|exclu\w+|depart(?:s|ed|ures?)?|derogat\w+|overrid\w+|instead of|other than|"
    r"(?:do|does|shall|will)(?: not|n't) (?:apply|extend|cover|hold)|n(?:either|or|one)\b.{0,40}\bappl(?:y|ies)|"
    r"vorbehaltlich|ungeachtet|unbeschadet|abweich\w*|ausnahme\w*|ausgenommen|befrei\w*|"
    r"(?:gilt|gelten)(?: \w+){0,4} nicht|findet(?: \w+){0,4} keine anwendung|"
    r"sous réserve|nonobstant|par dérogation|exception|(?:ne |n['’])s['’]applique(?:nt)? pas)\b",
    re.IGNORECASE,
)
_DESPITE_TABLE: Final = re.compile(
    r"\b(?:whatever|despite|notwithstanding|regardless of|contrary to|ungeachtet|abweichend von|quoi que dise)"
    r"(?: what)?(?: (?:the|this|der|dieser|le))? (?:above |obigen |)(?:table|tabelle|tableau)\b",
    re.IGNORECASE,
)
_ROW: Final = re.compile(r"^[|].*[|]|\S(?: {3,}|\t)\S", re.MULTILINE)
_TABLE_BEFORE = 3  # sections before "whatever the table says" in which the table is looked for
_REACH = 2000


def find_edges(source: SourceText, sections: Sequence[Section]) -> tuple[Edge, ...]:
    """The edges between a document's sections, in order of `start`; none leads from a section to itself.

    A reference is an exception where its sentence limits what it refers to ("section 2 does not apply to ..."), and so
    is "whatever the table says" to the nearest of the three sections before it that has a table. What is said of other
    documents' sections gives no edge.

    Args:
        source: the document.
        sections: its sections in order.
    """
    found = [*_by_number(source, sections), *_by_table(source.text, sections)]
    return tuple(sorted(found, key=lambda edge: (edge.start, edge.end)))


def sentence_around(text: str, home: Section, at: int) -> Span:
    """The sentence of the section `home` at a place in it; of a paragraph without end, what is near."""
    first, last = max(home.start, at - _REACH), min(home.end, at + _REACH)
    start, end = text.rfind("\n\n", first, at), text.find("\n\n", at, last)
    around = max(first, start), last if end < 0 else end
    return next((span for span in sentence_spans(text, *around) if span[0] <= at < span[1]), around)


def _by_number(source: SourceText, sections: Sequence[Section]) -> Iterator[Edge]:
    starts = [section.start for section in sections]
    sentence, limits = (0, 0), False
    for reference in find_references(source, sections):
        home = sections[bisect_right(starts, reference.start) - 1]
        target = reference.target_section_id
        if target is None or target == home.section_id:
            continue
        if not max(sentence[0], home.start) <= reference.start < sentence[1]:
            sentence = sentence_around(source.text, home, reference.start)
            limits = _LIMITING.search(source.text, *sentence) is not None
        kind = EdgeKind.EXCEPTS if limits else EdgeKind.REFERS
        yield Edge(home.section_id, target, kind, reference.start, reference.end)


def _by_table(text: str, sections: Sequence[Section]) -> Iterator[Edge]:
    starts = [section.start for section in sections]
    with_rows: dict[int, bool] = {}
    for found in _DESPITE_TABLE.finditer(text):
        place = bisect_right(starts, found.start()) - 1
        for before in range(place - 1, max(-1, place - 1 - _TABLE_BEFORE), -1):
            if before not in with_rows:
                one = sections[before]
                with_rows[before] = _ROW.search(text, one.body, one.end) is not None
            if with_rows[before]:
                home, target = sections[place].section_id, sections[before].section_id
                yield Edge(home, target, EdgeKind.EXCEPTS, found.start(), found.end())
                break
