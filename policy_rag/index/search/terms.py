"""Words of a text as the keyword search sees them: those of the parsers."""

from policy_rag_parsers.text.tokenizer import LANGUAGES, detect_language, language_of, pairs, terms, words

__all__ = ["LANGUAGES", "detect_language", "language_of", "pairs", "terms", "words"]
