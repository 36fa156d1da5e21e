"""Answers that are quotations."""
