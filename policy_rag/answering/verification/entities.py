"""Names and roles of a statement that stand nowhere in what it cites: another officer, another person."""

import re
from collections.abc import Iterable

from policy_rag.index.search.tokens import words

_CAPITAL = r"[A-ZÄÖÜÉÈÀÂÇ][\w'’-]*[^\W\d_]"
_NAME = re.compile(rf"\b{_CAPITAL}(?:\s+(?:(?:of|for|and)\s+(?:the\s+)?)?{_CAPITAL})+")
_GERMAN_NAME = re.compile(rf"\b(?:Herrn?|Frau|Dr\.|Prof\.|Professor(?:in)?)\s+{_CAPITAL}(?:\s+{_CAPITAL})*")
_APART = re.compile(r"(?:(?!\sand\s).)+", re.DOTALL)
_FIRST = re.compile(r"\A\W*\w+")
_OPENS = frozenset(
    words("a an the this that these those all any each every no some for in at on by of to from with if when where as")
)
_ROLES = tuple(
    frozenset(group.split())
    for group in (
        "officer officers",
        "manager managers supervisor supervisors boss superior superiors",
        "head heads leader leaders",
        "director directors",
        "board boards",
        "committee committees",
        "council councils",
        "dean deans",
        "chair chairs chairman chairwoman chairperson chaired",
        "president presidents",
        "secretary secretaries",
        "counsel lawyer lawyers attorney solicitor legal",
        "registrar registry",
        "pharmacist pharmacists",
        "nurse nurses",
        "doctor doctors physician physicians consultant consultants gp",
        "auditor auditors audit",
        "commissioner commissioners",
        "ombudsman ombudsperson ombudswoman",
        "dispatcher dispatchers",
        "inspector inspectors",
        "vorstand vorstands vorstandes vorständen",
        "vorgesetzte vorgesetzten vorgesetzter führungskraft führungskräfte",
        "geschäftsführung geschäftsführer geschäftsführerin geschäftsleitung",
        "leiter leiterin leitung",
        "beauftragte beauftragten beauftragter",
        "betriebsrat betriebsrats betriebsrates",
        "ausschuss ausschusses kommission",
        "directeur directrice direction",
        "responsable responsables supérieur",
        "comité conseil",
    )
)
_LEAST_PART = 5  # letters of a role that may end a compound ("Ausbildungsleitung")


def strange_name(statement: str, sources: Iterable[str], language: str) -> str:
    """The first name or role that the sources have not, or "".

    A name is two capitalised words or more in a row, each of which must stand in the sources, or their initials; in
    German, where nouns have capitals, what follows "Herr", "Frau" or a title. A role is a noun such as "officer"; its
    synonyms count as the same.

    Args:
        statement: a sentence.
        sources: the texts and titles that it cites.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> source = ["The Accountable Officer, Dr Helen Marsh, approves any departure."]
    >>> strange_name("The Accountable Officer is Dr Peter Marsh.", source, "english")
    '"Peter" is not in what it cites'
    >>> strange_name("A departure needs the manager's approval.", source, "english")
    '"manager" is not in what it cites'
    """
    joined = " ".join(sources)
    known = frozenset(words(joined))
    return _strange_role(statement, known) or _strange_person(statement, joined, known, language)


def _strange_role(statement: str, known: frozenset[str]) -> str:
    for word in words(statement):
        group = next((roles for roles in _ROLES if word in roles), None)
        if group and known.isdisjoint(group) and not any(_ends_with(other, group) for other in known):
            return f'"{word}" is not in what it cites'
    return ""


def _ends_with(word: str, roles: frozenset[str]) -> bool:
    return any(len(role) >= _LEAST_PART and word.endswith(role) for role in roles)


def _strange_person(statement: str, joined: str, known: frozenset[str], language: str) -> str:
    acronyms = frozenset(re.findall(r"\b[A-Z]{2,}\b", joined))
    initials = "".join(word[0] for word in words(joined))
    first = _FIRST.match(statement)
    begun = first.end() if first else 0  # where a capital may be that of the sentence
    for run in (_GERMAN_NAME if language == "german" else _NAME).finditer(statement):
        if _initials(run[0]) in acronyms:
            continue
        for name in _APART.finditer(run[0]):
            capitals = list(re.finditer(_CAPITAL, name[0]))
            inside = [one[0] for one in capitals if run.start() + name.start() + one.start() >= begun]
            for word in inside if len(capitals) > 1 else []:
                if word.lower() not in _OPENS and not _is_known(word, known, initials):
                    return f'"{word}" is not in what it cites'
    return ""


def _initials(name: str) -> str:
    return "".join(word[0] for word in re.findall(_CAPITAL, name) if word.lower() not in _OPENS)


def _is_known(word: str, known: frozenset[str], initials: str) -> bool:
    parts = words(word)
    return all(
        part in known or part.removesuffix("s") in known or f"{part}s" in known or (word.isupper() and part in initials)
        for part in parts
    )
