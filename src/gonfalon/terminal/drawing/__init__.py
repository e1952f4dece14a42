"""Boards drawn as text."""
