"""How an answer is shown."""
