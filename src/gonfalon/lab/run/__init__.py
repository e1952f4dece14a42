"""How studies run: blocks of games, worker processes, caches and progress."""
