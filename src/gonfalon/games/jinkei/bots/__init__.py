"""The bots of Jinkei."""
