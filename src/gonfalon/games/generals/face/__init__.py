"""The face of Generals: words, views, templates and styles."""
