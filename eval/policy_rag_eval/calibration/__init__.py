"""Confidence fitted to a data set's questions."""
