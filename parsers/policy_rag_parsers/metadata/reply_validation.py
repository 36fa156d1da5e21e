"""An LLM's reply as a typed value: read, checked against the section, cleaned and cut. What remains is data."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from policy_rag_parsers.llm.json_reply import read_json
from policy_rag_parsers.metadata.extraction_results import Entity, EntityType, Force, Kind, Obligation
from policy_rag_parsers.metadata.llm_tasks import field_of
from policy_rag_parsers.metadata.sanitise import cut_at_word, one_line
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_parsers.text.tokenizer import LANGUAGES, detect_language, words

Value = str | tuple[str, ...] | tuple[Entity, ...] | tuple[Obligation, ...]

TITLE_CHARS = 200
SUMMARY_CHARS = 600
DOCUMENT_SUMMARY_CHARS = 1200
QUESTION_CHARS = 250
KEYWORD_CHARS = 60
_PART_CHARS = 300
_MOST = {Kind.QUESTIONS: 5, Kind.KEYWORDS: 10, Kind.ENTITIES: 40, Kind.OBLIGATIONS: 30}
_KEYWORD_WORDS = 6
_PREAMBLE = re.compile(
    r"(?:(?:sure|certainly|of course|okay|ok|gerne|natürlich)\b[,.!:]?\s*)?"
    r"(?:(?:here|below|following)\b[^:.?!]{0,80}:|(?:the )?(?:summary|title|answer|question|zusammenfassung)\s?:)\s*",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):])\s+")
_ENGLISH = frozenset(["the", "of", "and", "to", "is", "are", "for", "must", "with"])
# A reply of fewer words says too little about its language.
_FEWEST_WORDS = 8


class InvalidReplyError(ValueError):
    """A reply that cannot be used; its text says why, on one line."""


def read_reply(kind: Kind, reply: str, text: str, *, language: str) -> tuple[Value, bool]:
    r"""The value in a reply, and whether it had to be repaired.

    Args:
        kind: what was asked for.
        reply: as it came.
        text: that it was asked about; ranges count its characters, and what it does not hold is dropped.
        language: of the text.

    Raises:
        InvalidReplyError: there is no JSON in it, it is of another form, empty, in another language, or nothing in
            it stands in the text.

    >>> read_reply(Kind.KEYWORDS, '["leave", "leave", "carry-over"]', "Leave", language="english")
    (('leave', 'carry-over'), True)
    """
    try:
        found, repaired = read_json(reply)
    except ValueError as error:
        raise InvalidReplyError("empty reply" if not reply.strip() else f"{error} in the reply") from error
    name = field_of(kind)
    value = found.get(name) if isinstance(found, dict) and set(found) == {name} else None
    if value is None:
        value, repaired = _unwrapped(found, name), True
    return _READERS[kind](kind, value, text, language), repaired


def _unwrapped(found: Any, name: str) -> Any:
    """The value of a property that came under another name, with others, deeper or bare."""
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict) and name in found[0]:
        found = found[0]
    if not isinstance(found, dict):
        return found
    folded = {str(key).strip().casefold(): value for key, value in found.items()}
    for key in (name, name.rstrip("s"), name + "s"):
        if key in folded:
            return folded[key]
    if len(found) == 1:
        (only,) = found.values()
        return _unwrapped(only, name) if isinstance(only, dict) else only
    if name in {"entities", "obligations"}:
        return [found]
    raise InvalidReplyError(f"the reply has no {name!r}")


def _line(kind: Kind, value: Any, text: str, language: str) -> str:
    """A title or a summary."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        value = " ".join(value)
    if not isinstance(value, str):
        raise InvalidReplyError(f"the {field_of(kind)} is no text")
    line = one_line(_PREAMBLE.sub("", one_line(value), count=1)).strip('"“”„ ')
    if not any(char.isalnum() for char in line):
        raise InvalidReplyError(f"the {field_of(kind)} is empty")
    _check_language(line, text, language)
    if kind is Kind.TITLE:
        return cut_at_word(line, TITLE_CHARS)
    return cut_at_word(line, SUMMARY_CHARS if kind is Kind.SUMMARY else DOCUMENT_SUMMARY_CHARS)


def _check_language(reply: str, text: str, language: str) -> None:
    """Refuse a reply in another script, or clearly in another language, than the text."""
    if _is_latin(text) is not None and _is_latin(reply) is not None and _is_latin(text) != _is_latin(reply):
        raise InvalidReplyError("the reply is in another script than the text")
    found = words(reply)
    if len(found) < _FEWEST_WORDS or language not in LANGUAGES:
        return
    other = detect_language(reply)
    if other == language or (other == "english" and sum(word in _ENGLISH for word in found) < 2):
        return
    raise InvalidReplyError(f"the reply is in another language than the text ({other})")


def _is_latin(text: str) -> bool | None:
    """Whether most letters are Latin; None where there are none."""
    letters = [char for char in text[:4000] if char.isalpha()]
    if not letters:
        return None
    latin = sum(char.isascii() or unicodedata.name(char, "").startswith("LATIN") for char in letters)
    return 2 * latin >= len(letters)


