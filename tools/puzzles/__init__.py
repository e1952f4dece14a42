"""`python -m tools.puzzles`: finds puzzles in finished games, redeals, proves and checks them."""
