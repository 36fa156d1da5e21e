"""Documents that a question points to: "in the leave policy", "version 3.2 of the travel policy", "in leave-2025.pdf".

Only what points counts. "I broke the travel policy" names a document and yet is answered elsewhere: a document is taken
as the place to look in behind a preposition of place or source, behind a clause's number, before a word of saying, or
with its year or version. A title that does not say what it is, "The office" or "Working hours", mostly means the thing
and not the document ("lunch in the office"): it takes quotation marks, a numbered section, an edition or "what does it
say".
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import dropwhile
from typing import Final

from policy_rag.index.search.terms import language_of, terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.filters import written_filter
from policy_rag.retrieval.self_query.edition_forms import edition_forms, same_version
from policy_rag.retrieval.self_query.question_filters import SearchCondition
from policy_rag.retrieval.title_terms import spelt_out, telling_terms
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, any_word, in_all
from policy_rag_parsers.text.unit_words import UNIT_WORDS

_KINDS: Final = frozenset(kind for one in LEXICONS.values() for kind in one.naming.kinds)
_KINDS_FIRST: Final = frozenset(
    kind for one in LEXICONS.values() if one.question.noun_first for kind in one.naming.kinds
)
_JOINING: Final = any_word(
    *map(in_all, ("document.reference_words.of", "document.reference_words.the", "and_", "naming.for_", "naming.about"))
)
_MOST_TITLES: Final = 3
_COVERS: Final = frozenset({"readme", "index", "_index"})

_OF: Final = f"{in_all('naming.place')}|{in_all('document.reference_words.of')}"
_THE: Final = (
    f"{in_all('question.articles')}|{in_all('document.reference_words.the')}|{in_all('document.reference_words.this')}"
)
_END: Final = r"(?:\s+|(?<=['’]))$"
_DETERMINER: Final = re.compile(rf"(?:\b(?:{_THE})|\b\w+['’]s){_END}", re.IGNORECASE)
_BEHIND: Final = rf"(?:\s+(?:{_THE}|\w+['’]s))?{_END}"
_PLACE: Final = re.compile(rf"\b(?:{in_all('naming.place')}){_BEHIND}", re.IGNORECASE)
_UNITS: Final = alternatives(word for word in UNIT_WORDS if len(word) > 3)
_CLAUSE_OF: Final = re.compile(
    rf"(?:\d[\w.()]{{0,20}}|\b(?:{_UNITS})\b[^.?!]{{0,40}})\s+(?P<of>{_OF}){_BEHIND}", re.IGNORECASE
)
_SAYING: Final = re.compile(rf"(?:['’]s)?\s+(?:{in_all('naming.says')})\b", re.IGNORECASE)
_SAYS_FIRST: Final = "|".join(one.naming.says for one in LEXICONS.values() if one.question.noun_first)
_SAID_OF: Final = re.compile(rf"\b(?:{_SAYS_FIRST}){_BEHIND}", re.IGNORECASE)  # "que dit la politique"
# An office provides and covers things too; it does not say or state them.
_STATES: Final = rf"(?=(?:{in_all('naming.says')})\b)(?:{in_all('naming.quotes')})\b"
_STATING: Final = re.compile(rf"\s++{_STATES}", re.IGNORECASE)
_STATED_IN: Final = re.compile(
    rf"\b{_STATES}\s+(?:{in_all('naming.place')}){_BEHIND}|\b(?=(?:{_SAYS_FIRST}){_BEHIND}){_STATES}"
    rf"|(?:§|\b(?:{_UNITS}))\s*\d[\w.()]{{0,20}}\s+(?:{_OF}){_BEHIND}",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(r"[\"'“„‘’]$|«\s*$")
_UNQUOTE: Final = re.compile(r"[\"'“”‘’]|\s*+»")
_ARTICLE: Final = any_word(in_all("question.articles"))
_NOT_THERE: Final = re.compile(rf"\b(?:{in_all('naming.elsewhere')})\b[^.?!]{{0,12}}$", re.IGNORECASE)
_IN_FILE: Final = rf"(?:\b(?:{_OF})\s+)?(?:\b(?:{_THE})\s+)?(?:\b(?:{in_all('naming.file')})\s+)?"


def named_files(question: str, documents: Sequence[DocumentInfo]) -> SearchCondition | None:
    """The condition on `doc_id` of a question that names files, with their folders or without; else None.

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
    doc_ids = dict.fromkeys(one for ids in found.values() for one in ids)
    return SearchCondition((written_filter("doc_id", *doc_ids),), any_day=True, said=tuple(sorted(found)))


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
class _Mention:
    start: int
    end: int
    titles: tuple[str, ...]
    whole: bool = False


