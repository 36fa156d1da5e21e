"""Places as citations print them, found again: "Leave Policy > 3.2 Carry-over, line 41 (leave.md, version 2.0)"."""

import datetime as dt
import re
from collections.abc import Sequence
from contextlib import suppress

from policy_rag.errors import MissingError, UsageError
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.locations import STEP
from policy_rag_parsers.records import PageMark, Section
from policy_rag_parsers.references.clause_lookup import find_clause
from policy_rag_parsers.structure.numbering import number_key
from policy_rag_parsers.text.near_names import did_you_mean

_MARK = re.compile(r"^\s*(?:\[\d{1,4}\]|\d{1,4}\.\s|[-•])\s*")
_BEHIND_FILE = re.compile(r"(?:, (?:version|in force) .*)?\)(?:\s*\(\d\.\d+\))?\s*$")
_CODE = re.compile(r"[A-Za-z]{1,3}[-.]?\d{1,3}")  # "A6 Appeal" in a part "A"
_PLACE_FOLLOWS = re.compile(r"\s*[>,]|\s+(?:§|\d|[A-Za-z]{1,3}[-.]?\d|(?:line|page|section)\b)", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_AT = re.compile(r"(?:^|[,\s])\s*(?P<kind>line|page)\s+(?P<number>\d{1,7})\s*$", re.IGNORECASE)


def find_document(name: str, documents: Sequence[DocumentInfo], today: dt.date) -> tuple[DocumentInfo, str | None]:
    """The document that an id, a file, a title or a printed citation names, and the place that is left of the name.

    Words of a title serve where they begin one title alone, or else stand in one alone.

    Args:
        name: as typed or pasted.
        documents: those that the caller may read.
        today: of several documents with one title the one that is in force is meant.

    Raises:
        MissingError: there is none.
        UsageError: several documents have the title.
    """
    for document in documents:
        if name in {document.doc_id, document.file}:
            return document, None
    plain = _MARK.sub("", name)
    for document in documents:
        at = plain.rfind(f"({document.file}")
        if at >= 0 and _BEHIND_FILE.match(plain, at + 1 + len(document.file)):
            return document, _without_title(plain[:at], document.title)
    called = [(one, _called(plain, one)) for one in documents]
    longest = max((len(begins) for _, begins in called), default=0)
    found = [one for one, begins in called if longest and len(begins) == longest]
    if not found:
        longest, found = len(plain), _of_one_title(plain, documents)
    if len(found) > 1:
        found = [one for one in found if one.in_force(today)] or found
    if len(found) > 1:
        files = ", ".join(one.file for one in found)
        raise UsageError(f"{len(found)} documents are called {plain[:longest]!r}: name the file: {files}")
    if not found:
        raise no_document(name)
    return found[0], _place(plain[longest:])


def no_document(name: str) -> MissingError:
    """That there is none of a name, or none that the caller may read: names that are like it would tell which."""
    return MissingError(f"there is no document {name!r} here: `policy-rag documents` lists those there are")


def _of_one_title(words: str, documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """The documents of the only title that begins with these words, or else of the only one that holds them."""
    held = re.compile(rf"(?<!\w){re.escape(words.strip())}(?!\w)", re.IGNORECASE)
    holding = [(one, at.start()) for one in documents if words.strip() and (at := held.search(one.title))]
    for some in ([one for one, at in holding if at == 0], [one for one, _ in holding]):
        if len({one.title.casefold() for one in some}) == 1:
            return some
    return []


def _called(name: str, document: DocumentInfo) -> str:
    """The longest title, id or file of a document that a name is, or with which it begins and goes on with a place."""
    names = (document.title, document.doc_id, document.file)
    return max((one for one in names if _begins(name, one)), key=len, default="")


def _begins(name: str, begins: str) -> bool:
    rest = name[len(begins) :]
    same = bool(begins) and name[: len(begins)].casefold() == begins.casefold()
    return same and (not rest or _PLACE_FOLLOWS.match(rest) is not None)


def _without_title(name: str, title: str) -> str | None:
    """What of a printed place stands behind the document's title."""
    return _place(name[len(title) :] if name[: len(title)].casefold() == title.casefold() else name)


def _place(text: str) -> str | None:
    return text.strip(" \t>,") or None


def place_range(
    text: str, sections: Sequence[Section], pages: Sequence[PageMark], place: str, document: DocumentInfo
) -> tuple[int, int]:
    """The characters of a printed place: its section, from the paragraph of its line on; else its line or its page.

    A section that is not on the line or the page named with it gives way to that: it was numbered anew since.

    Raises:
        MissingError: the document has no such place.
    """
    at = _AT.search(place)
    if at is None:
        return section_range(text, sections, place, document)
    number, kind = int(at["number"]), at["kind"].lower()
    found = _line(text, number, document) if kind == "line" else _page(text, pages, number)
    if found is None:
        raise MissingError(
            f"{document.doc_id} has no {kind} {number}: `policy-rag show {document.doc_id!r}` shows it whole"
        )
    with suppress(MissingError):
        start, end = section_range(text, sections, place[: at.start()], document)
        if start < found[1] and found[0] < end:
            return max(start, _paragraph_start(text, found[0])) if kind == "line" else start, end
    return found


def _line(text: str, number: int, document: DocumentInfo) -> tuple[int, int] | None:
    """The characters of a line, or of the next one that holds any."""
    lines = text.split("\n") if document.has_lines else []
    for place, line in enumerate(lines[max(number - 1, 0) :], max(number - 1, 0)):
        if line.strip():
            start = sum(len(one) + 1 for one in lines[:place])
            return start, start + len(line)
    return None


def _paragraph_start(text: str, at: int) -> int:
    """Where the lines without a blank one between them begin that go on at `at`."""
    return max((blank.end() for blank in _BLANK_LINES.finditer(text, 0, at)), default=0)


def _page(text: str, pages: Sequence[PageMark], number: int) -> tuple[int, int] | None:
    """The characters of a page."""
    for i, mark in enumerate(pages):
        if mark.number == number:
            return mark.start, pages[i + 1].start if i + 1 < len(pages) else len(text)
    return None


def section_range(text: str, sections: Sequence[Section], wanted: str, document: DocumentInfo) -> tuple[int, int]:
    """The characters of a section, with all under it, or of a clause.

    What is wanted is a section's id, number, title, number with title, or the path to it; or a clause such as 4.2(b).

    Raises:
        MissingError: there is none.
    """
    *above, name = (step.strip() for step in wanted.split(STEP))
    key = number_key(name)
    for section in sections:
        if wanted == section.section_id:
            return section.start, section.subtree_end
    named = [one for one in sections if one.number and number_key(one.number) == key]
    named = named or [one for one in sections if _is_called(one, name)]
    for section in [one for one in named if _lies_under(one, above)] or named:
        return section.start, section.subtree_end
    found = find_clause(text, tuple(sections), name)
    if found is None:
        names = [name for one in sections for name in _names(one)]
        whole = f"`policy-rag show {document.doc_id!r}` shows the whole text"
        raise MissingError(f"{document.doc_id} has no section {wanted!r}: {did_you_mean(name, names, otherwise=whole)}")
    return found


def _is_called(section: Section, name: str) -> bool:
    return name.casefold() in {one.casefold() for one in _names(section)}


def _names(section: Section) -> tuple[str, ...]:
    """What a section is called: its title, with and without its number, and a number that the title begins with."""
    first = section.title.partition(" ")[0]
    names = (section.title, f"{section.number} {section.title}".strip(), first if _CODE.fullmatch(first) else "")
    return tuple(name for name in names if name)


def _lies_under(section: Section, above: Sequence[str]) -> bool:
    """Whether each step of a printed path ends with a title of the section's own."""
    titles = [title.casefold() for title in section.path]
    return all(any(step.casefold().endswith(title) for title in titles) for step in above)
