"""The documents that texts may refer to, found in a text by their names."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from policy_rag_parsers.records import Section
from policy_rag_parsers.references.document_names import DocumentNames, name_key
from policy_rag_parsers.references.section_numbers import SectionNumbers
from policy_rag_parsers.text.lexicon import ARTICLES, LEXICONS, SMALL_WORDS, alternatives, line_words, reference_words

_WORD: Final = re.compile(r"\w+")
# "Travel Policy 2023 (the "Policy")": a document's own name for another.
_CALLED: Final = re.compile(
    rf"(?:\s\d{{4}})?,?\s{{1,3}}\((?:(?:{alternatives(ARTICLES)}|{line_words('called')})\s){{0,2}}"
    r"(?P<quote>[\"“„«])?(?P<name>(?!of\b)[A-Z][\w-]*(?: [A-Z][\w-]*){0,3})(?(quote)[\"”“»])\)",
    re.IGNORECASE,
)
# "the Supplier Code of Conduct" is another document than the Code of Conduct; a first word in a sentence tells nothing.
_OPENERS: Final = alternatives(
    word.capitalize() for word in SMALL_WORDS.union(*(one.openers for one in LEXICONS.values()))
)
_LONGER: Final = re.compile(
    rf"(?:[^.!?:;\n]\s|[\[(*\"“„])(?!(?:{_OPENERS}|(?i:{reference_words('leads')}))\s)"
    r"[^\W\d_a-zß-ÿ][\w'’&-]*\s$"
)
_LEAD_CHARS = 60


@dataclass(frozen=True, slots=True)
class Mention:
    """A place `[start, end)` in a text where a document is named; editions of one document have one name.

    `alone` where the name stands for the document without a number beside it: a title with its capitals.
    """

    start: int
    end: int
    documents: tuple[str, ...]
    alone: bool


class Library:
    """Documents by name.

    Args:
        names: `doc_id` to the names of the document.
        sections: gives the sections of a document, in order; asked once for each that is referred to.
    """

    def __init__(self, names: Mapping[str, DocumentNames], sections: Callable[[str], Sequence[Section]]) -> None:
        self._sections = sections
        self._numbers: dict[str, SectionNumbers] = {}
        self._titles: dict[str, dict[str, str]] = {}  # by name: documents, and how each writes it
        self._short: dict[str, dict[str, str]] = {}
        self._edition = {doc_id: name_key(one.plain) for doc_id, one in names.items()}
        initials = Counter(name for one in names.values() for name in one.initials)
        for doc_id, one in names.items():
            for title in one.titles:
                self._titles.setdefault(name_key(title), {}).setdefault(doc_id, title)
            for name in (*one.short, *(name for name in one.initials if initials[name] == 1)):
                self._short.setdefault(name, {})[doc_id] = name
        self._by_word: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for name in dict.fromkeys((*self._titles, *self._short)):
            words = _words(name)
            self._by_word.setdefault(max(words, key=lambda word: (len(word), word), default=""), []).append(
                (name, words)
            )

    def numbers(self, doc_id: str) -> SectionNumbers:
        """The sections of a document by number."""
        if doc_id not in self._numbers:
            self._numbers[doc_id] = SectionNumbers(self._sections(doc_id))
        return self._numbers[doc_id]

    def named(self, text: str, doc_id: str | None = None) -> Mapping[str, tuple[str, ...]]:
        """The names whose words a text has, each with the documents that it stands for, in order of the names.

        Of documents with one name that of the text itself is meant, else those in the nearest folder; none where they
        are not editions of one document. The text is of the document `doc_id`.
        """
        words = _words(text)
        found = {name for word in words & self._by_word.keys() for name, own in self._by_word[word] if own <= words}
        meant = {
            name: self._meant({**self._titles.get(name, {}), **self._short.get(name, {})}, doc_id) for name in found
        }
        return {name: meant[name] for name in sorted(found) if meant[name]}

    def _meant(self, documents: Mapping[str, str], doc_id: str | None) -> tuple[str, ...]:
        if len(documents) == 1:
            return tuple(documents)
        if doc_id is not None and doc_id in documents:
            return (doc_id,)
        near = {one: _shared_folders(one, doc_id or "") for one in documents}
        meant = tuple(one for one in documents if near[one] == max(near.values()))
        return meant if len({self._edition[one] for one in meant}) == 1 else ()

    def mentions(self, text: str, doc_id: str | None = None) -> list[Mention]:
        """Where a text names documents, in order, none inside another; the longest name counts; see `named`."""
        named = self.named(text, doc_id)
        titles = {name: documents for name, documents in named.items() if name in self._titles}
        short = {name: documents for name, documents in named.items() if name in self._short}
        if not named:
            return []
        found = self._matches(text, titles, short)
        own: dict[str, tuple[str, ...]] = {}
        for mention in found:
            called = _CALLED.match(text, mention.end)
            if called and (called["quote"] or called["name"].isupper()):
                own.setdefault(called["name"], mention.documents)
        return self._matches(text, titles, short | own) if own.keys() - short.keys() else found

    def _matches(
        self, text: str, titles: Mapping[str, tuple[str, ...]], short: Mapping[str, tuple[str, ...]]
    ) -> list[Mention]:
        names = rf"(?<!\w)(?:(?i:(?P<title>{_pattern(titles)}))|(?P<short>{_pattern(short)}))(?!\w)"
        found = []
        for match in re.finditer(names, text):
            if match["title"] is None:
                documents, alone = short[" ".join(match["short"].split())], False
            else:
                name = name_key(match["title"])
                documents = titles[name]
                written = self._titles[name][documents[0]]
                lead = max(0, match.start() - _LEAD_CHARS)
                alone = _has_capitals(match["title"], written) and not _LONGER.search(text, lead, match.start())
            found.append(Mention(match.start(), match.end(), documents, alone))
        return found


def _pattern(names: Iterable[str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first) or r"(?!)"


def _has_capitals(found: str, written: str) -> bool:
    """Whether a title has the capitals that its document writes, or more."""
    pairs = zip(found.split(), written.split(), strict=True)
    return not any(
        here[0].islower() and there[0].isupper() for here, there in pairs if here.casefold() not in SMALL_WORDS
    )


def _shared_folders(one: str, other: str) -> int:
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
