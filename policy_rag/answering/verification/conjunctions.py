"""How a statement joins what its source joins: by "and" or "or", all or one of them.

Joints are compared by the content words on either side of them: "a laptop or a token" where the source has "a laptop
and a token". Where a source permits freely or denies, both may mean the same ("by train or bus", "neither a nor b")
and nothing is said.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from policy_rag.answering.verification.sentence import Sentence
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.lexicon import lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import denial
from policy_rag_parsers.text.tokenizer import terms, words

_LEAST_OF_ITEM = 2
_REACH = 3  # words on either side of a joint within which its content word stands


def other_joint(statement: Sentence, evidence: Evidence) -> str:
    """The "and" of a statement where the sentences that it stands on have "or", or the other way round; else ""."""
    ours = dict(_joints(statement))
    if not ours or denial(statement.language).search(statement.text):
        return ""
    sources = [source for source in evidence.prose if not _is_free(source)]
    return _turned(ours.items(), (one for source in sources for one in _joints(source)), statement.lexicon.and_)


def other_quantifier(statement: Sentence, evidence: Evidence) -> str:
    """The "all" of a statement where the sentences that it stands on have "one", or the other way round; else ""."""
    given = (one for source in evidence.prose for one in _quantified(source))
    return _turned(_quantified(statement), given, statement.lexicon.all_)


def other_list_joint(statement: Sentence, evidence: Evidence) -> str:
    """The "or" of a statement between two items that their list joins by "and", or the other way round; else ""."""
    return next(filter(None, (_list_joint(statement, items) for items in evidence.lists)), "")


def _turned(
    ours: Iterable[tuple[frozenset[str], str]], theirs: Iterable[tuple[frozenset[str], str]], kind: frozenset[str]
) -> str:
    """The first word that joins or counts the same stems as one of the other kind, and none of its own, does."""
    given: dict[frozenset[str], set[str]] = {}
    for stems, word in theirs:
        given.setdefault(stems, set()).add(word)
    for stems, word in ours:
        others = given.get(stems, set())
        if others and not any((word in kind) == (other in kind) for other in others):
            return f'it says "{word}" where what it cites says "{min(others)}"'
    return ""


def _is_free(source: Sentence) -> bool:
    """Whether "and" and "or" may mean the same: in what is denied, or permitted without a condition."""
    permitted = Modality.PERMISSION in source.modals and not source.says(source.lexicon.only)
    return bool(denial(source.language).search(source.text)) or permitted


def _joints(sentence: Sentence) -> Iterator[tuple[frozenset[str], str]]:
    """The joints of a text, each with the stems of the words that it joins."""
    joints = sentence.lexicon.and_ | sentence.lexicon.or_
    for clause in re.split(r"[.;:!?]\s", sentence.text):
        tokens = words(clause)
        for place, token in enumerate(tokens):
            if token in joints:
                before = _first(reversed(tokens[max(0, place - _REACH) : place]), sentence.language)
                after = _first(tokens[place + 1 : place + 1 + _REACH], sentence.language)
                if before and after:
                    yield frozenset((before, after)), token


def _quantified(sentence: Sentence) -> Iterator[tuple[frozenset[str], str]]:
    """The stems of what a text speaks of all or one of, each with the word that says so."""
    counting = sentence.lexicon.all_ | sentence.lexicon.one
    for place, token in enumerate(sentence.words):
        if token in counting:
            stem = _first(sentence.words[place + 1 : place + 1 + _REACH], sentence.language)
            if stem:
                yield frozenset((stem,)), token


def _first(tokens: Iterable[str], language: str) -> str:
    """The first content stem before a joint."""
    known = lexicon(language)
    for token in tokens:
        if token in known.and_ or token in known.or_:
            return ""
        stems = terms(token, language)
        if stems:
            return stems[0]
    return ""


def _list_joint(statement: Sentence, items: Sequence[Sentence]) -> str:
    known, language = statement.lexicon, statement.language
    ends = [item.words[-1:] for item in items[:-1]]
    joint = next((end[0] for end in reversed(ends) if end and end[0] in known.and_ | known.or_), "")
    denied = denial(language)
    if not joint or (denied.search(statement.text) and not any(denied.search(item.text) for item in items)):
        return ""
    stems = [frozenset(terms(item.text, language)) for item in items]
    for place, token in enumerate(statement.words):
        if token in (known.or_ if joint in known.and_ else known.and_):
            sides = statement.words[:place], statement.words[place + 1 :]
            first, second = (_item(" ".join(side), stems, language) for side in sides)
            if first is not None and second is not None and first != second:
                return f'it says "{token}" where what it cites says "{joint}"'
    return ""


def _item(text: str, items: Sequence[frozenset[str]], language: str) -> int | None:
    """The item with most of a text's words, two at least and more than any other."""
    said = frozenset(terms(text, language))
    shared = [len(said & item) for item in items]
    most = max(shared, default=0)
    return shared.index(most) if most >= _LEAST_OF_ITEM and shared.count(most) == 1 else None
