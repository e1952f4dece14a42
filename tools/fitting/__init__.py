"""Parameters of the games' bots, fitted to games: weights, win chances, opponents' behavior."""