def named_titles(question: str, documents: Sequence[DocumentInfo]) -> NamedTitles | None:
    """The documents that a question points to, or None.

    No title of documents that the caller may not read is compared with.
    """
    pointed: list[NamedTitles] = []
    mentions = _mentions(question, documents)
    for i, mention in enumerate(mentions):
        also = _around(language_of(question)).also.match(question, mention.end)
        if also is not None and not (i + 1 < len(mentions) and mentions[i + 1].end >= also.end()):
            return None  # "under the travel policy or the tax rules": the other place is not known here
        one = _pointed(question, mention, mentions[i - 1].end if i else 0, _versions(documents, mention))
        if one is not None and not all(_is_cover(d, documents) for d in documents if d.title in one.titles):
            pointed.append(one)
    titles = tuple(dict.fromkeys(title for one in pointed for title in one.titles))
    if not 0 < len(titles) <= _MOST_TITLES:
        return None
    return NamedTitles(
        titles=titles,
        version=next((one.version for one in pointed if one.version), None),
        year=next((one.year for one in pointed if one.year), None),
        old=any(one.old for one in pointed),
        said=tuple(span for one in pointed for span in one.said),
    )


def called_titles(name: str, documents: Sequence[DocumentInfo]) -> tuple[int, tuple[str, ...]]:
    """Where the name with which a text begins ends, and the titles that it may mean: "AML policy"; none without one.

    These are the names by which a question finds a document, here without anything that points to it.
    """
    first = next(iter(_mentions(name, documents)), None)
    if first is None or terms(name[: first.start]):
        return 0, ()
    return first.end, first.titles


def _pointed(question: str, mention: _Mention, since: int, versions: tuple[str, ...]) -> NamedTitles | None:
    """What a mention points to; None where it does not point to a document.

    What is joined to something else ("under the tax rules and the travel policy") is not the only place to look in;
    `since` is where the mention before it ends, to which it may be joined; `versions` are those that the mentioned
    documents declare.
    """
    before, behind = question[since : mention.start], question[mention.end :]
    around = _around(language_of(question))
    if around.indefinite.search(before):
        return None
    forms = edition_forms(versions)
    said: list[re.Match[str]] = []
    while (match := forms.modifier.search(before)) is not None:
        said.append(match)
        before = before[: match.start()]
    bare = not said and _DETERMINER.search(before) is None
    if (match := forms.of.search(before)) is not None:
        said.append(match)
        before, bare = before[: match.start()], False
    if (match := forms.behind.match(behind)) is not None:
        said.append(match)
        behind = behind[match.end() :]
    version = next((one["version"] or one["bare"] for one in said if one["version"] or one["bare"]), None)
    year = next((one["year"] for one in said if one["year"]), None)
    old = any(one["old"] for one in said)
    place, clause = _PLACE.search(before), _CLAUSE_OF.search(before)
    cue = clause or place
    said_of = _SAID_OF.search(before)
    if cue is None and said_of is None and bare and _other_word(before, mention.whole):
        return None  # "the company car leave policy" is no "leave policy"
    rest = before[: cue.start()] if cue else _DETERMINER.sub("", before)
    if _NOT_THERE.search(rest) or around.joined.search(rest):
        return None
    saying = said_of or _SAYING.match(behind)
    if not (version or year or old or cue or saying):
        return None
    # "section 4 of the policy" keeps its section.
    first = since + (place.start() if place else clause.start("of") - 1 if clause else len(rest))
    span = first, len(question) - len(behind)
    return NamedTitles(mention.titles, version, int(year) if year else None, old, (span,))


@dataclass(frozen=True, slots=True)
class _Around:
    """Words around a mention that are others in another language: "a" is an article in Portuguese.

    Attributes:
        indefinite: in front of it where no document in particular is meant.
        joined: in front of it where it is joined to something else.
        also: behind it where another document is joined to it.
    """

    indefinite: re.Pattern[str]
    joined: re.Pattern[str]
    also: re.Pattern[str]


@cache
def _around(language: str | None) -> _Around:
    """Those of a language, or of all where it is not known."""
    known = [LEXICONS[language]] if language in LEXICONS else list(LEXICONS.values())
    but = "|".join(one.but for one in known)
    words = "|".join(f"{alternatives(one.and_ | one.or_)}|{one.question.joins}" for one in known)
    joint = rf"(?!(?:{but})\b)(?:{words})"
    return _Around(
        indefinite=re.compile(rf"\b(?:{'|'.join(one.naming.indefinite for one in known)})\s+$", re.IGNORECASE),
        joined=re.compile(rf"\w\W*(?:,|\b{joint})\s*$", re.IGNORECASE),
        also=re.compile(
            rf"\s*+(?:,(?:\s*+{joint})?|\b{joint})\s[^.?!;]{{0,50}}?\b(?:{alternatives(_KINDS)})\b", re.IGNORECASE
        ),
    )


def _other_word(before: str, whole: bool) -> bool:
    """Whether the text in front of a mention ends with a word that could belong to another title.

    In front of a title as it stands words like "does" will do; the end of one needs an article or a preposition.
    """
    last = words(before)[-1:]
    return bool(last) and (not whole or bool(terms(last[0])))


