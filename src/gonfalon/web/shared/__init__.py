"""Pieces that several parts of the site use."""
