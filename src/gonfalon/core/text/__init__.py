"""English sentences, sheets of characters, and the cleaning of untrusted text."""
