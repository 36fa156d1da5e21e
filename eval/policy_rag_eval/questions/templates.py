"""What questions by rule are worded with, a set of templates a language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Templates:
    """Templates of one language.

    Attributes:
        clause: asks for a clause; `{number}`, `{document}`.
        unit: the word before a bare number.
        topic: asks for what a document says on a section's title; `{title}`, `{document}`.
        definition: asks for what a term means; `{term}`, `{document}`.
        cell: asks for a table's cell; `{column}`, `{head}` (the first column's name), `{row}`, `{document}`.
        comparison: asks for the difference between two rows; those of `cell`, and `{other}`.
        joins: joins two questions; `{first}` has no question mark.
        generic: titles that say nothing of what is under them, or under which no rules stand (a glossary, contacts,
            forms, a schedule of them), and titles that are questions themselves.
    """

    clause: str
    unit: str
    topic: str
    definition: str
    cell: str
    comparison: str
    joins: str
    generic: re.Pattern[str]


_ANNEXED = r"(?:(?:schedule|appendix|annex|exhibit|attachment|anlage|anhang)\s+(?:\d+|[A-Z]|[IVX]+)\b\s*[:.–—-]?\s*)?"

TEMPLATES: Mapping[str, Templates] = {
    "english": Templates(
        clause="What does {number} of the {document} say?",
        unit="section",
        topic="What does the {document} say about “{title}”?",
        definition="What does “{term}” mean in the {document}?",
        cell="What does the {document} give as “{column}” where “{head}” is “{row}”?",
        comparison="Under the {document}, how do “{row}” and “{other}” differ in “{column}”?",
        joins="{first}, and {second}",
        generic=re.compile(
            rf"{_ANNEXED}(?:(?:how|what|who|when|where|why|which)\b.*|"
            r"purpose|scope|purpose and scope|scope and purpose|definitions?|contacts?|.* and contact|"
            r"introduction|general|rules|periods|roles|principles|appendix|annex|schedule|overview|background|review|"
            r"miscellaneous|history|validity|final provisions|terms|consequences|others?|reaction|reporting|breaches|"
            r"exceptions|appeals|glossary(?: of terms)?|abbreviations|(?:worked |further )*examples?|"
            r"(?:standard )?forms?|templates?|contact details|who to contact|(?:table of )?contents|references|"
            r"related (?:documents|policies)|(?:document|version|revision|change) (?:control|history|log)|schedules|"
            r"appendices|annexes)?\Z",
            re.IGNORECASE,
        ),
    ),
    "german": Templates(
        clause="Was steht in {number} ({document})?",
        unit="Abschnitt",
        topic="Was gilt laut {document} zum Thema „{title}“?",
        definition="Was bedeutet „{term}“ ({document})?",
        cell="Was gilt unter „{column}“ für {head} „{row}“ ({document})?",
        comparison="Worin unterscheiden sich „{row}“ und „{other}“ bei „{column}“ ({document})?",
        joins="{first}, und {second}",
        generic=re.compile(
            rf"{_ANNEXED}(?:(?:wer|was|wie|wann|wo|warum)\b.*|"
            r"geltungsbereich|zweck|begriffe?|begriffsbestimmungen|schlussbestimmungen|allgemeines|sonstiges|"
            r"kontakte?|anhang|anhänge|anlagen?|glossar|abkürzungen|ansprechpartner|formulare?|vordrucke?|muster|"
            r"beispiele?|inhalt(?:sverzeichnis)?|verweise|mitgeltende (?:unterlagen|dokumente)|"
            r"änderungs(?:historie|verzeichnis))?\Z",
            re.IGNORECASE,
        ),
    ),
}
"""By language of `policy_rag.index.search.terms.LANGUAGES`; rules have no words for the others."""
