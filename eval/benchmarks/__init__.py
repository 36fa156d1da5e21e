"""What parts cost and are worth, each a module to run with `python -m benchmarks.NAME`."""
