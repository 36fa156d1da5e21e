"""Extractive summaries: the most central sentences of a section or a document, in their order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_rag_parsers.metadata.centrality import Floats
from policy_rag_parsers.metadata.corpus_terms import CorpusTerms, CorpusWord
from policy_rag_parsers.metadata.extraction_results import SectionMetadata
from policy_rag_parsers.metadata.sanitise import cut_at_word, one_line
from policy_rag_parsers.text.quantities import without_mark

SECTION_CHARS = 400
DOCUMENT_CHARS = 700
SECTION_SENTENCES = 2
DOCUMENT_SENTENCES = 4
_FEWEST_WORDS = 4
# Two sentences with more in common than this cosine say the same.
_SAME = 0.7


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence that may stand in a summary: its words as read, and as weights by stem."""

    text: str
    weights: dict[str, float]


def candidate(text: str, words: Sequence[CorpusWord], corpus: CorpusTerms) -> ScoredSentence:
    """A sentence with TF-IDF weights, without list mark."""
    weights: dict[str, float] = {}
    for word in words:
        weights[word.stem] = weights.get(word.stem, 0.0) + corpus.idf(word.stem)
    return ScoredSentence(one_line(without_mark(text)), weights)


def summary(sentences: Sequence[ScoredSentence], centrality: Floats, *, most: int, chars: int) -> str:
    """The up to `most` most central sentences in their order, together at most `chars` characters; ties: the earlier.

    Items of lists, and after them rows of tables, sentences of fewer than four words and those that only lead in a
    list, are taken where nothing else is there. The first choice is cut at a word where it alone is too long.
    """
    usable = [index for index, sentence in enumerate(sentences) if _is_whole(sentence.text)]
    usable = usable or [index for index, sentence in enumerate(sentences) if _reads_alone(sentence.text)]
    usable = usable or [index for index, sentence in enumerate(sentences) if sentence.text]
    chosen: list[int] = []
    length = 0
    for index in sorted(usable, key=lambda place: (-round(float(centrality[place]), 9), place)):
        text = sentences[index].text
        if chosen and length + 1 + len(text) > chars:
            continue
        if any(_cosine(sentences[index].weights, sentences[other].weights) > _SAME for other in chosen):
            continue
        chosen.append(index)
        length += 1 + len(text)
        if len(chosen) == most:
            break
    return cut_at_word(" ".join(sentences[index].text for index in sorted(chosen)), chars)


def _is_whole(text: str) -> bool:
    """Whether a sentence begins and ends as one, which the items of a list do not."""
    return _reads_alone(text) and not text[0].islower() and text.rstrip("\"'”’»)")[-1:] in {".", "!", "?"}


def _reads_alone(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS and " | " not in text and not text.startswith("|") and text[-1] != ":"


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    shared = sum(weight * other.get(stem, 0.0) for stem, weight in one.items())
    if not shared:
        return 0.0
    lengths = sum(w * w for w in one.values()) * sum(w * w for w in other.values())
    return float(shared / lengths**0.5)


def with_neighbours(sections: Sequence[SectionMetadata], *, keep: bool) -> list[SectionMetadata]:
    """Each section with the nearest summaries before and after it; headings without a body are passed over.

    With `keep` they keep their own summary.

    >>> [s.next_summary for s in with_neighbours([SectionMetadata("1", "a"), SectionMetadata("2", "b")], keep=True)]
    ['b', '']
    """
    before = _nearest(sections)
    after = _nearest(sections[::-1])[::-1]
    return [
        replace(section, summary=section.summary if keep else None, previous_summary=previous, next_summary=following)
        for section, previous, following in zip(sections, before, after, strict=True)
    ]


def _nearest(sections: Sequence[SectionMetadata]) -> list[str]:
    last = ""
    found: list[str] = []
    for section in sections:
        found.append(last)
        last = section.summary or last
    return found
