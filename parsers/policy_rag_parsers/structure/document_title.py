"""What a document calls itself."""

import re

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.line_features import LONG_LINE, clean_title, is_title
from policy_rag_parsers.structure.numbering import read_marker
from policy_rag_parsers.text.invisible import INVISIBLE
from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS, LINKING, any_word, line_words
from policy_rag_parsers.text.tokenizer import letters_and_digits

VISIBLE = re.compile(rf"[^\s{INVISIBLE}]")
_DOCUMENT_WORD = any_word(line_words("kinds"), *(one.title_block.titles for one in DOCUMENT_WORDS))
_COMPANY = re.compile(
    r"\b(?:ltd|limited|plc|llp|llc|inc|corp|gmbh|ag|se|kg|ohg|mbh|e\. ?v|s\.?a|b\.?v|n\.?v)\b\.?$", re.IGNORECASE
)
_VERSIONS = "|".join(one.title_block.versions for one in DOCUMENT_WORDS)
_VERSION = re.compile(rf"\s*[,(|–—-]\s*(?:{_VERSIONS}|ver\.?|v\.?)\s*\d[^ ]*\)?$", re.IGNORECASE)
_TITLED = "|".join(one.title_block.titled for one in DOCUMENT_WORDS)
# The first row of all: behind "Name: A. Noble" a "Title: Director" is a person's.
_ROW = re.compile(
    rf"[^:|\t]*^[ \t|*]*(?:{_TITLED})[ \t*]*(?:\||:|\t)[ \t|*]*(?P<title>[^\n|]+)", re.IGNORECASE | re.MULTILINE
)
_HEAD = 600  # characters in which the rows of a title block stand
_SITE = re.compile(r"\s+[-–—|·:]\s+")
_LONGEST_TITLE = 90
_OPENING = 2000  # characters in which a document says what it is called
_WITH_PROPERTIES = frozenset({FileFormat.DOCX, FileFormat.PDF})  # that authors rarely see
_DEFAULT = re.compile(
    r"microsoft (?:word|powerpoint)\b.*|(?:word )?(?:document|dokument|documento|presentation) ?\d*|"
    r"(?:untitled|unbenannt|sans titre|sin título|sem título)\b.*|(?:title|titel|template|vorlage)|"
    r".*\.(?:docx?|dotx?|rtf|odt|pdf|indd)",
    re.IGNORECASE,
)


def find_title(source: SourceText, text: str, headings: list[HeadingCandidate]) -> str | None:
    """Return a document's declared title, else its only top heading, else a lone line or a clear heading at its top.

    A row of the document's own that says its title ("Title | Travel Policy") goes before the properties of its file.

    Args:
        source: the document.
        text: its text with LF for every line end.
        headings: those found in it, in order.
    """
    heading = headings[0].title if is_title_heading(headings, text, source.body_start) else None
    declared = " ".join((source.title or "").split())
    if source.format in _WITH_PROPERTIES:
        row = _ROW.match(text[source.body_start :][:_HEAD])
        title = row["title"].strip() if row else ""
        if is_title(title):
            return clean_title(title)
        if _is_stale(declared, heading, text[source.body_start :]):
            declared = ""
    common = _without_site(heading, declared) if heading else None
    return (
        common
        or declared
        or heading
        or _title_line(text[source.body_start : headings[0].start if headings else len(text)])
        or _clear_heading(headings, text, source.body_start)
    )


def _is_stale(declared: str, heading: str | None, text: str) -> bool:
    """Whether a property is what a program put there, or was left over: the title is another, and it stands nowhere."""
    if _DEFAULT.fullmatch(declared):
        return True
    return heading is not None and letters_and_digits(declared) not in letters_and_digits(text[:_OPENING])


def is_title_heading(headings: list[HeadingCandidate], text: str, begin: int) -> bool:
    """Whether the first heading is the document's title: unnumbered, above all others, with little before it."""
    if not headings or headings[0].marker is not None or not headings[0].title:
        return False
    first = headings[0]
    alone = not VISIBLE.search(text, begin, first.start)
    others = [heading for heading in headings[1:] if heading.strong]
    if first.kind is HeadingKind.CAPITALS:
        return alone and len(headings) > 2
    if first.kind is HeadingKind.BOLD:
        return alone and bool(others) and all(one.marker for one in others)
    if first.level is None or not first.strong or first.start - begin > 2 * LONG_LINE:
        return False
    if not others:
        return first.level == 1 or len(headings) > 1
    highest = min((heading.level for heading in others if heading.level is not None), default=first.level + 1)
    # a PDF may have all its headings on one level: its title is the one without a number
    return first.level < highest or (first.kind is HeadingKind.MARKED and all(one.marker for one in others))


def _clear_heading(headings: list[HeadingCandidate], text: str, begin: int) -> str | None:
    """Return the heading that opens a document, though others are as high, where it can be nothing but its title.

    It names a kind of document and more than that, or another heading stands right below it.
    """
    if not headings or headings[0].marker is not None or not headings[0].strong:
        return None
    first = headings[0]
    if VISIBLE.search(text, begin, first.start) or len(headings) < 2 or len(first.title) > _LONGEST_TITLE:
        return None
    words = [word for word in first.title.casefold().split() if word not in LINKING]
    named = any(map(_DOCUMENT_WORD.search, words)) and not all(map(_DOCUMENT_WORD.search, words))
    line_end = text.find("\n", first.start)
    bare = len(words) > 1 and line_end >= 0 and not VISIBLE.search(text, line_end, headings[1].start)
    return first.title if named or bare else None


def _without_site(heading: str, declared: str) -> str | None:
    """Return what page and heading both say, without the site's name: "Leave" of "Leave - HR" and "HR : Leave".

    A heading that the page's title holds whole is its own: "Leave - Germany" of "Leave - Germany | Intranet".
    """
    parts, own = _SITE.split(declared), _SITE.split(heading)
    if any(parts[i : i + len(own)] == own for i in range(len(parts))):
        return heading
    return own[-1] if len(parts) > 1 and own[-1] in parts else None


def _title_line(top: str) -> str | None:
    """Return the title among the lines before the first heading: one that names a document, else a lone first one."""
    lines = [line.strip() for line in top[: 4 * LONG_LINE].split("\n")]
    visible = [line for line in lines if VISIBLE.search(line)]
    named = [
        line for line in visible[:4] if _DOCUMENT_WORD.search(line) and is_title(line) and len(line) <= _LONGEST_TITLE
    ]
    if named:
        return _VERSION.sub("", clean_title(named[0]))
    first = visible[0] if visible else ""
    if not is_title(first) or len(first) > _LONGEST_TITLE or read_marker(first) is not None:
        return None
    below = lines[lines.index(first) + 1 :]
    if below and (not below[0] or _stands_out(first, below[0])):
        return clean_title(first)
    return None


def _stands_out(line: str, below: str) -> bool:
    """Whether a line in capitals, no company's name, stands over text in small letters."""
    return line.isupper() and not below.isupper() and _COMPANY.search(line) is None
