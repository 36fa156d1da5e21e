"""The offline route: metadata by rule and by the statistics of the corpus, the same each time, without an LLM."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from policy_rag_parsers.metadata.centrality import Floats, vector_centrality, word_centrality
from policy_rag_parsers.metadata.corpus_terms import CorpusTerms, SectionTerms, corpus_terms
from policy_rag_parsers.metadata.entities import defined_systems, section_entities, systems_pattern
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

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to vectors of length one, `(texts, dimension)`, in their order."""


def extract_by_rule(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    *,
    embed: Embed | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> MetadataOutcome:
    r"""Extract `kinds` from every section of `documents`.

    Args:
        documents: the corpus; keywords and summaries weigh words by how many of its sections hold them.
        kinds: which to extract; summaries of neighbours are those of the sections, with `SUMMARY` or without.
        embed: says how alike two sentences are; without it shared words do.
        on_progress: told after each document, in sections.

    >>> from policy_rag_parsers.metadata.section_texts import SectionText
    >>> section = SectionText("1", "1 Retention period\nReceipts are kept for ten years.", "Retention period", 19)
    >>> outcome = extract_by_rule([SectionedDocument("a", "Rules", (section,))], [Kind.QUESTIONS])
    >>> outcome.documents[0].sections[0].questions
    ('What are the rules on “Retention period”?',)
    """
    return _RuleExtraction(documents, frozenset(kinds), embed).run(on_progress)


class _RuleExtraction:
    """One run over a corpus."""

    def __init__(self, documents: Sequence[SectionedDocument], kinds: frozenset[Kind], embed: Embed | None) -> None:
        self._documents = documents
        self._kinds = kinds
        self._embed = embed
        self._seconds = dict.fromkeys(kinds, 0.0)

    def run(self, on_progress: Callable[[Progress], None] | None) -> MetadataOutcome:
        started = time.perf_counter()
        total = sum(len(document.sections) for document in self._documents)
        with self._timed(Kind.KEYWORDS, Kind.SUMMARY, Kind.NEIGHBOURS, Kind.DOCUMENT_SUMMARY):
            self._corpus = corpus_terms(self._documents)
        self._systems = None
        if Kind.ENTITIES in self._kinds:
            with self._timed(Kind.ENTITIES):
                self._systems = systems_pattern(defined_systems(self._documents))
        extracted: list[DocumentMetadata] = []
        done = 0
        for document, terms in zip(self._documents, self._corpus.sections, strict=True):
            extracted.append(self._document(document, terms))
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

    def _document(self, document: SectionedDocument, terms: Sequence[SectionTerms]) -> DocumentMetadata:
        sections = [SectionMetadata(section.section_id) for section in document.sections]
        pairs = list(zip(document.sections, terms, strict=True))
        if self._kinds & {Kind.SUMMARY, Kind.NEIGHBOURS}:
            with self._timed(Kind.SUMMARY, Kind.NEIGHBOURS):
                found = self._summaries(pairs)
                sections = [replace(old, summary=text) for old, text in zip(sections, found, strict=True)]
        if Kind.NEIGHBOURS in self._kinds:
            with self._timed(Kind.NEIGHBOURS):
                sections = with_neighbours(sections, keep=Kind.SUMMARY in self._kinds)
        sections = [
            self._section(old, section, words, document) for old, (section, words) in zip(sections, pairs, strict=True)
        ]
        made = DocumentMetadata(document.doc_id, sections=tuple(sections))
        if Kind.TITLE in self._kinds:
            made = replace(made, title=one_line(document.title))
        if Kind.DOCUMENT_SUMMARY in self._kinds:
            with self._timed(Kind.DOCUMENT_SUMMARY):
                made = replace(made, summary=self._document_summary(pairs))
        return made

    def _section(
        self, made: SectionMetadata, section: SectionText, terms: SectionTerms, document: SectionedDocument
    ) -> SectionMetadata:
        if Kind.KEYWORDS in self._kinds:
            with self._timed(Kind.KEYWORDS):
                made = replace(made, keywords=section_keywords(terms, self._corpus, document.language))
        if Kind.OBLIGATIONS in self._kinds:
            with self._timed(Kind.OBLIGATIONS):
                made = replace(made, obligations=section_obligations(section.text, terms.spans, document.language))
        if Kind.QUESTIONS in self._kinds:
            with self._timed(Kind.QUESTIONS):
                questions = section_questions(section, document_title=document.title, language=document.language)
                made = replace(made, questions=questions)
        if Kind.ENTITIES in self._kinds:
            with self._timed(Kind.ENTITIES):
                made = replace(made, entities=section_entities(section.text, section.body, self._systems))
        return made

    def _summaries(self, pairs: Sequence[tuple[SectionText, SectionTerms]]) -> list[str]:
        groups = [_candidates(section, terms, self._corpus) for section, terms in pairs]
        return [
            summary(group, scores, most=SECTION_SENTENCES, chars=SECTION_CHARS)
            for group, scores in zip(groups, self._centrality(groups), strict=True)
        ]

    def _document_summary(self, pairs: Sequence[tuple[SectionText, SectionTerms]]) -> str:
        group = [sentence for section, terms in pairs for sentence in _candidates(section, terms, self._corpus)]
        return summary(group, self._centrality([group])[0], most=DOCUMENT_SENTENCES, chars=DOCUMENT_CHARS)

    def _centrality(self, groups: Sequence[Sequence[ScoredSentence]]) -> list[Floats]:
        if self._embed is None:
            return word_centrality([[sentence.weights for sentence in group] for group in groups])
        texts = [sentence.text for group in groups for sentence in group]
        vectors = self._embed(texts) if texts else np.zeros((0, 1), np.float32)
        ends = np.cumsum([len(group) for group in groups])
        return [vector_centrality(part) for part in np.split(vectors, ends[:-1])] if groups else []


def _candidates(section: SectionText, terms: SectionTerms, corpus: CorpusTerms) -> list[ScoredSentence]:
    return [
        candidate(section.text[start:end], words, corpus)
        for (start, end), words in zip(terms.spans, terms.words, strict=True)
    ]
