"""Games in a terminal: on this machine, at a server, lessons and puzzles."""
