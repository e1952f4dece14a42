"""The lobby: opening tables, cards and decks."""
