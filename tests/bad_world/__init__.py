"""Simulated failures around a server: network, clock, terminal, database and hostile input.

Each module simulates one failure, for page, terminal and API where they differ. No test depends on the speed of
the machine: clocks are injected, and tests wait for events. Tests that take longer than a few seconds are marked
`long`, which leaves them to `make thorough`.
"""
