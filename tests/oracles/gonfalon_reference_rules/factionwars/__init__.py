"""The reference rules of Faction Wars."""
