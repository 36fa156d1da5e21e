"""Defined terms: where a document says what its words mean."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.text.lexicon import ARTICLES, alternatives, line_words
from policy_rag_parsers.text.sentences import LIST_MARK, Span, sentence_spans
from policy_rag_parsers.text.unit_words import UNIT_WORDS, words_pattern

_DEFINING = re.compile(line_words("defining"), re.IGNORECASE)
_TERM_HEADER = re.compile(rf"\W*(?:{line_words('terms')})\b", re.IGNORECASE)
_VERB = rf"(?:{line_words('means')})\b"
_TERM = r"[^\"“”„‘’«»\n]{1,80}"
_QUOTED = re.compile(rf"[\"“„«](?P<term>{_TERM})[\"”“»][*_]{{0,2}}\s{{1,3}}(?:\([^()\n]{{1,60}}\)\s{{1,3}})?{_VERB}")
# "is" defines only where the sentence begins with the term: 'the word "small" is used' defines nothing.
_QUOTED_IS = re.compile(
    rf"[*_]{{0,2}}[\"“„«](?P<term>{_TERM})"
    rf"[\"”“»][*_]{{0,2}}\s{{1,3}}(?:{line_words('is_')})\b"
)
_INTRODUCED = re.compile(
    rf"\((?:(?:{line_words('called')})\b,?\s{{1,2}})?(?:(?:{alternatives(ARTICLES)})['’\s]\s{{0,2}})?[*_]{{0,2}}[\"“„«](?P<term>{_TERM})[\"”“»][*_]{{0,2}}\)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?:\*\*|__)(?P<term>[^*_\n]{1,80}?):?(?:\*\*|__):?\s{1,3}(?P<rest>\S)")
_BOLD_VERB = re.compile(rf"(?:\*\*|__)[\"“„]?(?P<term>{_TERM}?)[\"”“]?(?:\*\*|__)\s{{1,3}}{_VERB}")
_PLAIN = re.compile(rf"(?P<term>[A-ZÀ-ÖØ-Þ][\w’'/&() -]{{0,60}}?)(?:\t[ \t]*|\s{{1,3}})(?i:{_VERB})")
_PLAIN_COLON = re.compile(r"(?P<term>[A-ZÀ-ÖØ-Þ][\w’'/&() -]{0,60}?)(?::| –| —)\s{1,3}\S")
# What stands before the tab of a clause is its number, whatever words it is made of.
_CLAUSE = re.compile(rf"\d{{1,3}}\.|(?i:{words_pattern(UNIT_WORDS)})\W{{0,3}}(?:\d|[IVXLC]+\b)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and the sentence or table row `[start, end)` that defines it, in section `section_id`."""

    term: str
    start: int
    end: int
    section_id: str


def find_definitions(source: SourceText, sections: Sequence[Section]) -> tuple[Definition, ...]:
    """The terms that a document defines, in order of `start`; a term defined twice comes twice.

    Everywhere: `"Personal Data" means ...`, `**Term** means ...`, `the Data Officer (the "DPO")`, tables whose first
    column is headed "Term". In a section on definitions, and those under it, also `Term means ...`,
    `**Term**: ...`, `Term: ...` and every row of a table.
    """
    tables = find_tables(source)
    defining = _defining_sections(sections)
    found: set[tuple[int, int, str, str]] = set()
    at = 0
    for section in sections:
        rows: list[Span] = []
        while at < len(tables) and tables[at].end <= section.start:
            at += 1
        for table in tables[at:]:
            if table.start >= section.end:
                break
            header = header_text(source.text, table)
            if section.section_id in defining or _TERM_HEADER.match(header):
                rows += table_rows(source.text, table)
        for start, end in rows:
            term = _first_cell(source.text[start:end])
            if term:
                found.add((start, end, term, section.section_id))
        inside = {start for start, _ in rows}
        for start, end in sentence_spans(source.text, section.start, section.end):
            if start not in inside:
                terms = _terms(source.text[start:end], defining=section.section_id in defining)
                found.update((start, end, term, section.section_id) for term in terms)
    return tuple(Definition(term, start, end, section_id) for start, end, term, section_id in sorted(found))


def _defining_sections(sections: Sequence[Section]) -> set[str]:
    """Sections whose title says that they define, with all under them."""
    defining: set[str] = set()
    for section in sections:
        if _DEFINING.search(section.title) or section.parent in defining:
            defining.add(section.section_id)
    return defining


def _terms(sentence: str, *, defining: bool) -> Iterator[str]:
    mark = LIST_MARK.match(sentence)
    begin = mark.end() if mark else 0
    begin += len(sentence[begin:]) - len(sentence[begin:].lstrip())
    everywhere = [*_QUOTED.finditer(sentence), *_INTRODUCED.finditer(sentence)]
    at_start = [_QUOTED_IS, _BOLD_VERB] + ([_BOLD, _PLAIN, _PLAIN_COLON] if defining else [])
    first = next((match for pattern in at_start if (match := pattern.match(sentence, begin))), None)
    for match in [*everywhere, *([first] if first else [])]:
        term = _clean(match["term"])
        if term:
            yield term


def _first_cell(row: str) -> str:
    cells = re.split(r"\t|\|", row.strip().strip("|"))
    return _clean(cells[0]) if len(cells) > 1 and any(cell.strip() for cell in cells[1:]) else ""


def _clean(term: str) -> str:
    """The term without markup, quotation marks and blanks around it; "" where it is a letter or a number."""
    cleaned = " ".join(term.split()).strip("*_\"“”„«»‘’' :")
    numbered = LIST_MARK.fullmatch(cleaned) or _CLAUSE.match(cleaned)
    return cleaned if len(cleaned) > 1 and any(c.isalpha() for c in cleaned) and not numbered else ""
