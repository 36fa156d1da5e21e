"""SQLite as the truth, and the snapshots that are made from it."""
