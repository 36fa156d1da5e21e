"""Extracted text as data: on one line, nothing invisible, no markup, of bounded length."""

import re
import unicodedata

_TAG = re.compile(r"</?[A-Za-z!][^<>\n]{0,200}>")
_MARKUP = re.compile(r"\*\*|__|`+|^#{1,6}\s|^>\s|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_BLANKS = re.compile(r"\s+")
_PLAIN = re.compile(r"[\x20-\x7e\xa0-\xac\xae-\u02ff\u1e00-\u1fff\u2010-\u2027\u20a0-\u20bf]*\Z")


def one_line(text: str) -> str:
    r"""A text on one line without control and invisible characters, HTML tags and marks of Markdown.

    >>> one_line("# The\x00 **term**\n<b>ends</b>\u200b.")
    'The term ends.'
    """
    flat = _BLANKS.sub(" ", text).strip()
    if not _PLAIN.match(flat):
        flat = "".join(c for c in flat if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
    if "<" in flat:
        flat = _TAG.sub("", flat)
    flat = _MARKUP.sub("", flat)
    return _BLANKS.sub(" ", flat).strip()


def cut_at_word(text: str, chars: int) -> str:
    """At most `chars` characters of a text; where some are left out it ends at a word, with "…".

    >>> cut_at_word("in force from January", 12)
    'in force…'
    """
    if len(text) <= chars:
        return text
    head = text[: chars - 1]
    if not text[chars - 1].isspace() and " " in head:
        head = head[: head.rindex(" ")]
    return head.rstrip(" ,;:") + "…"
