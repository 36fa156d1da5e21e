"""Whether what a figure is said of stands in what is cited at all: "The probation period is three years"."""

import re
from collections.abc import Iterable

from policy_rag.answering.verification.clauses import claims_of
from policy_rag.answering.verification.number_words import number_in_words
from policy_rag.answering.verification.surface_checks import MODAL_STEMS
from policy_rag.answering.verification.units import MONTH_NAMES, UNITS
from policy_rag.index.search.tokens import terms, words

_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|may|must|shall|should|can|cannot|will|need|needs|get|gets|receive|receives"
    r"|last|lasts|take|takes|cost|costs|pay|pays|amount|amounts|require|requires|begin|begins|end|ends|expire|expires"
    r"|apply|applies|do|does|ist|sind|war|wird|werden|hat|haben|darf|dürfen|muss|müssen|soll|sollen|kann|können|beträgt"
    r"|betragen|gilt|gelten|dauert|dauern|kostet|kosten|erhält|erhalten|bekommt|bekommen|beginnt|endet|verfällt"
    r"|hold|holds|run|runs|remain|remains|stay|stays|come|comes|equal|equals|lapse|lapses|start|starts|close|closes|open"
    r"|opens|est|sont|a|ont|peut|peuvent|doit|doivent|dure|durent|coûte|coûtent|reçoit|reçoivent|s'élève|s'élèvent)\b",
    re.IGNORECASE,
)
_FRONT = re.compile(
    r"\W*(?:for|in|at|on|with|without|during|after|before|from|per|each|every|if|when|where|unless|as|to|under|within|by"
    r"|bei|für|im|am|an|auf|mit|ohne|nach|vor|ab|pro|je|wenn|falls|wer|zur|zum|aus|von|pour|en|dans|avec|sans|après"
    r"|avant|par|si|lors|lorsque|sous|à|au)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = frozenset(
    words(
        # how much of something, for how long, until when
        "period periods time times limit limits maximum minimum deadline amount amounts number length duration rate "
        "rates level age term terms total sum value threshold interval figure average full first last new "
        "frist zeitraum dauer zeit höchstbetrag betrag höhe grenze obergrenze wert anzahl zahl höchstdauer mindestens "
        "délai durée montant plafond limite taux nombre valeur période "
        # who
        "employee employees staff worker workers person persons people member members user users individual "
        "individuals colleague colleagues anyone everyone everybody somebody someone nobody company mitarbeiter "
        "mitarbeiterin mitarbeiterinnen mitarbeitende mitarbeitenden beschäftigte beschäftigten arbeitnehmer "
        "arbeitnehmende personen angestellte firma unternehmen salarié salariés salariée employé employés personnel "
        "personne personnes collaborateur collaborateurs entreprise "
        # where it is said
        "policy policies section sections rule rules document documents regulation regulations paragraph clause code "
        "richtlinie abschnitt regel dokument ziffer absatz politique règlement article yes no ja nein oui non "
        "according accordance stated said says"
    )
)
_MEASURES = ("frist", "dauer", "zeitraum", "zeit", "betrag", "grenze", "höhe", "satz", "pauschale", "kosten")
_SYNONYMS = tuple(
    frozenset(group.split())
    for group in (
        "leave holiday holidays vacation",
        "pay paid salary salaries wage wages remuneration",
        "illness ill sick sickness",
        "car cars vehicle vehicles",
        "fee fees charge charges price cost costs",
        "allowance entitlement",
        "urlaub ferien",
        "gehalt lohn entgelt vergütung",
        "auto autos pkw wagen fahrzeug",
        "congé congés vacances",
        "salaire rémunération paie",
        "repas déjeuner dîner midi soir",
    )
)
_LEAST_SHARED = 5  # letters at the beginning by which two words are forms of one
_LEAST_PART = 4  # letters of a word that may be part of another


def strange_subject(statement: str, sources: Iterable[str], language: str) -> str:
    """What a statement with a figure is on, if no telling word of it stands in the sources in any form; else "".

    Its subject is what stands before its first verb. Words for measures, people and policies tell nothing, and a
    subject without another word is not judged; nor is a statement that begins with a preposition or "if".

    Args:
        statement: a sentence.
        sources: the texts and titles that it cites.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> strange_subject("The probation period is 3 years.", ["The retention period is 3 years."], "english")
    'of "probation" what it cites says nothing'
    >>> strange_subject("Retaining ends after three years.", ["Files are retained for 3 years."], "english")
    ''
    """
    if not claims_of(statement) or _FRONT.match(statement):
        return ""
    verb = _VERB.search(statement)
    telling = [word for word in words(statement[: verb.start()] if verb else statement) if _tells(word, language)]
    if not telling:
        return ""
    joined = " ".join(sources)
    known = frozenset(words(joined))
    initials = "".join(word[0] for word in words(joined))
    acronyms = frozenset(found.lower() for found in re.findall(r"\b[A-Z]{2,}\b", joined))
    ours = "".join(word[0] for word in telling)
    if any(_is_known(word, known) or (len(word) > 1 and word in initials) for word in telling) or ours in acronyms:
        return ""
    return f'of "{telling[0]}" what it cites says nothing'


def _tells(word: str, language: str) -> bool:
    if word in _NO_SUBJECT or word in UNITS or word in MONTH_NAMES or word[0].isdigit() or number_in_words([word]):
        return False
    return bool(set(terms(word, language)) - MODAL_STEMS)


def _is_known(word: str, known: frozenset[str]) -> bool:
    if word in known or any(word in group and not known.isdisjoint(group) for group in _SYNONYMS):
        return True
    core = _core(word)
    return any(_are_forms(core, _core(other)) for other in known)


def _core(word: str) -> str:
    """A compound without the measure that it ends with: "kündigungs" of "kündigungsfrist"."""
    measure = next((one for one in _MEASURES if word.endswith(one) and len(word) >= len(one) + _LEAST_PART), "")
    return word.removesuffix(measure)


def _are_forms(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= _LEAST_PART and shorter in longer:
        return True
    return len(shorter) >= _LEAST_SHARED and one[:_LEAST_SHARED] == other[:_LEAST_SHARED]
