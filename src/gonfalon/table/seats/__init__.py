"""Seats, their links, and the people who hold them."""
