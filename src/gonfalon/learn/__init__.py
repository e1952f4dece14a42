"""Training networks by playing against themselves."""
