"""Replays, reviews and playing on."""
