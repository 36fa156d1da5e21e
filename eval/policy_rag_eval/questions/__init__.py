"""Question sets made from documents: by rule or by an LLM, sifted, reviewed by people, and written as a data set."""
