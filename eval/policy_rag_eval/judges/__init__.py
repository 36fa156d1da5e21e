"""Judges of answers, one a file, each replaceable: an answer and what it was given go in, a typed verdict comes out."""
