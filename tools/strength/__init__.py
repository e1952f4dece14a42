"""`python -m tools.strength`: the pages of docs/strength, measured anew."""
