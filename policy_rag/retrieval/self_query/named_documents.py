"""Documents that a question points to: "in the leave policy", "version 3.2 of the travel policy", "in leave-2025.pdf".

Only what points counts. "I broke the travel policy" names a document and yet is answered elsewhere: a document is taken
as the place to look in behind a preposition of place or source, behind a clause's number, before a word of saying, or
with its year or version.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from policy_rag.index.search.terms import terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.self_query.edition_forms import edition_forms
from policy_rag.retrieval.title_terms import spelt_out, telling_terms

_KINDS: Final = frozenset(
    words(
        "policy guideline guidelines guidance standard procedure code charter handbook manual agreement schedule "
        "rulebook rules regulations directive plan statement protocol instruction bylaws "
        "richtlinie leitlinie ordnung regelung vereinbarung betriebsvereinbarung dienstanweisung satzung"
    )
)
_JOINING: Final = frozenset(("and", "of", "the", "for", "on", "und", "zur", "zum"))
_MOST_TITLES: Final = 3

_DETERMINER: Final = re.compile(
    r"(?:\b(?:the|our|your|this|its|their|der|die|das|dem|den|des|unsere[rnms]?)|\b\w+['’]s)\s+$", re.IGNORECASE
)
_ANY: Final = re.compile(r"\b(?:an?|any|no|every|which|what|some|another|eine?|keine?)\s+$", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"\b(?:in|under|per|within|inside|according to|pursuant to|in line with|in accordance with|following|based on|by|"
    r"from|laut|gemäß|nach|unter|aus)\s+$",
    re.IGNORECASE,
)
_CLAUSE_OF: Final = re.compile(
    r"(?:\d[\w.()]{0,20}|\b(?:section|clause|article|chapter|part|annex)\b[^.?!]{0,40})\s+(?:of|in|von)\s+$",
    re.IGNORECASE,
)
_SAYING: Final = re.compile(
    r"(?:['’]s)?\s+(?:(?:documents?|itself|actually|now|currently)\s+)?(?:says?|states?|allows?|requires?|provides?|"
    r"mentions?|defines?|covers?|permits?|prohibits?|forbids?|regulates?|contains?|means?|tells?|specif(?:y|ies)|"
    r"appl(?:y|ies)|sets?|sagt|regelt|erlaubt|verlangt|verbietet|steht)\b",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(
    rf"\s*+(?:,(?:\s*+(?:and|or|as well as|und|oder))?|\b(?:and|or|as well as|und|oder))\s"
    rf"[^.?!;]{{0,50}}?\b(?:{'|'.join(sorted(_KINDS))})\b",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"\w\W*(?:,|\b(?:and|or|und|oder))\s*$", re.IGNORECASE)
_NOT_THERE: Final = re.compile(
    r"\b(?:not|nowhere|except|besides|outside|apart from|other than|instead of|unlike|without|nicht|außer)\b"
    r"[^.?!]{0,12}$",
    re.IGNORECASE,
)


_IN_FILE: Final = (
    r"(?:\b(?:in|from|of|under|per|within|according to|laut|gemäß|in|aus|von)\s+)?"
    r"(?:\b(?:the|der|die|das|dem)\s+)?(?:\b(?:file|document|datei|dokument)\s+)?"
)


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Documents whose files a question names, by `doc_id`, and the ranges of the question that say so."""

    doc_ids: tuple[str, ...]
    said: tuple[tuple[int, int], ...]


def named_files(question: str, documents: Sequence[DocumentInfo]) -> NamedFiles | None:
    """The documents whose files a question names, with their folders or without, or None.

    A name that several folders have means each of them; a name with its folder means that one.
    """
    folded = question.casefold()
    if "." not in folded:
        return None
    found: dict[tuple[int, int], list[str]] = {}
    for document in documents:
        for name in dict.fromkeys((document.file, document.file.rpartition("/")[2])):
            if "." not in name or name.casefold() not in folded:
                continue
            written = re.compile(rf"{_IN_FILE}(?<![\w/.-]){re.escape(name)}(?![\w/-]|\.\w)", re.IGNORECASE)
            for match in written.finditer(question):
                if not _NOT_THERE.search(question[: match.start()]):
                    found.setdefault(match.span(), []).append(document.doc_id)
    if not found:
        return None
    return NamedFiles(tuple(dict.fromkeys(one for ids in found.values() for one in ids)), tuple(sorted(found)))


