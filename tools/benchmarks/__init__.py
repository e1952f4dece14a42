"""Benchmarks of Gonfalon and comparable libraries in one run: `make benchmarks`."""
