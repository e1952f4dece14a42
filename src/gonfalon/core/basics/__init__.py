"""The vocabulary of all games: cards, options, outcomes, errors, chance, decks."""
