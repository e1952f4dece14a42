"""Many games in one call."""
