"""A section's sentences as rules read them: without list marks and markup, each with its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_parsers.records import Section, TableMark
from policy_rag_parsers.text.sentences import LIST_MARK, sentence_spans

_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`|^\s*#{1,6}\s+|^\s*>\s+")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,300}\)")
_LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """A sentence: `text` on one line, without marks and markup; `[start, end)` is where it stands, marks left out."""

    text: str
    start: int
    end: int


def plain_sentences(
    document: SourceDocument, section: Section, tables: Sequence[TableMark] = ()
) -> tuple[PlainSentence, ...]:
    """The whole sentences of a section's body, in order; rows of tables, and orders to an assistant, are left out."""
    text = document.text
    spans = [
        span
        for span in sentence_spans(text, section.body, section.end)
        if not any(table.start < span[1] and span[0] < table.end for table in tables)
    ]
    found = []
    for start, end in without_orders(text, spans):
        mark = LIST_MARK.match(text, start, end)
        first = mark.end() if mark else start
        first += len(text[first:end]) - len(text[first:end].lstrip())
        plain = as_plain(text[first:end])
        if plain.endswith((".", "!")) and len(plain.split()) >= _LEAST_WORDS:
            found.append(PlainSentence(plain, first, end))
    return tuple(found)


def as_plain(text: str) -> str:
    r"""A text on one line, without emphasis, links and code marks.

    >>> as_plain("**Term**: the *Data\n Officer* `x_y`")
    'Term: the Data Officer x_y'
    """
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())
