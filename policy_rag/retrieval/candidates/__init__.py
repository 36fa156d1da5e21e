"""What each search brings for one question."""
