"""Training networks by self-play."""
