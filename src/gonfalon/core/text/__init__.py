"""English sentences, text sheets and pictures, and the cleaning of untrusted text."""
