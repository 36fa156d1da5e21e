"""How a statement joins what its source joins: by "and" or "or", all or one of them.

Joints are compared by the content words on either side of them: "a laptop or a token" where the source has "a laptop
and a token". Where a source permits freely or denies, both may mean the same ("by train or bus", "neither a nor b")
and nothing is said.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from policy_rag.answering.verification.conditions import RESTRICTS
from policy_rag.answering.verification.modality_lexicon import PERMISSION
from policy_rag.answering.verification.surface_checks import modals
from policy_rag.index.search.tokens import terms, words

_AND = frozenset(("and", "und", "sowie", "et"))
_OR = frozenset(("or", "oder", "ou"))
_LEAST_OF_ITEM = 2
_REACH = 3  # words on either side of a joint within which its content word stands
_ALL = frozenset(words("all every each both alle allen aller jeder jede jedes sämtliche beide tous toutes"))
_ONE = frozenset(words("one single einer einem einzige einziger"))
_DENIES = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|\w+n't|without|nicht|kein\w*|ohne|ni|pas)\b", re.IGNORECASE
)


def other_joint(statement: str, sources: Sequence[str], language: str) -> str:
    """What a statement joins otherwise than the sentences that it stands on, or "".

    >>> other_joint("Access takes a laptop or a token.", ["Access takes a laptop and a token."], "english")
    'it says "or" where what it cites says "and"'
    """
    return _turned_joint(statement, sources, language) or _turned_quantifier(statement, sources, language)


# --- and, or -------------------------------------------------------------------------------------------------------


def _turned_joint(statement: str, sources: Sequence[str], language: str) -> str:
    ours = _joints(statement, language)
    if not ours or _DENIES.search(statement):
        return ""
    theirs: dict[frozenset[str], set[str]] = {}
    for source in sources:
        if not _is_free(source):
            for pair, word in _joints(source, language).items():
                theirs.setdefault(pair, set()).add(word)
    for pair, word in ours.items():
        given = theirs.get(pair, set())
        if given and not any((word in _AND) == (other in _AND) for other in given):
            return f'it says "{word}" where what it cites says "{min(given)}"'
    return ""


def _is_free(source: str) -> bool:
    """Whether "and" and "or" may mean the same: in what is denied, or permitted without a condition."""
    return bool(_DENIES.search(source)) or (PERMISSION in modals(source) and not RESTRICTS.search(source))


def _joints(text: str, language: str) -> dict[frozenset[str], str]:
    """The joints of a text by the stems of the words that they join."""
    found: dict[frozenset[str], str] = {}
    for clause in re.split(r"[.;:!?]\s", text):
        tokens = words(clause)
        for place, token in enumerate(tokens):
            if token in _AND or token in _OR:
                before = _first(reversed(tokens[max(0, place - _REACH) : place]), language)
                after = _first(tokens[place + 1 : place + 1 + _REACH], language)
                if before and after:
                    found[frozenset((before, after))] = token
    return found


def _first(tokens: Iterable[str], language: str) -> str:
    for token in tokens:
        stems = terms(token, language)
        if token in _AND or token in _OR:
            return ""
        if stems:
            return stems[0]
    return ""


# --- lists ---------------------------------------------------------------------------------------------------------


def other_list_joint(statement: str, items: Sequence[str], language: str) -> str:
    """The "or" of a statement between two items that their list joins by "and", or the other way round; else "".

    Args:
        statement: a sentence.
        items: those of one list, in order, each as it stands.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> other_list_joint("Bring a red passport or one blue photo.", ["a red passport; and", "a blue photo."], "english")
    'it says "or" where what it cites says "and"'
    """
    ends = [words(item)[-1:] for item in items[:-1]]
    joint = next((end[0] for end in reversed(ends) if end and end[0] in _AND | _OR), "")
    if not joint or (_DENIES.search(statement) and not any(map(_DENIES.search, items))):
        return ""
    tokens = words(statement)
    stems = [frozenset(terms(item, language)) for item in items]
    for place, token in enumerate(tokens):
        if token in (_OR if joint in _AND else _AND):
            first, second = (_item(" ".join(side), stems, language) for side in (tokens[:place], tokens[place + 1 :]))
            if first is not None and second is not None and first != second:
                return f'it says "{token}" where what it cites says "{joint}"'
    return ""


def _item(text: str, items: Sequence[frozenset[str]], language: str) -> int | None:
    """The item with most of a text's words, two at least and more than any other."""
    said = frozenset(terms(text, language))
    shared = [len(said & item) for item in items]
    most = max(shared, default=0)
    return shared.index(most) if most >= _LEAST_OF_ITEM and shared.count(most) == 1 else None


# --- all, one ------------------------------------------------------------------------------------------------------


def _turned_quantifier(statement: str, sources: Sequence[str], language: str) -> str:
    given: dict[str, set[str]] = {}
    for source in sources:
        for stem, word in _quantified(source, language):
            given.setdefault(stem, set()).add(word)
    for stem, word in _quantified(statement, language):
        others = given.get(stem, set())
        if others and not any((word in _ALL) == (other in _ALL) for other in others):
            return f'it says "{word}" where what it cites says "{min(others)}"'
    return ""


def _quantified(text: str, language: str) -> Iterator[tuple[str, str]]:
    """The stems of what a text speaks of all or one of, each with the word that says so."""
    tokens = words(text)
    for place, token in enumerate(tokens):
        if token in _ALL or token in _ONE:
            stem = _first(tokens[place + 1 : place + 1 + _REACH], language)
            if stem:
                yield stem, token