def _is_cover(document: DocumentInfo, documents: Sequence[DocumentInfo]) -> bool:
    """Whether a document is the first page of a folder of others: "the staff handbook" is then all of them."""
    folder, slash, name = document.file.rpartition("/")
    return name.partition(".")[0].casefold() in _COVERS and any(
        one.doc_key != document.doc_key and one.root == document.root and one.file.startswith(folder + slash)
        for one in documents
    )


def _versions(documents: Sequence[DocumentInfo], mention: _Mention) -> tuple[str, ...]:
    """Those that the mentioned documents declare."""
    return tuple(sorted({d.version for d in documents if d.version and d.title in mention.titles}))


def _mentions(question: str, documents: Sequence[DocumentInfo]) -> list[_Mention]:
    """Where a question writes a title, or the end of one ("travel policy" for "Expenses and Travel Policy")."""
    tokens = [(match[0].lower(), match.start(), match.end()) for match in re.finditer(r"\w+", question)]
    whole = [
        quoted or mention
        for mention in _whole(tokens, dict.fromkeys(d.title for d in documents if d.title.strip()))
        if (quoted := _quoted(question, mention))
        or names_a_kind(mention.titles[0])
        or _as_document(question, mention, _versions(documents, mention))
    ]
    if not any(word in _KINDS for word, _, _ in tokens):
        return whole
    telling = telling_terms(documents)
    titles = {d.title: telling[d.doc_key] for d in documents if d.title.strip()}
    taken = {i for mention in whole for i, token in enumerate(tokens) if mention.start <= token[1] < mention.end}
    parts = [
        mention
        for i, (word, _, _) in enumerate(tokens)
        if word in _KINDS and i not in taken and (mention := _of_kind(i, question, tokens, titles)) is not None
    ]
    return sorted([*whole, *parts], key=lambda mention: mention.start)


def _quoted(question: str, mention: _Mention) -> _Mention | None:
    """A mention with the quotation marks around it; None where there are none."""
    first, last = _QUOTE.search(question[: mention.start]), _UNQUOTE.match(question[mention.end :])
    return replace(mention, start=first.start(), end=mention.end + last.end()) if first and last else None


def _as_document(question: str, mention: _Mention, versions: tuple[str, ...]) -> bool:
    """Whether a question speaks of the document of that title, where it could speak of the thing: "the office"."""
    before, behind = question[: mention.start], question[mention.end :]
    forms = edition_forms(versions)
    edition = forms.of.search(before)
    if edition is not None and (edition["old"] or edition["year"]):
        return True
    beside = filter(None, (edition, forms.modifier.search(before), forms.behind.match(behind)))
    if any(same_version(versions, one["version"] or one["bare"] or "") for one in beside):
        return True
    return _STATED_IN.search(before) is not None or _STATING.match(behind) is not None


@lru_cache(maxsize=10_000)
def _words(title: str) -> tuple[str, ...]:
    return tuple(words(title))


@lru_cache(maxsize=10_000)
def _name(title: str) -> tuple[str, ...]:
    """The words of a title without the articles in front."""
    return tuple(dropwhile(_ARTICLE.fullmatch, _words(title)))


def _whole(tokens: Sequence[tuple[str, int, int]], titles: Iterable[str]) -> list[_Mention]:
    """Titles that stand there as they are; a longer one hides the shorter ones inside it."""
    said = tuple(token[0] for token in tokens)
    known = set(said)
    found: list[tuple[int, int, str]] = []
    for title in titles:
        wanted = _name(title)
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


def _of_kind(
    at: int, question: str, tokens: Sequence[tuple[str, int, int]], titles: Mapping[str, frozenset[str]]
) -> _Mention | None:
    """The mention of which the word at `at` says the kind: the titles that share most of the words in front of it.

    Behind it, in a language that puts them there. At least half of a title's telling words must stand there:
    "regulatory guidance" names no guidance in particular.
    """
    kind = tokens[at][0]
    for step in (-1, 1) if kind in _KINDS_FIRST else (-1,):
        best: dict[str, tuple[int, float, int]] = {}
        for title, telling in titles.items():
            own = _words(title)
            if kind not in own or not telling:
                continue
            last, shared = at, set[str]()
            for i in range(at + step, at + step * (1 + 2 * len(own)), step):
                if not 0 <= i < len(tokens):
                    break
                stems = set(spelt_out(question[tokens[i][1] : tokens[i][2]], title) or terms(tokens[i][0]))
                if stems and telling >= stems:
                    shared |= stems
                    last = i
                elif tokens[i][0] not in own and _JOINING.fullmatch(tokens[i][0]) is None:
                    break
            if 2 * len(shared) >= len(telling) and shared:
                best[title] = (len(shared), len(shared) / len(telling), last)
        if best:
            score = max((count, share) for count, share, _ in best.values())
            named = [title for title, (count, share, _) in best.items() if (count, share) == score]
            first, last = sorted((at, best[named[0]][2]))
            return _Mention(tokens[first][1], tokens[last][2], tuple(named))
    return None
