"""The table in a plain terminal: lines of at most 80 columns, no cursor tricks."""
