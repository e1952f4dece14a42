"""Learns what terms of a position are worth, by command."""
