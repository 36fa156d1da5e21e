"""The one way to a language model: servers, budget, prices, what was called."""
