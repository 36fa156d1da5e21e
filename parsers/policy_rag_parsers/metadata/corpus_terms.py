"""The corpus as sentences of stems, and how rare each stem is: what keywords and summaries are computed from."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.text.lexicon import LEXICONS
from policy_rag_parsers.text.quantities import without_mark
from policy_rag_parsers.text.sentences import Span, sentence_spans
from policy_rag_parsers.text.tokenizer import LANGUAGES, stem, stop_words

_TOKEN = re.compile(r"[\w.+-]{1,64}+@[\w.-]{1,200}|https?://\S+|[^\W\d_]\w*(?:[-’'][^\W\d_]\w*)*|\d[\w.,]*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class CorpusWord:
    """A content word.

    Attributes:
        text: as written.
        stem: of the word in small letters.
        joined: whether the word before it in the text is a content word too.
        begins: whether the sentence begins with it, so that its capital says nothing.
    """

    text: str
    stem: str
    joined: bool
    begins: bool


@dataclass(frozen=True, slots=True)
class SectionTerms:
    """A section as sentences: `spans` of its text, and the content `words` of each; `title` has those of its title."""

    title: tuple[CorpusWord, ...]
    spans: tuple[Span, ...]
    words: tuple[tuple[CorpusWord, ...], ...]


@dataclass(frozen=True, slots=True)
class CorpusTerms:
    """The sections of all documents, a tuple a document, and in how many sections each stem and pair of stems is."""

    sections: tuple[tuple[SectionTerms, ...], ...]
    holders: Counter[str]
    forms: Counter[str]
    total: int

    def idf(self, term: str) -> float:
        """Inverse document frequency, `ln((1 + N) / (1 + n)) + 1`: smoothed, at least 1."""
        return math.log((1 + self.total) / (1 + self.holders[term])) + 1.0


def corpus_terms(documents: Sequence[SectionedDocument]) -> CorpusTerms:
    """Read every section once; `forms` counts how often each word is written in each way outside of titles."""
    holders: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    read: list[tuple[SectionTerms, ...]] = []
    total = 0
    for document in documents:
        language = document.language if document.language in LANGUAGES else "english"
        sections = tuple(_section_terms(section, language) for section in document.sections)
        for section in sections:
            total += 1
            held: set[str] = set()
            for sentence in (section.title, *section.words):
                held.update(word.stem for word in sentence)
                held.update(f"{a.stem} {b.stem}" for a, b in pairwise(sentence) if b.joined)
            holders.update(held)
            forms.update(word.text for sentence in section.words for word in sentence if not word.begins)
        read.append(sections)
    return CorpusTerms(tuple(read), holders, forms, total)


def content_words(text: str, language: str) -> tuple[CorpusWord, ...]:
    """The words of a sentence that say what it is about, in order; `language` is one of `tokenizer.LANGUAGES`.

    >>> [(word.stem, word.joined) for word in content_words("Keep the payroll records, and claims.", "english")]
    [('keep', False), ('payrol', False), ('record', True), ('claim', False)]
    """
    ignored = _ignored(language)
    found: list[CorpusWord] = []
    joined = False
    begins = True
    for match in _TOKEN.finditer(text):
        first, begins = begins, begins and not match[0][0].isalnum()
        written = _POSSESSIVE.sub("", match[0])
        lower = written.lower()
        if len(lower) < 3 or lower in ignored or not lower[0].isalpha() or "@" in lower or "://" in lower:
            joined = False
            continue
        found.append(CorpusWord(written, stem(lower, language), joined, first))
        joined = True
    return tuple(found)


def _section_terms(section: SectionText, language: str) -> SectionTerms:
    spans = tuple(sentence_spans(section.text, section.body, len(section.text)))
    return SectionTerms(
        title=content_words(section.title, language),
        spans=spans,
        words=tuple(content_words(without_mark(section.text[a:b]), language) for a, b in spans),
    )


@cache
def _ignored(language: str) -> frozenset[str]:
    known = LEXICONS.get(language)
    return stop_words(language) | (
        known.document.lines.rule_words.union(known.modal_verbs.split("|")) if known else frozenset()
    )
