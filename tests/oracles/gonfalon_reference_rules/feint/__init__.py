"""The reference rules of Feint."""
