"""What questions by rule are worded with, and which titles they ask nothing about, by language."""

import re
from collections.abc import Mapping

from policy_rag_parsers.text.lexicon import LEXICONS, in_all
from policy_rag_parsers.text.lexicon.workbench_words import QuestionTemplates
from policy_rag_parsers.text.unit_words import BACK_MATTER

TEMPLATES: Mapping[str, QuestionTemplates] = {name: one.workbench.templates for name, one in LEXICONS.items()}
"""By language; rules have no words for the others."""

_ANNEXED = rf"(?:(?:{'|'.join(BACK_MATTER)})\s+(?:\d+|[A-Z]|[IVX]+)\b\s*[:.–—-]?\s*)?"
GENERIC = re.compile(rf"{_ANNEXED}(?:{in_all('workbench.templates.generic')})?\Z", re.IGNORECASE)
"""Titles to ask nothing about; see `QuestionTemplates.generic`."""
