"""Review by people in a browser: question sets and disputed verdicts, one decision a key, and what became of them."""
