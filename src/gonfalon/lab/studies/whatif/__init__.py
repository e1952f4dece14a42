"""The study of two variants of a game: `gonfalon lab whatif`."""
