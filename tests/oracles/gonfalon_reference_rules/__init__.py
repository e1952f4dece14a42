"""The rules of Gonfalon's games, written a second time for the conformance kit."""
