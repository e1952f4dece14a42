"""The bots of Feint."""
