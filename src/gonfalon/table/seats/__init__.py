"""Seats, links to them, and the people who sit there."""
