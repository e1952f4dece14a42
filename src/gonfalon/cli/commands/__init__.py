"""The commands, each with its arguments and what it does."""
