"""The offline route: metadata by rule and by the statistics of the corpus, the same each time, without an LLM."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from policy_rag_parsers.metadata.centrality import word_centrality
from policy_rag_parsers.metadata.corpus_terms import CorpusTerms, SectionTerms, corpus_terms
from policy_rag_parsers.metadata.entities import section_entities
from policy_rag_parsers.metadata.extraction_report import KindCounts, MetadataOutcome, Progress
from policy_rag_parsers.metadata.extraction_results import DOCUMENT_KINDS, DocumentMetadata, Kind, SectionMetadata
from policy_rag_parsers.metadata.keywords import section_keywords
from policy_rag_parsers.metadata.obligations import section_obligations
from policy_rag_parsers.metadata.sanitise import one_line
from policy_rag_parsers.metadata.section_questions import section_questions
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.metadata.summaries import (
    DOCUMENT_CHARS,
    DOCUMENT_SENTENCES,
    SECTION_CHARS,
    SECTION_SENTENCES,
    ScoredSentence,
    candidate,
    summary,
    with_neighbours,
)

Find = Callable[[SectionedDocument, SectionText, SectionTerms], Any]


def extract_by_rule(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    *,
    on_progress: Callable[[Progress], None] | None = None,
) -> MetadataOutcome:
    r"""Extract `kinds` from every section of `documents`.

    Args:
        documents: the corpus; keywords and summaries weigh words by how many of its sections hold them.
        kinds: which to extract; summaries of neighbours are those of the sections, with `SUMMARY` or without.
        on_progress: told after each document, in sections.

    >>> from policy_rag_parsers.metadata.section_texts import SectionText
    >>> section = SectionText("1", "1 Retention period\nReceipts are kept for ten years.", "Retention period", 19)
    >>> outcome = extract_by_rule([SectionedDocument("a", "Rules", (section,))], [Kind.QUESTIONS])
    >>> outcome.documents[0].sections[0].questions
    ('What are the rules on “Retention period”?',)
    """
    return _RuleExtraction(documents, frozenset(kinds)).run(on_progress)


class _RuleExtraction:
    """One run over a corpus."""

    def __init__(self, documents: Sequence[SectionedDocument], kinds: frozenset[Kind]) -> None:
        self._documents = documents
        self._kinds = kinds
        self._seconds = dict.fromkeys(kinds, 0.0)

    def run(self, on_progress: Callable[[Progress], None] | None) -> MetadataOutcome:
        started = time.perf_counter()
        total = sum(len(document.sections) for document in self._documents)
        with self._timed(Kind.KEYWORDS, Kind.SUMMARY, Kind.NEIGHBOURS, Kind.DOCUMENT_SUMMARY):
            self._corpus = corpus_terms(self._documents)
        finders = self._finders()
        extracted: list[DocumentMetadata] = []
        done = 0
        for document, terms in zip(self._documents, self._corpus.sections, strict=True):
            extracted.append(self._document(document, terms, finders))
            done += len(document.sections)
            if on_progress:
                on_progress(Progress(done, total, 0, time.perf_counter() - started))
        counts = {
            kind: KindCounts(wanted=wanted, extracted=wanted, seconds=self._seconds[kind])
            for kind in Kind
            if kind in self._kinds
            for wanted in [len(self._documents) if kind in DOCUMENT_KINDS else total]
        }
        return MetadataOutcome(tuple(extracted), counts)

    @contextmanager
    def _timed(self, *kinds: Kind) -> Iterator[None]:
        """Books the time of what is inside on the first of `kinds` that was asked for."""
        before = time.perf_counter()
        yield
        booked = next((kind for kind in kinds if kind in self._kinds), None)
        if booked:
            self._seconds[booked] += time.perf_counter() - before

    def _finders(self) -> Mapping[Kind, Find]:
        """What finds the kinds that are asked for in a section by itself; each is named as its field."""
        finders: dict[Kind, Find] = {
            Kind.KEYWORDS: lambda document, _, terms: section_keywords(terms, self._corpus, document.language),
            Kind.OBLIGATIONS: lambda document, section, terms: section_obligations(
                section.text, terms.spans, document.language
            ),
            Kind.QUESTIONS: lambda document, section, _: section_questions(
                section, document_title=document.title, language=document.language
            ),
            Kind.ENTITIES: lambda _, section, __: section_entities(section.text, section.body),
        }
        return {kind: find for kind, find in finders.items() if kind in self._kinds}

    def _document(
        self, document: SectionedDocument, terms: Sequence[SectionTerms], finders: Mapping[Kind, Find]
    ) -> DocumentMetadata:
        sections = [SectionMetadata(section.section_id) for section in document.sections]
        groups: list[list[ScoredSentence]] = []
        if self._kinds & {Kind.SUMMARY, Kind.NEIGHBOURS, Kind.DOCUMENT_SUMMARY}:
            with self._timed(Kind.SUMMARY, Kind.NEIGHBOURS, Kind.DOCUMENT_SUMMARY):
                groups = [_candidates(*pair, self._corpus) for pair in zip(document.sections, terms, strict=True)]
        if self._kinds & {Kind.SUMMARY, Kind.NEIGHBOURS}:
            with self._timed(Kind.SUMMARY, Kind.NEIGHBOURS):
                found = _summaries(groups, most=SECTION_SENTENCES, chars=SECTION_CHARS)
                sections = [replace(old, summary=text) for old, text in zip(sections, found, strict=True)]
        if Kind.NEIGHBOURS in self._kinds:
            with self._timed(Kind.NEIGHBOURS):
                sections = with_neighbours(sections, keep=Kind.SUMMARY in self._kinds)
        for kind, find in finders.items():
            with self._timed(kind):
                values = [find(document, *pair) for pair in zip(document.sections, terms, strict=True)]
                sections = [replace(old, **{kind.value: one}) for old, one in zip(sections, values, strict=True)]
        made = DocumentMetadata(document.doc_id, sections=tuple(sections))
        if Kind.TITLE in self._kinds:
            made = replace(made, title=one_line(document.title))
        if Kind.DOCUMENT_SUMMARY in self._kinds:
            with self._timed(Kind.DOCUMENT_SUMMARY):
                whole = [[sentence for group in groups for sentence in group]]
                made = replace(made, summary=_summaries(whole, most=DOCUMENT_SENTENCES, chars=DOCUMENT_CHARS)[0])
        return made


def _summaries(groups: Sequence[Sequence[ScoredSentence]], *, most: int, chars: int) -> list[str]:
    centrality = word_centrality([[sentence.weights for sentence in group] for group in groups])
    return [summary(group, scores, most=most, chars=chars) for group, scores in zip(groups, centrality, strict=True)]


def _candidates(section: SectionText, terms: SectionTerms, corpus: CorpusTerms) -> list[ScoredSentence]:
    return [
        candidate(section.text[start:end], words, corpus)
        for (start, end), words in zip(terms.spans, terms.words, strict=True)
    ]
