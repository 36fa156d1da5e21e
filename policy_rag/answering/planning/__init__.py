"""Questions with several parts, follow-ups and summaries."""
