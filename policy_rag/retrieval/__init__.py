"""Vector and keyword search over one index, their fusion, reranking, and what is kept of it."""
