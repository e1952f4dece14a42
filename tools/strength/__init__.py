"""`python -m tools.strength`: measures the pages of docs/strength."""
