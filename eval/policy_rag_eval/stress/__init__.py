"""Stress tests: what becomes of answers when the sections that are given are made harder by rule."""
