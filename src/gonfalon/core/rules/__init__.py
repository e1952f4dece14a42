"""The classes of a game: states, steps, and one base class for each reader of a game."""
