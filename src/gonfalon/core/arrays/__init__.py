"""Positions as numbers: observation tensors, layouts, lanes and the random generator."""
