"""Questions for a clause by its number."""
