"""The index on disk: SQLite holds the truth; the FAISS and BM25 files are derived from it."""
