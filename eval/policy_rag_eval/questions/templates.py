"""What questions by rule are worded with, and which titles they ask nothing about, by language."""

import re
from collections.abc import Mapping

from policy_rag_eval.words import WORDS
from policy_rag_eval.words.record import QuestionTemplates
from policy_rag_parsers.text.unit_words import BACK_MATTER

TEMPLATES: Mapping[str, QuestionTemplates] = {name: one.templates for name, one in WORDS.items()}
"""By language; rules have no words for the others."""

_ANNEXED = rf"(?:(?:{'|'.join(BACK_MATTER)})\s+(?:\d+|[A-Z]|[IVX]+)\b\s*[:.–—-]?\s*)?"
GENERIC = re.compile(rf"{_ANNEXED}(?:{'|'.join(one.generic for one in TEMPLATES.values())})?\Z", re.IGNORECASE)
"""Titles to ask nothing about; see `QuestionTemplates.generic`."""
