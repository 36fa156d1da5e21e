"""Names that many sections hold, which say nothing of what a question asks: mostly the organisation's own."""

import re

from policy_rag.answering.confidence.question_terms import Idf
from policy_rag.index.search.terms import language_of, terms

_COMMON = 2.5  # the idf of a word in a twelfth of the sections
_LANGUAGE, _STANDS_FOR_IT = "english", "we"
_NAME = re.compile(r"(?<![.?!:] )(?<!\A)\b(?!I\b)(?=\w*[A-Z])(?:[A-Z]|\d+[A-Z])\w*")


def without_common_names(question: str, idf: Idf) -> str:
    """A question with "we" for each name that many sections hold.

    A sentence that holds the organisation's name is near to any question that does, whatever either is about.
    Questions in other languages than English are left as they are: "we" is no word of theirs.

    Args:
        question: as asked.
        idf: of the keyword index that was searched.

    >>> import numpy as np
    >>> common = lambda stems: np.array([1.0 if stem == "acm" else 6.0 for stem in stems])
    >>> without_common_names("Does Acme pay for my trip to Rome? Can I choose Acme's hotel?", common)
    "Does we pay for my trip to Rome? Can I choose we's hotel?"
    """
    if language_of(question) not in {None, _LANGUAGE}:
        return question

    def shown(found: re.Match[str]) -> str:
        stems = terms(found[0], _LANGUAGE)
        return _STANDS_FOR_IT if stems and float(idf(stems).min()) <= _COMMON else found[0]

    return _NAME.sub(shown, question)
