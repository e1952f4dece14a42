"""Execution of studies: blocks of games, worker processes, caches and progress."""
