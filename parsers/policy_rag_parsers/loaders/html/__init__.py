"""HTML files to text."""
