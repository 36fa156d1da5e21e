"""Keywords by TF-IDF over the sections of a corpus: words and phrases of up to three words, in the section's spelling.

A word weighs `(1 + ln tf) * idf`, its title counting as three mentions. A phrase of neighbouring content words weighs a
share of the sum of its words' idf, and is one only where it is no accident: it comes twice, or in another section, or
is in the title.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from policy_rag_parsers.metadata.corpus_terms import CorpusTerms, CorpusWord, SectionTerms

MOST_KEYWORDS = 8
_TITLE_MENTIONS = 3
_PHRASE_SHARE = {1: 1.0, 2: 0.75, 3: 0.6}
_LONGEST_WORD = 40
# An adverb or a participle ends no noun phrase of English.
_NO_NOUN = re.compile(r"\w{2,}(?:ly|[^e]ed)$")


def section_keywords(section: SectionTerms, corpus: CorpusTerms, language: str) -> tuple[str, ...]:
    """The keywords of one section, best first; ties alphabetically. At most `MOST_KEYWORDS`."""
    mentions: Counter[tuple[str, ...]] = Counter()
    written: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    titled: set[tuple[str, ...]] = set()
    for sentence, weight in [*((words, 1) for words in section.words), (section.title, _TITLE_MENTIONS)]:
        for phrase in _phrases(sentence):
            if language == "english" and _NO_NOUN.match(phrase[-1].text.lower()):
                continue
            key = tuple(word.stem for word in phrase)
            mentions[key] += weight
            if weight == 1 or key not in written:
                written[key][" ".join(word.text for word in phrase)] += 1
            if weight > 1:
                titled.add(key)
    scored = [
        (-score, _spelling(written[key], corpus, language), key)
        for key, count in mentions.items()
        if (score := _score(key, count, corpus, titled=key in titled)) > 0
    ]
    return tuple(_chosen(sorted(scored)))


def _phrases(sentence: Sequence[CorpusWord]) -> Iterator[Sequence[CorpusWord]]:
    for at, word in enumerate(sentence):
        if len(word.text) > _LONGEST_WORD:
            continue
        yield sentence[at : at + 1]
        for length in (2, 3):
            phrase = sentence[at : at + length]
            if len(phrase) < length or not phrase[-1].joined or len(phrase[-1].text) > _LONGEST_WORD:
                break
            yield phrase


def _score(key: tuple[str, ...], count: int, corpus: CorpusTerms, *, titled: bool) -> float:
    if len(key) > 1 and count < 2 and not titled:
        pairs = [f"{first} {second}" for first, second in pairwise(key)]
        if any(corpus.holders[pair] < 2 for pair in pairs):
            return 0.0
    return _PHRASE_SHARE[len(key)] * sum(corpus.idf(stem) for stem in key) * (1 + math.log(count))


def _spelling(forms: Counter[str], corpus: CorpusTerms, language: str) -> str:
    """The commonest spelling in the section; a capital that only begins a sentence or a title becomes small."""
    best = min(forms, key=lambda form: (-forms[form], form.swapcase()))
    words = best.split(" ")
    if language == "german" or (len(words) > 1 and all(word[0].isupper() for word in words) and not best.isupper()):
        return best
    return " ".join(_small(word, corpus) for word in words)


def _small(word: str, corpus: CorpusTerms) -> str:
    lower = word.lower()
    if word[1:] != lower[1:]:
        return word
    small, capital = corpus.forms[lower], corpus.forms[word]
    return lower if 2 * small >= capital else word


def _chosen(scored: Sequence[tuple[float, str, tuple[str, ...]]]) -> Iterator[str]:
    """The best, leaving out what mostly repeats words of a better one."""
    used: set[str] = set()
    taken = 0
    for _, text, key in scored:
        if taken == MOST_KEYWORDS:
            return
        if 2 * sum(stem in used for stem in key) >= len(key):
            continue
        used.update(key)
        taken += 1
        yield text
