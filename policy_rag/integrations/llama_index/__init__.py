"""The parts as LlamaIndex's own kinds: thin classes over what the rest of the package does."""
