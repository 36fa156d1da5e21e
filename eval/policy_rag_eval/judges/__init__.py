"""Judges of answers, one a file, each replaceable: an answer with what it was given goes in, a typed verdict comes out."""
