"""PDF files to text."""
