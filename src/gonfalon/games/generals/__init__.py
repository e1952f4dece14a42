"""Generals: the Three Kingdoms customizable card game."""
