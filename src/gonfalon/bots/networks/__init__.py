"""Trained networks and the players that use them."""
