"""The names under which texts refer to a document: its title, shorter forms of it, and abbreviations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS, SMALL_WORDS

_VERSIONS: Final = "|".join(
    field
    for one in DOCUMENT_WORDS
    for field in (one.title_block.versions, one.title_block.issues, one.title_block.as_of)
    if field
)
_VERSION: Final = rf"(?:{_VERSIONS}|vers?|v|draft|final)\.?\s?\d[\w.]*|(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?"
_TAIL: Final = re.compile(rf"[\s,–-]*(?:\((?P<inside>[^()]*)\)|\b(?:{_VERSION}))\s*$", re.IGNORECASE)
_HEAD: Final = re.compile(r"^[\d.-]+\s+(?=\D)")  # "03 travel policy"
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Z&-]{1,9}\d{0,2}")
_FEWEST_INITIALS: Final = 3


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """What a document is called.

    Attributes:
        plain: its title without version, year and brackets: what editions of one document have in common.
        titles: names of several words, in whatever case they are written.
        short: names of one word, as written; they name the document only beside a number, as "GEN 3.3".
        initials: what the initials of its title may stand for; the same, where no other document has them.
    """

    plain: str
    titles: tuple[str, ...]
    short: tuple[str, ...]
    initials: tuple[str, ...]


def document_names(title: str, file: str = "") -> DocumentNames:
    """The names of a document, from its title and its file's.

    Without version, year and what stands in brackets behind it the title is a name as well; an abbreviation in those
    brackets is one.

    >>> found = document_names("Data Protection Rules 2021 (DPR)", "policies/DPR_v2.docx")
    >>> found.titles
    ('Data Protection Rules 2021', 'Data Protection Rules', 'DPR v2')
    >>> found.short, found.plain
    (('DPR',), 'Data Protection Rules')
    """
    by_name = [forms for name in (title, _stem(file)) if (forms := tuple(_forms(name)))]
    known: dict[str, str] = {}
    for form in (form for forms in by_name for form in forms):
        known.setdefault(form.casefold(), form)
    titles = tuple(form for form in known.values() if " " in form)
    short = tuple(form for form in known.values() if " " not in form and len(form) > 1)
    initials = dict.fromkeys(found for forms in by_name if (found := _initials(forms[-1])))
    return DocumentNames(
        plain=by_name[0][-1] if by_name else "",
        titles=titles,
        short=short,
        initials=tuple(name for name in initials if name.casefold() not in known),
    )


def name_key(name: str) -> str:
    r"""What two writings of one name have in common.

    >>> name_key("Travel\n  Policy")
    'travel policy'
    """
    return " ".join(name.split()).casefold()


def _stem(file: str) -> str:
    """The name of a file as a title: "02_travel-policy.md" is the Travel Policy."""
    name = re.sub(r"\.\w{1,5}$", "", file.rpartition("/")[2]).replace("_", " ")
    name = _HEAD.sub("", name)
    spread = name if " " in name else name.replace("-", " ")
    return spread.title() if spread.islower() and " " in spread else spread


def _forms(name: str) -> Iterator[str]:
    """A name, then what is left of it without a version, year or brackets at its end, one after the other."""
    name = " ".join(name.split())
    while name:
        tail = _TAIL.search(name)
        if tail is None or tail["inside"] is None:
            yield name
        elif _ABBREVIATION.fullmatch(tail["inside"]):
            yield tail["inside"]
        if tail is None:
            return
        name = name[: tail.start()].strip()


def _initials(title: str) -> str:
    words = [word for word in re.findall(r"\w+", title) if word.casefold() not in SMALL_WORDS]
    telling = len(words) >= _FEWEST_INITIALS and all(word[0].isalpha() for word in words)
    return "".join(word[0] for word in words).upper() if telling else ""
