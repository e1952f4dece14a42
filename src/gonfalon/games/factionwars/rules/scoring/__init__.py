"""The score of an army, and the goals."""
