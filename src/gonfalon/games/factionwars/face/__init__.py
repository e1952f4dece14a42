"""How Faction Wars looks and what it says: words, views, templates, styles."""
