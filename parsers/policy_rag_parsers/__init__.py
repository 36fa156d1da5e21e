"""Files to documents, documents to sections, sections to metadata."""
