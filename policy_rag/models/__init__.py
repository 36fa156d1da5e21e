"""The one place where models are made: embedding models, rerankers, LLMs, and the guard that keeps them offline."""
