"""Laws of the rules: actions, chance, the course of a game, options."""
