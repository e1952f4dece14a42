"""Numbers of the games' players, fitted to games: weights, chances, what opponents do."""
