"""Words, sentences, quantities and dates of a text, language by language."""
