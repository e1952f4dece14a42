"""The commands, each with its arguments and its function."""
