"""The presentation of Faction Wars: words, board, templates, styles."""