@dataclass(frozen=True, slots=True)
class NamedTitles:
    """Titles that a question points to, with the edition that it names.

    Attributes:
        titles: of documents, distinct; more than one where the question could mean any of them, or means several.
        version: as the question writes it, or None.
        year: that it names, or None.
        old: whether it asks for an edition that is no more in force, without saying which.
        said: the ranges of the question that say so.
    """

    titles: tuple[str, ...]
    version: str | None = None
    year: int | None = None
    old: bool = False
    said: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Pointed:
    """A mention that points to a document: the edition that it names, and its range in the question."""

    version: str | None
    year: int | None
    old: bool
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    titles: tuple[str, ...]
    whole: bool = False


def named_titles(question: str, documents: Sequence[DocumentInfo]) -> NamedTitles | None:
    """The documents that a question points to, or None.

    No title of documents that the caller may not read is compared with.
    """
    found: dict[str, None] = {}
    pointed: list[_Pointed] = []
    mentions = _mentions(question, documents)
    for i, mention in enumerate(mentions):
        also = _ALSO.match(question, mention.end)
        if also is not None and not (i + 1 < len(mentions) and mentions[i + 1].end >= also.end()):
            return None  # "under the travel policy or the tax rules": the other place is not known here
        versions = tuple(sorted({d.version for d in documents if d.version and d.title in mention.titles}))
        one = _pointed(question, mention, mentions[i - 1].end if i else 0, versions)
        if one is not None:
            found.update(dict.fromkeys(mention.titles))
            pointed.append(one)
    if not found or len(found) > _MOST_TITLES:
        return None
    return NamedTitles(
        titles=tuple(found),
        version=next((one.version for one in pointed if one.version), None),
        year=next((one.year for one in pointed if one.year), None),
        old=any(one.old for one in pointed),
        said=tuple(one.span for one in pointed),
    )


def _pointed(question: str, mention: _Mention, since: int, versions: tuple[str, ...]) -> _Pointed | None:
    """What a mention points to; None where it does not point to a document.

    What is joined to something else ("under the tax rules and the travel policy") is not the only place to look in;
    `since` is where the mention before it ends, to which it may be joined; `versions` are those that the mentioned
    documents declare.
    """
    before, behind = question[since : mention.start], question[mention.end :]
    if _ANY.search(before):
        return None
    forms = edition_forms(versions)
    said: list[re.Match[str]] = []
    while (match := forms.modifier.search(before)) is not None:
        said.append(match)
        before = before[: match.start()]
    bare = not said and _DETERMINER.search(before) is None
    before = _DETERMINER.sub("", before)
    if (match := forms.of.search(before)) is not None:
        said.append(match)
        before, bare = _DETERMINER.sub("", before[: match.start()]), False
    if (match := forms.behind.match(behind)) is not None:
        said.append(match)
        behind = behind[match.end() :]
    version = next((one["version"] or one["bare"] for one in said if one["version"] or one["bare"]), None)
    year = next((one["year"] for one in said if one["year"]), None)
    old = any(one["old"] for one in said)
    place = _PLACE.search(before)
    if place is None and bare and _other_word(before, mention.whole):
        return None  # "the company car leave policy" is no "leave policy"
    clause = _CLAUSE_OF.search(before)
    cue = clause or place
    rest = before[: cue.start()] if cue else before
    if _NOT_THERE.search(rest) or _JOINED.search(rest):
        return None
    saying = _SAYING.match(behind)
    if not (version or year or old or cue or saying):
        return None
    # "section 4 of the policy" keeps its section.
    first = since + (place.start() if place else before.rindex(" ", 0, -1) if clause else len(before))
    return _Pointed(version, int(year) if year else None, old, (first, len(question) - len(behind)))


def _other_word(before: str, whole: bool) -> bool:
    """Whether the text in front of a mention ends with a word that could belong to another title.

    In front of a title as it stands words like "does" will do; the end of one needs an article or a preposition.
    """
    last = words(before)[-1:]
    return bool(last) and (not whole or bool(terms(last[0])))


