"""`python -m tools.puzzles`: puzzles found in finished games, dealt anew, proved anew and checked."""
