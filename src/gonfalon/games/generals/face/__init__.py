"""How Generals looks and what it says: words, views, templates, styles."""
