"""The vocabulary of all games: cards, options, outcomes, errors, random numbers, decks."""
