"""The reference rules of Generals."""
