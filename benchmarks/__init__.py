"""Measurements: `python -m benchmarks.engine` (or `make bench`)."""
