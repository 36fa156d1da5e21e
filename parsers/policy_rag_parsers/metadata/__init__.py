"""What sections carry beside their text: titles, summaries, questions, keywords, entities, obligations.

`rule_extractor.extract_by_rule` finds them by rule and by statistics, `llm_extractor.extract_with_llm` asks an LLM.
"""
