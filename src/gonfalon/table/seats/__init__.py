"""Seats, their links, and their players."""
