"""What a table of contents is called."""

from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS

_TITLES = frozenset(title for one in DOCUMENT_WORDS for title in one.contents)
_AROUND = " \t\n*_#:.>-–—"


def names_contents(line: str) -> bool:
    """Whether a line says that a table of contents stands below it, and nothing else.

    >>> names_contents("## Table of contents"), names_contents("INHALT:"), names_contents("Contents of the box")
    (True, True, False)
    """
    return " ".join(line.strip(_AROUND).split()).casefold() in _TITLES
