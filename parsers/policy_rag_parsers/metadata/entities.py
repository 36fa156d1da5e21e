"""Entities of a section by pattern: roles, systems, laws, amounts, deadlines, periods and dates.

A system is known by its kind: "the expense platform Fjord", "MES system".
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from policy_rag_parsers.metadata.extraction_results import Entity, EntityType
from policy_rag_parsers.metadata.sanitise import one_line
from policy_rag_parsers.metadata.temporal import find_times
from policy_rag_parsers.text.sentences import trimmed

MOST_ENTITIES = 40

# No longer than any word is: a line of 10,000 hyphens has as many places where a word may begin.
_WORD = r"[A-ZÄÖÜ][\w&-]{0,79}"


def _either_case(words: str) -> str:
    """An alternation of words that may begin with a capital; words all in capitals are headings."""
    return "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in words.split())


_ROLE_HEAD = _either_case(
    r"officers? managers? directors? boards? committees? councils? departments? teams? desks? auditors? leads? "
    r"leaders? heads? counsels? supervisors? administrators? controllers? processors? owners? approvers? "
    r"employees? contractors? suppliers? employers? applicants? trustees? partners? persons? firms? regulators? "
    r"representatives? secretary secretaries chair(?:man|woman|person)? ombuds\w+ trainees? apprentices? staff "
    r"customers? clients? members? users? reviewers? authority authorities"
)
_ALONE = _either_case(
    r"employees? contractors? suppliers? managers? applicants? trainees? approvers? auditors? supervisors? visitors? "
    r"whistleblowers? works\scouncil general\scounsel"
)
_LED = _either_case("line project department site hiring direct senior external internal team")
_ROLE = re.compile(
    rf"\b(?:[Hh]eads?\sof\s(?:the\s)?(?:{_WORD}(?:\s(?:and|&)\s{_WORD}|\s{_WORD}){{0,3}}|department|division|unit|team)|"
    rf"(?:[Mm]embers?\sof\s(?:the\s)?)?(?:{_WORD}\s){{1,4}}(?:{_ROLE_HEAD})\b(?:\sof\s{_WORD})?|"
    rf"(?:{_LED})\s(?:managers?|leaders?|leads?|directors?|heads?|supervisors?|management|auditors?|audit)|"
    rf"(?:{_ALONE})|(?:CEO|CFO|COO|CTO|CIO|CISO|DPO|MLRO|CRO|SEO|HR)|"
    r"[Ff]ührungskr(?:aft|äfte)|Betriebsr(?:at|äte)\w{0,2}|Geschäftsführung|Beschäftigten?|Auszubildenden?|"
    r"Vorgesetzten?|[A-ZÄÖÜ]\w*(?:leitung|abteilung|beauftragter?n?|ausschuss|vorstand|mitarbeiter\w*|stelle))\b"
)
_LAW = re.compile(
    rf"\b(?:Regulation|Directive)\s\((?:EU|EC|EEC)\)\s(?:No\.?\s)?\d+/\d+|"
    rf"\b{_WORD}\s(?:(?:of|and|on|for|the|in|{_WORD})\s){{0,7}}?"
    r"(?:Act|Ordinance|Directive|Regulations?|Convention|Treaty|Statute|Code|Law)"
    r"(?:\s(?:of\s)?(?:19|20)\d\d|\s\d{4}/\d+)?\b(?!\sof\s(?:Conduct|Business|Practice))|"
    r"\b(?:GDPR|HIPAA|FSMR|FATCA|MiFID(?:\sII)?|EMIR|SOX|CCPA|NIS\s?2|DSGVO|BDSG|BGB|HGB|AGG|GmbHG)\b|"
    r"\b(?:[A-Z][a-zäöü]{1,4}){1,3}[A-Z]{0,2}G\b|"
    r"\b[A-ZÄÖÜ][a-zäöüß]{3,}(?:gesetz(?:es|buch)?|verordnung)\b|"
    r"\bISO(?:/IEC)?\s\d{4,5}(?:[-:]\d+)*"
)
_LAW_WORD = re.compile(r"Act|Ordinance|Directive|Regulation|Convention|Treaty|Statute|Code|Law|G\b|gesetz|verordnung|"
                       r"ISO|GDPR|HIPAA|FSMR|FATCA|MiFID|EMIR|SOX|CCPA|NIS|DSGVO|B[GH]B|HGB")  # fmt: skip
_SYSTEM_KIND = (
    r"systems?|platforms?|portals?|tools?|software|apps?|databases?|registers?|repository|intranet|console|vault"
)
_SYSTEM_EITHER = _either_case(_SYSTEM_KIND.replace("|", " "))
_SYSTEM = re.compile(
    rf"\b(?P<before>(?:[A-ZÄÖÜ][\w&-]{{1,79}}[ ]){{1,3}})(?:(?P<small>{_SYSTEM_KIND})|{_SYSTEM_EITHER})\b|"
    rf"\b(?:{_SYSTEM_KIND})\s(?:called\s|named\s)[\"“„]?(?P<name>{_WORD})[\"”“]?"
)
_DETERMINED = re.compile(
    r"(?:.*\s)?(?:The|the|A|a|An|an|Any|Each|Every|All|No|Our|Its|Such|This|That|These|Those|If|When|Where|Of|In|For|By|To|"
    r"Both|Other|Under|Der|Die|Das|Ein|Eine|Jede|Jeder|Alle|And|Or|As|On|At|From|With|Within|But|Means)\s+",
    re.DOTALL,
)
_GENERIC = frozenset(("Act", "Code", "Law", "Directive", "Regulation", "Regulations", "Convention"))
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?:;]\s+|\n\s*|[)*•-]\s+)\Z")


def section_entities(text: str, body: int) -> tuple[Entity, ...]:
    """The entities in `text[body:]`, in order of `start`, not overlapping; at most `MOST_ENTITIES`."""
    inside = text[body:]
    taken = bytearray(len(inside))
    found: list[Entity] = []
    for kind, start, end in _all(inside):
        a, b = trimmed(inside, start, end)
        if a < b and not any(taken[a:b]):
            taken[a:b] = b"\1" * (b - a)
            found.append(Entity(kind, one_line(inside[a:b]), body + a, body + b))
    return tuple(sorted(found, key=lambda entity: entity.start)[:MOST_ENTITIES])


def entity_values(entities: Sequence[Entity]) -> Mapping[EntityType, tuple[str, ...]]:
    """The distinct texts of each type, in order of their first mention."""
    values: dict[EntityType, dict[str, None]] = {}
    for entity in entities:
        values.setdefault(entity.type, {})[entity.text] = None
    return {kind: tuple(texts) for kind, texts in values.items()}


def _all(text: str) -> Iterator[tuple[EntityType, int, int]]:
    """Every match, those that win an overlap first."""
    if _LAW_WORD.search(text):
        for match in _LAW.finditer(text):
            start = _after_determiner(text, *match.span())
            if text[start : match.end()] not in _GENERIC:
                yield EntityType.LAW, start, match.end()
    yield from find_times(text)
    for match in _SYSTEM.finditer(text):
        if match["name"]:
            yield EntityType.SYSTEM, *match.span("name")
        elif _names_a_system(text, match):
            yield EntityType.SYSTEM, _after_determiner(text, *match.span()), match.end()
    for match in _ROLE.finditer(text):
        yield EntityType.ROLE, _after_determiner(text, *match.span()), match.end()


def _names_a_system(text: str, match: "re.Match[str]") -> bool:
    """Whether capitals before "system" are a name: not where a sentence begins with "Suitable systems"."""
    before = text[_after_determiner(text, *match.span("before")) : match.end("before")].split()
    if not before:
        return False
    shaped = any(sum(char.isupper() for char in word) > 1 for word in before)
    return shaped or not match["small"] or not _SENTENCE_BEGINS.search(text[max(0, match.start() - 8) : match.start()])


def _after_determiner(text: str, start: int, end: int) -> int:
    """Where a name begins whose match took in words before its article."""
    if "/" in text[start:end]:  # "Regulation (EU) No 1/2024"
        return start
    found = _DETERMINED.match(text, start, end)
    return found.end() if found else start
