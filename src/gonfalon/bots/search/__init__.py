"""Tree search through the worlds of a view."""