def _mentions(question: str, documents: Sequence[DocumentInfo]) -> list[_Mention]:
    """Where a question writes a title, or the end of one ("travel policy" for "Expenses and Travel Policy")."""
    tokens = [(match[0].lower(), match.start(), match.end()) for match in re.finditer(r"\w+", question)]
    whole = _whole(tokens, dict.fromkeys(d.title for d in documents if d.title.strip()))
    if not any(word in _KINDS for word, _, _ in tokens):
        return whole
    telling = telling_terms(documents)
    titles = {d.title: telling[d.doc_key] for d in documents if d.title.strip()}
    taken = {i for mention in whole for i, token in enumerate(tokens) if mention.start <= token[1] < mention.end}
    parts = [
        mention
        for i, (word, _, _) in enumerate(tokens)
        if word in _KINDS and i not in taken and (mention := _ending_at(i, question, tokens, titles)) is not None
    ]
    return sorted([*whole, *parts], key=lambda mention: mention.start)


@lru_cache(maxsize=10_000)
def _words(title: str) -> tuple[str, ...]:
    return tuple(words(title))


def _whole(tokens: Sequence[tuple[str, int, int]], titles: Iterable[str]) -> list[_Mention]:
    """Titles that stand there as they are; a longer one hides the shorter ones inside it."""
    said = tuple(token[0] for token in tokens)
    known = set(said)
    found: list[tuple[int, int, str]] = []
    for title in titles:
        wanted = _words(title)
        if not known.issuperset(wanted) or not (len(wanted) > 1 or _is_kind(wanted)):
            continue
        wide = len(wanted)
        found += [(i, i + wide, title) for i in range(len(said) - wide + 1) if said[i : i + wide] == wanted]
    kept = [one for one in found if not any(_inside(one, other) for other in found)]
    places: dict[tuple[int, int], list[str]] = {}
    for start, end, title in kept:
        places.setdefault((tokens[start][1], tokens[end - 1][2]), []).append(title)
    return [_Mention(start, end, tuple(names), whole=True) for (start, end), names in places.items()]


def _is_kind(title: Sequence[str]) -> bool:
    """Whether a title of one word says by itself what it is: "Reisekostenrichtlinie"."""
    return bool(title) and title[0] not in _KINDS and title[0].endswith(tuple(kind for kind in _KINDS if len(kind) > 5))


def names_a_kind(question: str) -> bool:
    """Whether a question has a word for a document: "policy", "manual", "Reisekostenrichtlinie".

    >>> names_a_kind("When does the leave policy start?"), names_a_kind("When does parental leave start?")
    (True, False)
    """
    return any(word in _KINDS or _is_kind((word,)) for word in words(question))


def _inside(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and (other[1] - other[0]) > (one[1] - one[0])


def _ending_at(
    last: int, question: str, tokens: Sequence[tuple[str, int, int]], titles: Mapping[str, frozenset[str]]
) -> _Mention | None:
    """The mention of which the word at `last` says the kind: the titles that share most of the words in front of it.

    At least half of a title's telling words must stand there: "regulatory guidance" names no guidance in particular.
    """
    kind = tokens[last][0]
    best: dict[str, tuple[int, float, int]] = {}
    for title, telling in titles.items():
        own = _words(title)
        if kind not in own or not telling:
            continue
        first, shared = last, set[str]()
        for i in range(last - 1, max(-1, last - 1 - 2 * len(own)), -1):
            stems = set(spelt_out(question[tokens[i][1] : tokens[i][2]], title) or terms(tokens[i][0]))
            if stems and telling >= stems:
                shared |= stems
                first = i
            elif tokens[i][0] not in own and tokens[i][0] not in _JOINING:
                break
        if 2 * len(shared) >= len(telling) and shared:
            best[title] = (len(shared), len(shared) / len(telling), first)
    if not best:
        return None
    score = max((count, share) for count, share, _ in best.values())
    named = [title for title, (count, share, _) in best.items() if (count, share) == score]
    return _Mention(tokens[best[named[0]][2]][1], tokens[last][2], tuple(named))
