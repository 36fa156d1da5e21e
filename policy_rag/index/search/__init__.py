"""The two searches: vectors and keywords."""
