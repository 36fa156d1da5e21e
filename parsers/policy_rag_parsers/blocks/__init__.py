"""What a section consists of: paragraphs, list items, tables."""
