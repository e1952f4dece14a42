"""Bad worlds, simulated: what the network, the clock, the terminal, the database or a stranger does to a server.

Each module is one kind of world, and covers page, terminal and API where they differ. Nothing here depends on how fast
the machine is: clocks are injected, and tests wait for events. Tests that take longer than a few seconds are marked
`long`, which leaves them to `make thorough`.
"""
