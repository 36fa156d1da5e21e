"""What is done to a ranked list: cut-off, duplicates, diversity, order."""