def _strings(value: Any, name: str) -> list[str]:
    """The texts of a list, whose items may be texts or objects of one text, or which came as lines of one text."""
    if isinstance(value, str):
        value = [line for line in value.splitlines() if line.strip()]
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        raise InvalidReplyError(f"the {name} are no list")
    texts: list[str] = []
    for item in value:
        if isinstance(item, dict) and len(item) == 1:
            (item,) = item.values()  # noqa: PLW2901 - {"question": "..."} is its text
        if isinstance(item, str):
            texts.append(one_line(_PREAMBLE.sub("", _LISTED.sub("", one_line(item)), count=1)))
    return texts


def _distinct(texts: Iterable[str], most: int) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for text in texts:
        seen.setdefault(text.casefold(), text)
    return tuple(seen.values())[:most]


def _questions(kind: Kind, value: Any, text: str, language: str) -> tuple[str, ...]:
    given = _strings(value, "questions")
    asked = [q for q in given if q.endswith("?") and len(q.split()) > 1 and len(q) <= QUESTION_CHARS]
    if given and not asked:
        raise InvalidReplyError("none of the questions is a question")
    if asked:
        _check_language(" ".join(asked), text, language)
    return _distinct(asked, _MOST[kind])


def _keywords(kind: Kind, value: Any, _text: str, _language: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.replace(",", "\n").replace(";", "\n")
    given = [text.strip(" .,;:\"'“”„") for text in _strings(value, "keywords")]
    kept = [t for t in given if any(c.isalnum() for c in t) and len(t) <= KEYWORD_CHARS]
    kept = [t for t in kept if len(t.split()) <= _KEYWORD_WORDS]
    if given and not kept:
        raise InvalidReplyError("none of the keywords is one")
    return _distinct(kept, _MOST[kind])


def _objects(value: Any, name: str) -> list[Mapping[str, Any]]:
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list) or any(not isinstance(item, dict) for item in value):
        raise InvalidReplyError(f"the {name} are no list of objects")
    return value


def _entities(kind: Kind, value: Any, text: str, _language: str) -> tuple[Entity, ...]:
    given = _objects(value, "entities")
    found: set[tuple[int, int, EntityType]] = set()
    for item in given:
        named, of = item.get("text"), str(item.get("type", "")).strip().casefold()
        place = _place(named, text) if isinstance(named, str) and of in set(EntityType) else None
        if place:
            found.add((*place, EntityType(of)))
    if given and not found:
        raise InvalidReplyError("the section holds none of the entities")
    return tuple(Entity(of, one_line(text[a:b]), a, b) for a, b, of in sorted(found)[: _MOST[kind]])


def _place(named: str, text: str) -> tuple[int, int] | None:
    """Where a text first stands in another, blanks and, if need be, capitals aside."""
    parts = named[:_PART_CHARS].split()
    if not any(char.isalnum() for char in named[:_PART_CHARS]):
        return None
    pattern = r"\s+".join(re.escape(part) for part in parts)
    edged = rf"(?<!\w){pattern}(?!\w)"
    found = re.search(edged, text) or re.search(edged, text, re.IGNORECASE)
    return found.span() if found else None


def _obligations(kind: Kind, value: Any, text: str, _language: str) -> tuple[Obligation, ...]:
    given = _objects(value, "obligations")
    held = [(set(words(text[a:b])), a, b) for a, b in sentence_spans(text, 0, len(text))]
    found: dict[tuple[int, str], Obligation] = {}
    for item in given:
        who, what, when = (one_line(str(item.get(key) or ""))[:_PART_CHARS] for key in ("who", "what", "when"))
        force = str(item.get("force", "")).strip().casefold().replace(" ", "-").replace("_", "-")
        place = _sentence_of(what, held)
        if what and place and force in set(Force):
            found.setdefault((place[0], what.casefold()), Obligation(who, Force(force), what, when, *place))
    if given and not found:
        raise InvalidReplyError("the section holds none of the obligations")
    ordered = sorted(found.values(), key=lambda one: (one.start, one.what))
    return tuple(ordered[: _MOST[kind]])


def _sentence_of(what: str, held: list[tuple[set[str], int, int]]) -> tuple[int, int] | None:
    """The sentence that holds most of a text's words, at least half of them; the earlier of equals."""
    wanted = set(words(what))
    best = max(held, key=lambda sentence: len(wanted & sentence[0]), default=None)
    if best is None or not wanted or 2 * len(wanted & best[0]) < len(wanted):
        return None
    return best[1], best[2]


_READERS: Mapping[Kind, Callable[[Kind, Any, str, str], Value]] = {
    Kind.TITLE: _line,
    Kind.DOCUMENT_SUMMARY: _line,
    Kind.SUMMARY: _line,
    Kind.QUESTIONS: _questions,
    Kind.KEYWORDS: _keywords,
    Kind.ENTITIES: _entities,
    Kind.OBLIGATIONS: _obligations,
}
