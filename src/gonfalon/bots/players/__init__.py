"""The interface of bots, their levels, and the simplest players."""
