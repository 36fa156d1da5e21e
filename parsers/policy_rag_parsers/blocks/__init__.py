"""What a section consists of: headings, paragraphs, list items, tables, notes, tables of contents."""
