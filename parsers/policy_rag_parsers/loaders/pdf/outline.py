"""The outline of a PDF, which viewers show beside its pages: titles, how deep they are, and the pages they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from policy_rag_parsers.loaders.text_builder import one_line
from policy_rag_parsers.text.tokenizer import letters_and_digits

if TYPE_CHECKING:
    import pypdfium2

_MOST: Final = 20_000  # entries; a broken outline has no end
_TRUSTED: Final = 0.5  # of its entries, at least, are found on the pages that they lead to
_LONGEST: Final = 3  # pieces of text that one title is written in


@dataclass(frozen=True, slots=True)
class Entry:
    """A title, its level from 1, and the number of its page."""

    title: str
    level: int
    page: int


def read_outline(document: "pypdfium2.PdfDocument") -> tuple[Entry, ...]:
    """The entries of an outline that lead to a page, in order; none of a broken one."""
    import pypdfium2

    found: list[Entry] = []
    try:
        for mark in document.get_toc():
            place = mark.get_dest()
            page = None if place is None else place.get_index()
            title = one_line(mark.get_title())
            if page is not None and title:
                found.append(Entry(title, mark.level + 1, page + 1))
            if len(found) >= _MOST:
                break
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return ()
    return tuple(found)


def outlined(entries: Sequence[Entry], texts: Sequence[tuple[int, str]]) -> dict[int, tuple[int, int]]:
    """Where the titles of an outline stand: the level and the number of pieces by the index of the first piece.

    None where most of them stand nowhere: it then is the outline of something else.

    Args:
        entries: the outline.
        texts: pieces of text in reading order, each with the number of its page.
    """
    if not entries:
        return {}
    keys = [letters_and_digits(text) for _, text in texts]
    by_page: dict[int, list[int]] = {}
    for at, (page, _) in enumerate(texts):
        by_page.setdefault(page, []).append(at)
    found: dict[int, tuple[int, int]] = {}
    taken: set[int] = set()
    for entry in entries:
        near = [at for page in (entry.page, entry.page + 1) for at in by_page.get(page, ()) if at not in taken]
        place = _place(letters_and_digits(entry.title), keys, near)
        if place is not None:
            found[place[0]] = (entry.level, place[1])
            taken.update(range(place[0], sum(place)))
    return found if len(found) >= max(2, _TRUSTED * len(entries)) else {}


def _place(title: str, keys: Sequence[str], near: Sequence[int]) -> tuple[int, int] | None:
    """The index of the first piece of a title and how many there are: the title itself, or with or without a number."""
    if not title:
        return None
    for pieces in range(1, _LONGEST + 1):
        for at in near:
            if "".join(keys[at : at + pieces]) == title:
                return at, pieces
    for at in near:
        shorter, longer = sorted((title, keys[at]), key=len)
        rest = longer.removesuffix(shorter)
        if len(shorter) > 3 and rest != longer and len(rest) <= 5 and any(map(str.isdigit, rest)):
            return at, 1
    return None
