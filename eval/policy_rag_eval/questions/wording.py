"""What questions by rule are worded with, by language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Templates of one language. Gaps: `{number}`, `{document}`, `{title}`, `{term}`, `{row}`, `{other}`, `{column}`.

    Attributes:
        clause: asks for a clause by its number.
        unit: the word before a bare number.
        topic: asks for what a document says on a section's title.
        definition: asks for what a term means.
        cell: asks for a table's cell, by the kind of its column; "" is any other column.
        comparison: asks for the difference between two rows.
        under: puts a question into the context of a document.
        under_topic: the same, with what the section is about.
        joins: joins two questions; `{first}` has no question mark.
        generic: titles that say nothing of what is under them, or under which no rules stand (a glossary, contacts,
            forms), with the number of a schedule before them or without.
        marks: quotation marks, opening and closing.
    """

    clause: str
    unit: str
    topic: str
    definition: str
    cell: Mapping[str, str]
    comparison: str
    under: str
    under_topic: str
    joins: str
    generic: re.Pattern[str]
    marks: tuple[str, str] = ("“", "”")


_ANNEXED = r"(?:(?:schedule|appendix|annex|exhibit|attachment|anlage|anhang)\s+(?:\d+|[A-Z]|[IVX]+)\b\s*[:.–—-]?\s*)?"
ENGLISH = Phrases(
    clause="What does {number} of the {document} say?",
    unit="section",
    topic="What does the {document} say about {title}?",
    definition="What does “{term}” mean in the {document}?",
    cell={
        "who": "Who is named for {row} under “{column}” in the {document}?",
        "period": "What period does the {document} set for {row} (“{column}”)?",
        "number": "How many {column} does the {document} give for {row}?",
        "amount": "What amount in {column} does the {document} set for {row}?",
        "": "What does the {document} give as “{column}” for {row}?",
    },
    comparison="How do {row} and {other} differ in “{column}” under the {document}?",
    under="Under the {document}, ",
    under_topic="Under the {document} ({title}), ",
    joins="{first}, and {second}",
    generic=re.compile(
        rf"\A{_ANNEXED}(?:purpose|scope|purpose and scope|scope and purpose|definitions?|contacts?|.* and contact|"
        r"introduction|general|rules|periods|roles|principles|appendix|annex|schedule|overview|background|review|miscellaneous|history|"
        r"validity|final provisions|terms|consequences|others?|reaction|reporting|breaches|exceptions|appeals|"
        r"glossary(?: of terms)?|abbreviations|(?:worked |further )*examples?|(?:standard )?forms?|templates?|"
        r"contact details|who to contact|(?:table of )?contents|references|related (?:documents|policies)|"
        r"(?:document|version|revision|change) (?:control|history|log)|schedules|appendices|annexes)?\Z",
        re.IGNORECASE,
    ),
)
GERMAN = Phrases(
    clause="Was steht in {number} ({document})?",
    unit="Abschnitt",
    topic="Was gilt laut {document} zum Thema „{title}“?",
    definition="Was bedeutet „{term}“ ({document})?",
    cell={"": "Was gilt unter „{column}“ für {row} ({document})?"},
    comparison="Worin unterscheiden sich {row} und {other} bei „{column}“ ({document})?",
    under="{document}: ",
    under_topic="{document}, {title}: ",
    joins="{first}, und {second}",
    generic=re.compile(
        rf"\A{_ANNEXED}(?:geltungsbereich|zweck|begriffe?|begriffsbestimmungen|schlussbestimmungen|allgemeines|sonstiges|"
        r"kontakte?|anhang|anhänge|anlagen?|glossar|abkürzungen|ansprechpartner|formulare?|vordrucke?|muster|beispiele?|"
        r"inhalt(?:sverzeichnis)?|verweise|mitgeltende (?:unterlagen|dokumente)|änderungs(?:historie|verzeichnis))?\Z",
        re.IGNORECASE,
    ),
    marks=("„", "“"),
)
PHRASES: Mapping[str, Phrases] = {"english": ENGLISH, "german": GERMAN}
"""By language of `policy_rag.index.search.tokens.LANGUAGES`; rules have no words for the others."""

_WHO = re.compile(r"\b(?:by|approver|owner|responsible|contact)\Z|\Awho\b", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:kept for|period|time limit|duration|deadline|within)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\A(?:EUR|GBP|USD|€|£|\$)\Z")
_COUNTED = re.compile(
    r"\A(?:\w+ )?(?:days|hours|weeks|months|years|offers|copies|users|members)\b[^()]*\Z", re.IGNORECASE
)


def column_kind(column: str, cell: str) -> str:
    """Which template asks for a cell of a column: `who`, `period`, `number`, `amount` or "" for any.

    >>> column_kind("Approver", "head of department"), column_kind("Working days", "2"), column_kind("Class", "A")
    ('who', 'number', '')
    """
    has_number = any(char.isdigit() for char in cell)
    if _WHO.search(column) and not has_number:
        return "who"
    if _PERIOD.search(column) and has_number:
        return "period"
    if _COUNTED.match(column) and has_number:
        return "number"
    return "amount" if _AMOUNT.match(column.strip()) and has_number else ""
