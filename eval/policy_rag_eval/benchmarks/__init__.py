"""Benchmarks of single parts, each a module to run with `python -m`."""
