"""The loaders, the section parser and the extractors as LlamaIndex's own kinds."""
