"""Studies with many games between bots."""
