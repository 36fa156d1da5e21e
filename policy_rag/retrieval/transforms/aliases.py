"""Two names of one thing, as documents give them: "Data Protection Officer (DPO)", "PEP means a politically ...".

Acronyms are matched to their long forms by the algorithm of Schwartz and Hearst (*A Simple Algorithm for Identifying
Abbreviation Definitions in Biomedical Text*, PSB 2003): from the end, each letter of the acronym must be found in the
long form in order, the first one at the beginning of a word.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile

from policy_rag.index.search.terms import terms, words
from policy_rag.index.store.document_rows import read_text
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.text.lexicon import LEXICONS, SMALL_WORDS, alternatives, in_all

Alias = tuple[str, str]

_QUOTES = "\"“”„'‘’«»"
_NAME = rf"[^{_QUOTES}()\n]{{2,60}}"
_SHORT = r"[A-Z][A-Za-z0-9&/-]{1,9}"
_THE = f"{in_all('question.articles')}|{in_all('document.reference_words.the')}"
# Each begins with what is rare in a text, and looks back from there: else every character would be a beginning.
_BRACKET = re.compile(
    rf"\((?:(?i:{in_all('naming.hereinafter')})[,:]?\s+)?(?:(?:{_THE})\s+)?"
    rf"[{_QUOTES}]?(?P<inside>[^()\n{_QUOTES}]{{2,80}})[{_QUOTES}]?\)"
)
_ALSO = re.compile(
    rf"\b(?:{in_all('naming.also_called')})\s+(?:(?:{_THE})\s+)?"
    rf"[{_QUOTES}]?(?P<other>{_NAME}?)[{_QUOTES}]?\s*[),.;]",
    re.IGNORECASE,
)
_BEFORE_ALSO = re.compile(rf"(?P<one>{_NAME})[{_QUOTES}]?,?\s*[(,]\s*\Z")
_LOOK_BACK = 120
_DEFINED = re.compile(
    rf"(?<![\w-])(?P<short>(?=[A-Z][A-Za-z0-9&/-]{{0,8}}[A-Z]){_SHORT})[{_QUOTES}*_\s]{{0,4}}"
    rf"(?:(?<!\w)(?:{in_all('defines')})\s|[:=–—|])\s*(?P<long>[^.;:,()|\n]{{3,120}})"
)
_DETERMINERS = frozenset(word for one in LEXICONS.values() for word in one.determiners | one.question.articles)
_IS_SHORT = re.compile(rf"{_SHORT}\Z")
# "As Low As Reasonably Practicable" does not begin with an article.
_LEADING = re.compile(rf"\A(?!as\s)(?:{_THE}|{in_all('all_')})\s+", re.IGNORECASE)
_BEFORE_NOUN = re.compile(rf"\b(?:{in_all('naming.before_noun')})\s+", re.IGNORECASE)
_BEGINS_NAME = re.compile(rf"(?<![^\W_])(?!(?:{alternatives(SMALL_WORDS)})\s)")
_MOST_WORDS = 6
MOST_VARIANTS = 3


def find_aliases(text: str) -> frozenset[Alias]:
    """The pairs of names in a text; of an acronym and its long form the acronym comes first.

    >>> find_aliases("Ask the Data Protection Officer (DPO).")
    frozenset({('DPO', 'Data Protection Officer')})
    """
    return frozenset(_brackets(text)) | frozenset(_others(text)) | frozenset(_defined(text))


def _brackets(text: str) -> Iterator[Alias]:
    for found in _BRACKET.finditer(text):
        before, inside = _sentence_before(text, found.start()), found["inside"].strip()
        if is_acronym(inside):
            long = long_form(inside, before)
            if long:
                yield inside, long
        elif before and is_acronym(before.split()[-1]):
            long = long_form(before.split()[-1], inside)
            if long and len(long) == len(_LEADING.sub("", inside)):  # the bracket holds the long form and no more
                yield before.split()[-1], long


def _sentence_before(text: str, end: int) -> str:
    """What stands before a place in its sentence and line, and outside other brackets."""
    return re.split(r"[()\n.;:!?]", text[max(0, end - _LOOK_BACK) : end])[-1].strip()


def _others(text: str) -> Iterator[Alias]:
    for found in _ALSO.finditer(text):
        before = _BEFORE_ALSO.search(text[max(0, found.start() - _LOOK_BACK) : found.start()])
        if before:
            yield from _named(_noun(before["one"]), found["other"])


def _defined(text: str) -> Iterator[Alias]:
    """Acronyms that are said to mean words which begin with their long form, whatever goes on behind it."""
    for found in _DEFINED.finditer(text):
        said = found["long"].replace("*", "").split()
        said = list(dropwhile(lambda word: word.lower() in _DETERMINERS, said))
        long = _first_words(found["short"], said)
        if long:
            yield found["short"], long


def _first_words(short: str, said: Sequence[str]) -> str | None:
    """The fewest words, from the first on, that an acronym abbreviates, or None.

    Its first letter begins the first of them, its last capital the last, and the others stand between in order.
    """
    if not said or said[0].lower() in SMALL_WORDS:
        return None
    letters = [char.lower() for char in short.rstrip("s") if char.isalnum()]
    between = re.compile(".*?".join(map(re.escape, letters[:-1])))
    for size in range(2, _most_words(letters) + 1):
        before, last = " ".join(said[: size - 1]).lower(), said[size - 1 : size]
        if last and last[0].lower().startswith(letters[-1]) and between.match(before):
            return " ".join(said[:size])
    return None


def _most_words(letters: Sequence[str]) -> int:
    """Of a long form."""
    return min(len(letters) + 5, 2 * len(letters))


def _named(one: str, other: str) -> Iterator[Alias]:
    one, other = (_LEADING.sub("", name.strip()) for name in (one, other))
    if one and len(other.split()) <= _MOST_WORDS and terms(one) and terms(other):
        yield one, other


def _noun(before: str) -> str:
    """What stands before "also known as": the words after the last article or verb, four at most."""
    sentence = re.split(r"[.;:!?]\s+", before)[-1]
    tail = _BEFORE_NOUN.split(sentence)[-1]
    return " ".join(tail.split()[-4:])


def is_acronym(word: str) -> bool:
    """Whether a word is written like an acronym: two capitals at least.

    >>> is_acronym("DPO"), is_acronym("GenAI"), is_acronym("Germany")
    (True, True, False)
    """
    return _IS_SHORT.match(word) is not None and sum(char.isupper() for char in word) >= 2


def long_form(short: str, before: str) -> str | None:
    """The shortest end of `before` that `short` abbreviates, or None.

    >>> long_form("MLRO", "must appoint a Money Laundering Reporting Officer")
    'Money Laundering Reporting Officer'
    """
    letters = [char.lower() for char in short if char.isalnum()]
    at = len(before)
    for place, letter in reversed(list(enumerate(letters))):
        at -= 1
        while at >= 0 and (before[at].lower() != letter or (place == 0 and not _BEGINS_NAME.match(before, at))):
            at -= 1
        if at < 0:
            return None
    found = _LEADING.sub("", before[at:]).strip(f" {_QUOTES},")
    if not 2 <= len(found.split()) <= _most_words(letters) or short.lower() in found.lower().split():
        return None
    return found


class Aliases:
    """The names of some documents, and where a question has one of them.

    Args:
        pairs: two names, and in how many documents they stand as one. Of pairs that differ in case and endings alone
            the most frequent one counts.
    """

    def __init__(self, pairs: Mapping[Alias, int]) -> None:
        distinct: dict[tuple[tuple[str, ...], ...], Alias] = {}
        for pair in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
            distinct.setdefault(tuple(sorted(_stems(name) for name in pair)), pair)
        self._names = [
            (name, None if is_acronym(name) else _stems(name), instead)
            for one, other in distinct.values()
            for name, instead in ((one, other), (other, one))
        ]

    def named(self, question: str) -> list[tuple[int, int, str]]:
        """Where a question has a name, `[start, end)`, and what else it is called; most documents first.

        An acronym counts as it is written, or in lower case where it is no other word; long names whatever their
        case and endings.
        """
        found: list[tuple[int, int, str]] = []
        folded = question.casefold()
        places = [(_stem(word[0].lower()), *word.span()) for word in re.finditer(r"[^\W_]+", question)]
        known = {stem for stem, _, _ in places}
        tokens = {word[0]: word.span() for word in re.finditer(r"[^\W_]+(?:[&/-][^\W_]+)*", question)}
        for name, stems, instead in self._names:
            if instead.casefold() in folded:
                continue
            if stems is None:
                span = _acronym_at(tokens, name)
            else:
                span = _name_at(places, stems) if known.issuperset(stems) else None
            if span:
                found.append((*span, instead))
        return found


def _acronym_at(tokens: Mapping[str, tuple[int, int]], name: str) -> tuple[int, int] | None:
    low = name.lower()
    if name in tokens or len(name) < 3 or low not in tokens or terms(low) != [low]:
        return tokens.get(name)
    return tokens[low]


def _name_at(places: Sequence[tuple[str, int, int]], wanted: tuple[str, ...]) -> tuple[int, int] | None:
    for i in range(len(places) - len(wanted) + 1):
        part = places[i : i + len(wanted)]
        if tuple(stem for stem, _, _ in part) == wanted:
            return part[0][1], part[-1][2]
    return None


def _stems(name: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in words(name))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """The stem of a word; the word itself where it has none, as "of"."""
    return (terms(word) or [word])[0]


def aliases_of(view: Visibility) -> Aliases:
    """The names in the documents that a view shows, and in no other; worked out once a state of the index."""
    key = ("aliases", frozenset(view.documents))
    found: Aliases | None = view.snapshot.views.get(key)
    if found is None:
        texts = (read_text(view.snapshot.db, document) for document in view.documents)
        found = Aliases(Counter(pair for text in texts for pair in find_aliases(text)))
        view.snapshot.views[key] = found
    return found


def variants(question: str, aliases: Aliases) -> tuple[str, ...]:
    """The question with a name of the corpus in place of the other, up to `MOST_VARIANTS`; none without one."""
    found = aliases.named(question)
    single = [question[:start] + other + question[end:] for start, end, other in found]
    return tuple(dict.fromkeys(text for text in single if text != question))[:MOST_VARIANTS]
