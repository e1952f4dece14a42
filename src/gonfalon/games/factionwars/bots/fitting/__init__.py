"""Fits how people pick, by command."""
