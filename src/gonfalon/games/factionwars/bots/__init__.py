"""The bots of Faction Wars."""
