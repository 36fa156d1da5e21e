"""What sections carry beside their text: titles, summaries, questions, keywords, entities, obligations.

`offline.extract_by_rule` finds them by rule and by statistics, `llm.extract_with_llm` asks an LLM; both give the
records of `records`. `extractors` has the faces for LlamaIndex.
"""
