"""Values of declared keys that a question asks for: "for contractors", "rules on deadlines", "of the IT department"."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from policy_rag.index.search.terms import terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.text.lexicon import in_all

_FAMILIES: Final[Mapping[str, frozenset[str]]] = {
    "audience": frozenset(words("audience applies_to appliesto for role roles group employee_group staff scope")),
    "topic": frozenset(words("topic topics tag tags subject subjects theme themes category keywords")),
    "place": frozenset(words("site sites location locations country countries region regions office")),
    "owner": frozenset(words("department departments unit team division function owner owners issuer")),
}
_THE: Final = f"{in_all('question.articles')}|{in_all('document.reference_words.the')}|{in_all('all_')}"
_PAPERS: Final = f"{in_all('document.title_block.titles')}|{in_all('document.title_block.nouns')}|documents"
# "on GitHub" is a place, and a document that is not tagged may say most of a matter: a topic is asked of documents.
_BEFORE: Final[Mapping[str, re.Pattern[str]]] = {
    family: re.compile(rf"\b(?:{cue})\s+(?:(?:{_THE})\s+)*$", re.IGNORECASE)
    for family, cue in (
        ("audience", in_all("naming.for_")),
        ("topic", rf"(?:{_PAPERS})\s+(?:{in_all('naming.about')})"),
        ("place", in_all("naming.at")),
    )
}
_OF: Final = re.compile(
    rf"\b(?:{_PAPERS})\s+(?:that\s+are\s+)?(?:{in_all('document.reference_words.of')}|{in_all('naming.by')})\s+(?:(?:{_THE})\s+)?$",
    re.IGNORECASE,
)
_IS: Final = in_all("bounds.tells")
_MOST_WORDS: Final = 6
_BACK: Final = 80  # characters in front of a value that tell whether it is asked for
_MOST_VALUES: Final = 500  # of a key: one with more says something else of each document


def named_fields(question: str, documents: Sequence[DocumentInfo]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Keys with the values that a question asks for, in order of the key; several values mean any of them.

    Keys are known by what they are called (`audience`, `topic`, `site`, `department`, ...). One with another name must
    be named in the question: "with risk: high". A value counts in singular and plural. No value of documents that the
    caller may not read is compared with.
    """
    stems = set(terms(question)) | set(words(question))
    found: list[tuple[str, tuple[str, ...]]] = []
    for key, values in declared_values(documents).items():
        named = tuple(value for value in values if _worth(value, stems) and _asked(question, key, value))
        if named and len(values) <= _MOST_VALUES:
            found.append((key, named))
    return tuple(found)


def declared_values(documents: Sequence[DocumentInfo]) -> dict[str, tuple[str, ...]]:
    """Every key that documents declare besides the built-in ones, with its distinct values, both sorted."""
    values: dict[str, set[str]] = {}
    for document in documents:
        for key, value in document.extra.items():
            values.setdefault(key, set()).update((value,) if isinstance(value, str) else value)
    return {key: tuple(sorted(values[key])) for key in sorted(values)}


def _worth(value: str, stems: set[str]) -> bool:
    """Whether a closer look at a value pays: it is short, and the question has its words."""
    return len(value) >= 2 and len(value.split()) <= _MOST_WORDS and _stems(value) <= stems


@lru_cache(maxsize=10_000)
def _stems(value: str) -> frozenset[str]:
    return frozenset(terms(value) or words(value))


def _asked(question: str, key: str, value: str) -> bool:
    name = key.casefold().replace("-", "_").replace(" ", "_")
    label = r"\W{0,2}".join(map(re.escape, words(name.replace("_", " "))))
    family = next((family for family, names in _FAMILIES.items() if name in names), None)
    for match in _written(value).finditer(question):
        before, behind = question[max(0, match.start() - _BACK) : match.start()], question[match.end() :]
        if re.search(rf"\b{label}\s*(?:[:=]|{_IS})\s*$", before, re.IGNORECASE):
            return True
        if (cue := _BEFORE.get(family or "")) is not None and cue.search(before):
            return True
        if family == "owner" and (
            _OF.search(before) or re.match(rf"(?:\s+{label})?(?:['’]s?)?\s+(?:{_PAPERS})\b", behind, re.IGNORECASE)
        ):
            return True
    return False


@lru_cache(maxsize=10_000)
def _written(value: str) -> re.Pattern[str]:
    """The value as a question may write it: in either case, in singular or plural; capitals alone stay capitals."""
    pattern = r"[\s-]+".join(re.escape(word) for word in re.findall(r"[^\s-]+", value))
    if value.isupper():
        return re.compile(rf"(?<!\w){pattern}(?!\w)")
    stem = pattern[:-1] if pattern[-1:] in "sS" and not pattern.endswith("ss") else pattern
    return re.compile(rf"(?<!\w){stem}(?:e?s)?(?!\w)", re.IGNORECASE)
