"""The bots of Generals."""
