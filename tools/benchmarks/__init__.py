"""Gonfalon and its peers, measured in one run: `make benchmarks`."""
