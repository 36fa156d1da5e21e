"""Whether a text is in the language that the reader learnt."""

import re

from policy_rag_parsers.text.tokenizer import language_of


def is_english(text: str) -> bool:
    """Whether a question or statement is in the language that the model learnt; texts of up to three words pass.

    A longer one without any of the commonest English words, or with more of another language, is taken to be in
    another: what the reader says of it means nothing, and the first stage's order is the better one.

    >>> is_english("Who approves a trip to Lyon?"), is_english("Wer genehmigt eine Reise nach Lyon?")
    (True, False)
    >>> is_english("Do contractors get holidays?"), is_english("Quem aprova as despesas do departamento?")
    (True, False)
    """
    words = re.findall(r"[^\W_]+", text.lower())
    return len(words) <= 3 or (not _COMMON.isdisjoint(words) and language_of(text) in {"english", None})


_COMMON = frozenset({
    "the", "is", "are", "of", "to", "and", "what", "who", "how", "when", "where", "why", "which", "does", "can",
    "may", "must", "my", "we", "you", "it", "for", "with", "have", "has", "if", "our", "your", "i", "from",
    "should", "be", "at", "by", "not", "any", "many", "much", "there", "this", "that", "they", "he", "she", "or",
    "could", "would", "were", "been", "do", "did", "get", "will", "their",
})  # fmt: skip
