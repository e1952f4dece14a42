"""The cards of Generals: files, pool, decks."""
